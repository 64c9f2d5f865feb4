import { checkRows, isReady, type CheckRun, type ReadyRow } from './checkRows';
import { claimRows, settleRows, type Claims } from './claims';
import type { FinishedRows } from './finishedRows';
import { runInLanes } from './lanes';
import { createHalt } from './pacer';
import { outcomeOfRow, type RowResult } from './result';
import { sendRow, skipRow, type SendRun } from './sendRow';

export interface CreateRun extends CheckRun, SendRun {
	lanes: number;
	finished: FinishedRows;
	claims: Claims;
	/** Send nothing when a row is bad, and nothing more once one went wrong. */
	stopOnError: boolean;
	/** Told the outcome of each row that was to be sent, as it ends. */
	progress: (total: number) => (outcome: string) => void;
	/** For what a user need not see, but an operator may want to. */
	warn: (line: string) => void;
}

/** Checks every row, then claims, sends and settles each once, and keeps the order of the rows. */
export async function runCreates(run: CreateRun): Promise<RowResult[]> {
	const { operation, finished, claims, lanes, warn } = run;
	const checked = await checkRows(run);
	const results = Array.from({ length: run.count }, (_, row) =>
		skipRow(operation, finished, checked[row], row),
	);

	const halt = createHalt(run.stopOnError, run.cancelled);
	const isBad = checked.some((each) => !isReady(each) && !each.dryRun);
	if (run.stopOnError && isBad) halt.because('another row is bad');
	// What an earlier try of this run ended with may stop it as it did then.
	else results.forEach((result, row) => result && halt.after(row, result));

	const rows = results.flatMap((result, row) => (result ? [] : [row]));
	const ready = (chunk: readonly number[]) => chunk.map((row) => checked[row] as ReadyRow);
	const tell = run.progress(rows.length);
	const sent = await runInLanes({
		rows,
		lanes,
		claim: async (chunk: readonly number[]) => await claimRows(claims, ready(chunk), halt),
		async send(row, permission) {
			const each = checked[row] as ReadyRow;
			const result = await sendRow(run, each, permission, halt);
			finished.set(row, each.fingerprint, result);
			halt.after(row, result);
			tell(outcomeOfRow(result));
			return result;
		},
		settle: async (chunk, permissions, ended: readonly RowResult[]) =>
			await settleRows(claims, ready(chunk), permissions, ended, warn),
	});
	rows.forEach((row, index) => (results[row] = sent[index]));
	return results as RowResult[];
}
