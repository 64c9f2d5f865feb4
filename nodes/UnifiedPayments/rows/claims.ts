import { NotSentError } from '../transport/errors';
import type { ProcessedKeys } from '../transport/processedKeys';
import type { ReadyRow } from './checkRows';
import type { Halt } from './pacer';
import { outcomeOfRow, type RowResult } from './result';

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

/** Whether a row may be sent: by its claim; `free` when it needs none, or when nothing is sent. */
export type Permission = Claim | 'free' | { error: unknown };

/** Writes down that these rows are about to be sent, so that no later run sends them again. */
export async function claimRows(
	claims: Claims,
	rows: readonly ReadyRow[],
	halt: Halt,
): Promise<Permission[]> {
	const wanted = rows.flatMap(({ identity }) => (identity === null ? [] : [identity]));
	if (wanted.length === 0 || halt.reason() !== null) return rows.map(() => 'free');
	try {
		const given = await claims.claim(wanted);
		const claimOf = new Map(wanted.map((identity, index) => [identity, given[index]!]));
		return rows.map(({ identity }) => (identity === null ? 'free' : claimOf.get(identity)!));
	} catch (error) {
		return rows.map(({ identity }) =>
			identity === null ? 'free' : { error: notRecorded(error as Error) },
		);
	}
}

const notRecorded = ({ message }: Error) =>
	new NotSentError(
		`Not sent, because the row could not be recorded as being sent: ${message}`,
		"Without that record it could be sent twice. Check n8n's database and that the workflow is saved, or turn off 'Duplicate Protection' in the options.",
	);

/** Writes down what became of the rows that were claimed and sent. */
export async function settleRows(
	claims: Claims,
	rows: readonly ReadyRow[],
	permissions: readonly Permission[],
	results: readonly RowResult[],
	warn: (line: string) => void,
): Promise<void> {
	const settlements = rows.flatMap(({ identity }, index): Settlement[] => {
		if (identity === null || permissions[index] !== 'mine') return [];
		const outcome = outcomeOfRow(results[index]!);
		// Without an answer the claim stays as it is: nobody may send the row again unasked.
		if (outcome === 'unknown') return [];
		return [[identity, outcome === 'accepted' ? 'answered' : 'released']];
	});
	try {
		await claims.settle(settlements);
	} catch (error) {
		// The claims then stay as they are, which is the safe side.
		const { message } = error as Error;
		warn(`What became of ${settlements.length} rows could not be recorded: ${message}`);
	}
}
