import type { State } from '../../output/state';
import type { Json } from '../../protocol/parse';
import type { ProcessedKeys } from '../../transport/processedKeys';
import { isFinal } from './confirm';

/** The same for the same reference and status, whatever the payload around them looks like. */
export function eventKeyOf(reference: string, transaction: Json): string {
	const { status, state } = transaction;
	const word =
		typeof status === 'string' || typeof status === 'number' ? String(status).trim() : '';
	return `${reference}:${(word === '' ? String(state) : word).toLowerCase()}`;
}

interface Occurrence {
	eventKey: string;
	reference: string;
	state: State;
	/** Names the delivery; empty when it has no name. */
	delivery: string;
}

/**
 * True when this event is to be emitted: the first time, and again when the very delivery that
 * claimed it runs again, since its first run may have ended before the workflow did. A state that is
 * not final is not emitted after a final one of the same transaction.
 */
export async function claim(store: ProcessedKeys, occurrence: Occurrence): Promise<boolean> {
	return await store.alone(async () => await claimAlone(store, occurrence));
}

async function claimAlone(
	store: ProcessedKeys,
	{ eventKey, reference, state, delivery }: Occurrence,
): Promise<boolean> {
	const event = `event ${eventKey}`;
	const owner = `owner ${eventKey} ${delivery}`;
	const final = `final ${reference}`;
	const watchesFinal = isFinal(state) || state === 'pending';
	const keys = [event, owner, ...(watchesFinal ? [final] : [])];
	const seen = await store.record(keys);

	const isOutdated = state === 'pending' && seen.has(final);
	const isOwner = delivery !== '' && seen.has(owner);
	const isNew = !isOutdated && (!seen.has(event) || isOwner);

	// The store can only be asked by recording, so what was recorded in asking is taken back.
	const wrong = keys.filter((key) => {
		if (seen.has(key)) return false;
		return key === final ? !isFinal(state) : !isNew;
	});
	if (wrong.length > 0) await store.remove(wrong);
	return isNew;
}
