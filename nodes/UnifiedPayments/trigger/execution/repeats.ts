import { isFinal, type State } from '../../output/state';
import type { ProcessedKeys } from '../../transport/processedKeys';

/** The same for the same reference and status, whatever the payload around them looks like. */
export const eventKeyOf = (reference: string, status: string): string =>
	`${reference}:${status.trim().toLowerCase()}`;

interface Occurrence {
	reference: string;
	state: State;
	/** Names the delivery; empty when it has no name. */
	delivery: string;
}

/**
 * True when this change of state is to be emitted: once, and again when the very delivery that
 * claimed it runs again, since its first run may have ended before the workflow did. Another word for
 * the same state is no change; going from one final state to the other is one. Pending is not emitted
 * after a final state. What cannot be read may be anything, so it is never a repeat.
 */
export async function claim(store: ProcessedKeys, occurrence: Occurrence): Promise<boolean> {
	if (occurrence.state === 'other') return true;
	return await store.alone(async () => await claimAlone(store, occurrence));
}

async function claimAlone(
	store: ProcessedKeys,
	{ reference, state, delivery }: Occurrence,
): Promise<boolean> {
	/** Of the final states, only the last one that was emitted has its mark. */
	const current = `is ${state} ${reference}`;
	const owner = `owner ${state} ${reference} ${delivery}`;
	/** Says that there was a final state, whichever. */
	const final = `final ${reference}`;
	const keys = [current, owner, final];
	const seen = await store.record(keys);

	const isOwner = delivery !== '' && seen.has(owner);
	const isOutdated = state === 'pending' && seen.has(final);
	const isNew = !isOutdated && (!seen.has(current) || isOwner);
	// An old delivery that runs again says again what it said, and changes nothing.
	const isPast = isOwner && !seen.has(current);

	// The store can only be asked by recording, so what was recorded in asking is taken back.
	const wrong = keys.filter((key) => {
		if (seen.has(key)) return false;
		if (key === final) return !isFinal(state);
		return key === current ? !isNew || isPast : !isNew;
	});
	// Also when it runs again: its first run may have ended before it came to this.
	const isChange = isNew && !isPast && isFinal(state) && seen.has(final);
	if (isChange) wrong.push(`is ${state === 'success' ? 'failed' : 'success'} ${reference}`);
	if (wrong.length > 0) await store.remove(wrong);
	return isNew;
}
