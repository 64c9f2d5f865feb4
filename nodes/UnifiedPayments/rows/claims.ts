import type { ProcessedKeys } from '../transport/processedKeys';

/**
 * `mine`: nobody claimed the key before, so its row may be sent. `answered`: an earlier run sent it
 * and has the answer. `unanswered`: an earlier run claimed it and no answer was recorded; it was
 * interrupted, the answer could not be trusted, or it is sending right now.
 */
export type Claim = 'mine' | 'answered' | 'unanswered';

/** What became of a claim that was `mine`. One without an answer is not settled. */
export type Settlement = [key: string, end: 'answered' | 'released'];

export interface Claims {
	claim(keys: readonly string[]): Promise<Claim[]>;
	settle(settlements: readonly Settlement[]): Promise<void>;
}

/** How many keys of a node are kept at least. */
const LEAST_ENTRIES = 50_000;
/** The row itself, and the mark that it is under way. */
const ENTRIES_A_ROW = 2;

/** Whatever its length, no run forgets its own rows. */
export const entriesFor = (rows: number): number => Math.max(LEAST_ENTRIES, ENTRIES_A_ROW * rows);

/** Recorded together with the key of a row that is under way, until its answer is known. */
const underWay = (key: string) => `${key} under way`;

/**
 * Claims rows before they are sent. The store can only be read by writing to it, so the order of
 * the writes decides what an interruption leaves behind: always "unanswered", never "answered" for
 * a row without an answer, and never nothing for a row that may have been sent.
 */
export function createClaims(store: ProcessedKeys): Claims {
	return {
		async claim(keys) {
			return await store.alone(async () => {
				const before = await store.record([...keys, ...keys.map(underWay)]);
				const claims = keys.map((key): Claim => {
					if (before.has(underWay(key))) return 'unanswered';
					return before.has(key) ? 'answered' : 'mine';
				});
				// Recorded just now by asking, though nothing is under way for these.
				const asked = keys.filter((_, index) => claims[index] === 'answered');
				if (asked.length > 0) await store.remove(asked.map(underWay));
				return claims;
			});
		},

		async settle(settlements) {
			const gone = settlements.flatMap(([key, end]) =>
				end === 'released' ? [key, underWay(key)] : [underWay(key)],
			);
			if (gone.length > 0) await store.alone(async () => await store.remove(gone));
		},
	};
}
