import { isFinal, type State } from '../../payment/state';
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

/** Those who wait for the store, by its name. */
const waiting = new Map<string, Waiting[]>();

interface Waiting {
	occurrence: Occurrence;
	resolve(isNews: boolean): void;
	reject(cause: unknown): void;
}

/**
 * True when this change of state is to be emitted: once, and again when the very delivery that
 * claimed it runs again, since its first run may have ended before the workflow did. Another word for
 * the same state is no change; going from one final state to the other is one. Pending is not emitted
 * after a final state. What cannot be read may be anything, so it is never a repeat.
 */
export async function claim(store: ProcessedKeys, occurrence: Occurrence): Promise<boolean> {
	if (occurrence.state === 'other') return true;
	return await new Promise((resolve, reject) => {
		const others = waiting.get(store.name);
		const own: Waiting = { occurrence, resolve, reject };
		// The host reads and writes the whole list each time, so all who wait go together.
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
		const news = await claimAll(
			store,
			all.map(({ occurrence }) => occurrence),
		);
		all.forEach(({ resolve }, index) => resolve(news[index]!));
	} catch (cause) {
		all.forEach(({ reject }) => reject(cause));
	}
}

const keysOf = ({ reference, state, delivery }: Occurrence) => ({
	/** Of the final states, only the last one that was emitted has its mark. */
	current: `is ${state} ${reference}`,
	owner: `owner ${state} ${reference} ${delivery}`,
	/** Says that there was a final state, whichever. */
	final: `final ${reference}`,
	opposite: `is ${state === 'success' ? 'failed' : 'success'} ${reference}`,
});

async function claimAll(
	store: ProcessedKeys,
	occurrences: readonly Occurrence[],
): Promise<boolean[]> {
	const asked = new Set(
		occurrences.map(keysOf).flatMap(({ current, owner, final }) => [current, owner, final]),
	);
	const marks = new Set(await store.record([...asked]));
	const dropped = new Set<string>();
	const news = occurrences.map((occurrence) => decide(occurrence, marks, dropped));
	// The store can only be asked by recording, so what was recorded in asking is taken back.
	const wrong = [...new Set([...asked, ...dropped])].filter((key) => !marks.has(key));
	if (wrong.length > 0) await store.remove(wrong);
	return news;
}

/** Whether it is news; if so, the marks are changed as if it were the only one. */
function decide(occurrence: Occurrence, marks: Set<string>, dropped: Set<string>): boolean {
	const { state, delivery } = occurrence;
	const { current, owner, final, opposite } = keysOf(occurrence);
	const isOwner = delivery !== '' && marks.has(owner);
	if (state === 'pending' && marks.has(final)) return false;
	if (marks.has(current) && !isOwner) return false;
	// An old delivery that runs again says again what it said, and changes nothing.
	if (isOwner && !marks.has(current)) return true;
	marks.add(current).add(owner);
	if (!isFinal(state)) return true;
	// Also when it runs again: its first run may have ended before it came to this.
	if (marks.has(final)) {
		marks.delete(opposite);
		dropped.add(opposite);
	}
	marks.add(final);
	return true;
}
