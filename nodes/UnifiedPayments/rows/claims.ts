/** Keeps keys over restarts. Neither call is atomic: the claims see to it that none overlap. */
export interface ClaimStore {
	/** Records keys, all in one write, and gives back those that were there before. */
	record(keys: readonly string[]): Promise<ReadonlySet<string>>;
	remove(keys: readonly string[]): Promise<void>;
	/** Runs work that no other user of this store in this process may interrupt. */
	alone<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * `mine`: nobody claimed the key before, so its row may be sent. `answered`: an earlier run sent it
 * and has the answer. `unanswered`: an earlier run claimed it and no answer was recorded; it was
 * interrupted, the answer could not be trusted, or it is sending right now.
 */
export type Claim = 'mine' | 'answered' | 'unanswered';

export interface Claims {
	claim(keys: readonly string[]): Promise<Claim[]>;
	/** What became of claims that are `mine`: `kept` without an answer need not be told. */
	settle(ends: ReadonlyArray<[key: string, end: 'answered' | 'released']>): Promise<void>;
}

/** Beside the key of each row that is under way stands this mark, until its answer is known. */
const underWay = (key: string) => `${key} under way`;

/**
 * Claims rows before they are sent. The store can only be read by writing to it, so the order of
 * the writes decides what an interruption leaves behind: always "unanswered", never "answered" for
 * a row without an answer, and never nothing for a row that may have been sent.
 */
export function createClaims(store: ClaimStore): Claims {
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

		async settle(ends) {
			const gone = ends.flatMap(([key, end]) =>
				end === 'released' ? [key, underWay(key)] : [underWay(key)],
			);
			if (gone.length > 0) await store.alone(async () => await store.remove(gone));
		},
	};
}
