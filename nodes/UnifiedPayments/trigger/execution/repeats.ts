import { createHash } from 'node:crypto';

import { isFinal, type State } from '../../payment/state';
import { accountOf, type Account } from '../../protocol/credential';
import type { ProcessedKeys } from '../../transport/processedKeys';
import type { TransactionType } from '../settings';

/** The same for the same reference and status, whatever the payload around them looks like. */
export const eventKeyOf = (reference: string, status: string): string =>
	`${reference}:${status.trim().toLowerCase()}`;

/** Names a transaction: two accounts, or payins and payouts, may have the same references. */
export const nameOf = (account: Account, type: TransactionType, reference: string): string =>
	createHash('sha256')
		.update(JSON.stringify([accountOf(account), type, reference]))
		.digest('base64url')
		.slice(0, 22);

interface Occurrence {
	/** Of the transaction, see above. */
	name: string;
	state: State;
	/** Null when the record states none. */
	amount: number | null;
	/** Names the order, where that is proven; null otherwise. */
	order: string | null;
	/** Names the delivery; empty when it has no name. */
	delivery: string;
}

/** Whether it is to be emitted; `otherOrder`: the same was emitted before, for another order. */
export type Novelty = 'news' | 'repeat' | 'otherOrder';

const isKey = (state: State, name: string) => `is ${state} ${name}`;
const orderedKey = (state: State, name: string) => `ordered ${state} ${name}`;

function keysOf({ name, state, amount, order, delivery }: Occurrence) {
	/** Of the final states, only the last one that was emitted is kept. */
	const emitted = isKey(state, name);
	/** It was emitted with an order, whichever. */
	const ordered = orderedKey(state, name);
	/** It was emitted with this amount: what is paid by and by is news each time. */
	const withAmount = `amount ${state} ${amount} ${name}`;
	/** The payment was emitted for an order, whichever, and for this one. */
	const taken = `taken ${name}`;
	const own = `order ${order} ${name}`;
	/** There was a final state, whichever. */
	const final = `final ${name}`;
	const owner = `owner ${state} ${name} ${delivery}`;
	const said = [emitted, ...(amount === null ? [] : [withAmount])];
	const ofOrder = order === null ? [] : [ordered, taken, own];
	return { ...{ taken, own, final, owner, said, ordered }, left: [...said, ...ofOrder, owner] };
}

/**
 * A change of state, or another amount, is news once, and again when the very delivery that brought it
 * runs again, since its first run may have ended before the workflow did. Another word for the same
 * state is no change; going from one final state to the other is one. Pending is not emitted after a
 * final state. The order is news, too, if the state was emitted without one: a stranger may have called
 * first. One payment never counts for two orders.
 */
export async function isNews(store: ProcessedKeys, occurrence: Occurrence): Promise<Novelty> {
	const { name, state, order, delivery } = occurrence;
	const keys = keysOf(occurrence);
	// n8n's store is asked by recording, so what was recorded in asking is taken back where it is not so.
	return await store.alone(async () => {
		const asked = [...new Set([...keys.left, keys.final])];
		const known = await store.record(asked);
		const forget = async (wrong: readonly string[]) => {
			if (wrong.length > 0) await store.remove(wrong);
		};
		const isOwner = delivery !== '' && known.has(keys.owner);
		const isSaid = keys.said.every((key) => known.has(key));
		const isKnown = isSaid && (order === null || known.has(keys.ordered));
		const isOther = order !== null && known.has(keys.taken) && !known.has(keys.own);
		const isLate = state === 'pending' && known.has(keys.final);
		if (isOther || isLate || (isKnown && !isOwner)) {
			await forget(asked.filter((key) => !known.has(key)));
			return isOther ? 'otherOrder' : 'repeat';
		}
		if (!isFinal(state)) {
			await forget(known.has(keys.final) ? [] : [keys.final]);
		} else if (known.has(keys.final)) {
			// Also when it runs again: its first run may have ended before it came to this.
			const opposite = state === 'success' ? 'failed' : 'success';
			await forget([isKey(opposite, name), orderedKey(opposite, name)]);
		}
		return 'news';
	});
}
