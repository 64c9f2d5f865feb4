import type { ReadyRow } from './checkRows';
import type { Permission } from './claimRows';
import type { Claims, Settlement } from './claims';
import { outcomeOfRow, type RowResult } from './result';

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
