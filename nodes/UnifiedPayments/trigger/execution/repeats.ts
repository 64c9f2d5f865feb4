import { isFinal, type State } from '../../payment/state';
import type { ProcessedKeys } from '../../transport/processedKeys';

/** The same for the same reference and status, whatever the payload around them looks like. */
export const eventKeyOf = (reference: string, status: string): string =>
	`${reference}:${status.trim().toLowerCase()}`;

interface Occurrence {
	reference: string;
	state: State;
	/** Names the order, where that is proven; null otherwise. */
	order: string | null;
	/** Names the delivery; empty when it has no name. */
	delivery: string;
}

/** Whether it is to be emitted; `otherOrder`: the same was emitted before, for another order. */
export type Claim = 'news' | 'repeat' | 'otherOrder';

/** Those who wait for the store, by its name. */
const waiting = new Map<string, Waiting[]>();

interface Waiting {
	occurrence: Occurrence;
	resolve(claim: Claim): void;
	reject(cause: unknown): void;
}

/**
 * A change of state is news once, and again when the very delivery that claimed it runs again, since
 * its first run may have ended before the workflow did. Another word for the same state is no change;
 * going from one final state to the other is one. Pending is not emitted after a final state.
 *
 * The order of a payment is news, too, if its state was emitted without one: where callbacks need no
 * token, a stranger may have called first. One payment never counts for two orders, whatever its state.
 */
export async function claim(store: ProcessedKeys, occurrence: Occurrence): Promise<Claim> {
	return await new Promise((resolve, reject) => {
		const others = waiting.get(store.name);
		const own: Waiting = { occurrence, resolve, reject };
		// n8n reads and writes the whole list each time, so all who wait go together.
		if (others === undefined) {
			waiting.set(store.name, [own]);
			void store.alone(async () => await claimWaiting(store)).catch(reject);
		} else {
			others.push(own);
		}
	});
}

async function claimWaiting(store: ProcessedKeys): Promise<void> {
	const all = waiting.get(store.name)!;
	waiting.delete(store.name);
	try {
		const claims = await claimAll(
			store,
			all.map(({ occurrence }) => occurrence),
		);
		all.forEach(({ resolve }, index) => resolve(claims[index]!));
	} catch (cause) {
		all.forEach(({ reject }) => reject(cause));
	}
}

const stateKeys = (state: State, reference: string) => ({
	/** Of the final states, only the last one that was emitted has its mark. */
	emitted: `is ${state} ${reference}`,
	/** Says that it was emitted with an order, whichever. */
	ordered: `ordered ${state} ${reference}`,
});

const keysOf = ({ reference, state, order, delivery }: Occurrence) => {
	const { emitted, ordered } = stateKeys(state, reference);
	/** Says that the payment was emitted for an order, whichever. */
	const taken = `taken ${reference}`;
	/** Says that it was emitted for this order. After the other one, so that it is not forgotten first. */
	const own = `order ${JSON.stringify([reference, order])}`;
	/** Says that there was a final state, whichever. */
	const final = `final ${reference}`;
	const owner = `owner ${state} ${reference} ${delivery}`;
	const ofOrder = order === null ? [] : [taken, own];
	const ofState = order === null ? [emitted] : [emitted, ordered];
	return {
		...{ emitted, ordered, taken, own, final, owner, ofOrder },
		/** What the state leaves behind: all of it is true once it is emitted. */
		left: [...ofState, ...ofOrder, owner],
		asked: [...ofState, ...ofOrder, owner, final],
		opposite: Object.values(stateKeys(state === 'success' ? 'failed' : 'success', reference)),
	};
};

async function claimAll(
	store: ProcessedKeys,
	occurrences: readonly Occurrence[],
): Promise<Claim[]> {
	const asked = new Set(occurrences.flatMap((occurrence) => keysOf(occurrence).asked));
	const marks = new Set(await store.record([...asked]));
	const dropped = new Set<string>();
	const claims = occurrences.map((occurrence) => decide(occurrence, marks, dropped));
	// The store can only be asked by recording, so what was recorded in asking is taken back.
	const wrong = [...new Set([...asked, ...dropped])].filter((key) => !marks.has(key));
	if (wrong.length > 0) await store.remove(wrong);
	return claims;
}

/** Whether it is news; if so, the marks are changed as if it were the only one. */
function decide(occurrence: Occurrence, marks: Set<string>, dropped: Set<string>): Claim {
	const { state, order, delivery } = occurrence;
	const keys = keysOf(occurrence);
	const { emitted, ordered, final, opposite } = keys;
	if (order !== null && marks.has(keys.taken) && !marks.has(keys.own)) return 'otherOrder';
	if (state === 'pending' && marks.has(final)) return 'repeat';
	const isOwner = delivery !== '' && marks.has(keys.owner);
	const isKnown = marks.has(emitted) && (order === null || marks.has(ordered));
	if (isKnown && !isOwner) return 'repeat';
	for (const key of keys.left) marks.add(key);
	if (!isFinal(state)) return 'news';
	// Also when it runs again: its first run may have ended before it came to this.
	if (marks.has(final)) {
		for (const key of opposite) {
			marks.delete(key);
			dropped.add(key);
		}
	}
	marks.add(final);
	return 'news';
}
