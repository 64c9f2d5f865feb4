import type { NodeExecutionHint } from 'n8n-workflow';

import type { RunOptions } from '../../fields/options';
import { NotAttemptedError } from '../../transport/errors';
import type { AskedSoFar } from './askedSoFar';
import { moneyIn, notApproved, overTotal } from './batchLimits';
import { checkRows, type CheckRun } from './checkRows';
import type { Claims } from '../claims/claims';
import type { FinishedRows } from '../claims/finishedRows';
import { createHalt, runInLanes, type Halt } from '../lanes';
import { doubtSharedReplies, lookUpRows, type LookUpRun } from './lookUp';
import {
	isReady,
	isToSend,
	isUndecided,
	itemIn,
	outcomeOfRow,
	type ReadyRow,
	type Row,
	type RowResult,
} from '../row';
import { claimRows, dryResult, notSent, repeatResult, sendRow, type SendRun } from './sendRow';
import { wasSent, type SentRow } from './sentRow';
import { warning } from '../report/summary';
import { notesOn } from './notes';

interface CreateRun extends CheckRun, SendRun, LookUpRun {
	options: RunOptions;
	finished: FinishedRows;
	asked: AskedSoFar;
	/** Send nothing when a row is bad, and nothing more once one went wrong. */
	stopOnError: boolean;
	/** For what a user need not see, but an operator may want to. */
	warn: (line: string) => void;
	/** For what a user should see with the result. */
	hint: (hint: NodeExecutionHint) => void;
}

/** Checks every row; claims, sends and settles each once; and asks about what is still open. */
export async function runCreates(run: CreateRun): Promise<FinishedRow[]> {
	const rows = await checkRows(run);
	notesOn(rows.filter(isReady), run.currencyInHeading(), run.names).forEach((note) =>
		run.hint(warning(note)),
	);
	for (const row of rows) Object.assign(row, run.finished.get(row.place));
	const open = rows.filter(isUndecided);
	const first = open.filter(({ repeats }) => repeats === null);
	await holdBack(run, rows, first);
	for (const row of first) {
		if (isUndecided(row) && row.request.options.dryRun) row.result = dryResult(run.operation, row);
	}
	const toSend = first.filter(isUndecided);
	for (const row of toSend) run.asked.add(moneyIn(row));

	const halt = createHalt(run.stopOnError, run.signal);
	// A bad row may stop the run, and so may what an earlier try of it ended with.
	for (const row of rows) halt.after(row);
	await sendAll(run, halt, toSend, run.claims.claim);
	const notFound = await lookUpSent(run, rows, toSend.filter(wasSent));
	const again = notFound.filter(
		(row) => isSentAgain(row) && halt.reason(row.request.account) === null,
	);
	if (again.length > 0) {
		await sendAll(run, halt, again, run.claims.takeOver);
		await lookUpSent(run, rows, again);
	}
	for (const row of toSend) if (!isOfThisRun(row)) run.asked.subtract(moneyIn(row));
	for (const row of open) {
		const { repeats } = row;
		if (repeats?.result)
			row.result = repeatResult(run.operation, row, repeats.name, repeats.result);
	}
	return rows as FinishedRow[];
}

/** Whatever became of it. */
export type FinishedRow = Row & { result: RowResult };

/** A person looked up what no answer is on record of, and wants it to be sent unless the service has it. */
const isSentAgain = ({ claimResult, request, result }: SentRow): boolean =>
	claimResult === 'open' &&
	request.options.onDuplicate === 'sendUnanswered' &&
	outcomeOfRow(result) === 'unknown';

/** Whether this run has asked for its money. */
const isOfThisRun = ({ claimResult, result }: ReadyRow): boolean =>
	isToSend(claimResult) &&
	result !== null &&
	['accepted', 'unknown'].includes(outcomeOfRow(result));

/** Ends all rows at once when an approval or a limit stands against them, or cannot be read. */
async function holdBack(
	run: CreateRun,
	rows: readonly Row[],
	open: readonly ReadyRow[],
): Promise<void> {
	const unreadable = rows.find(({ isUnguarded }) => isUnguarded);
	if (unreadable !== undefined) {
		const error = notSent(`of ${unreadable.name}, whose options cannot be read`);
		for (const row of open) row.result = { error };
		return;
	}
	const valid = rows.filter(isReady).filter(({ repeats }) => repeats === null);
	const refusal = (await notApproved(run, valid)) ?? (await overTotalOf(run, open));
	if (refusal === null) return;
	const { message, description } = refusal.error;
	const toBlame = open.includes(refusal.row) ? refusal.row : open[0];
	for (const row of open) {
		const error = row === toBlame ? refusal.error : new NotAttemptedError(message, description);
		row.result = { error, dryRun: row.request.options.dryRun };
	}
}

/** What was sent before is not sent again; that has to be looked up, so it is only where it matters. */
async function overTotalOf({ options, asked, claims }: CreateRun, rows: readonly ReadyRow[]) {
	const { maxTotal } = options;
	if (overTotal(maxTotal, rows, asked) === null) return null;
	const compared = rows.filter(({ request }) => request.isCompared);
	const known = await claims
		.known(compared.map(({ request }) => request.key))
		.catch(() => new Set<object>());
	return overTotal(
		maxTotal,
		rows.filter(({ request }) => !known.has(request.key) || isAskedAgain(request)),
		asked,
	);
}

const isAskedAgain = ({ options }: ReadyRow['request']): boolean =>
	options.onDuplicate === 'sendUnanswered';

async function sendAll(
	run: CreateRun,
	halt: Halt,
	rows: readonly ReadyRow[],
	take: Claims['claim'],
): Promise<void> {
	const { finished, claims, lanes, pacer, warn } = run;
	if (rows.length === 0) return;
	await runInLanes({
		rows,
		lanes,
		ahead: claims.ahead,
		claim: async (chunk: readonly ReadyRow[]) => await claimRows(claims, take, chunk, halt),
		async turn({ claimResult, request }) {
			if (!isToSend(claimResult) || halt.reason(request.account) !== null) return;
			// Waiting for a turn ends with a rejection when the execution is cancelled.
			await pacer.turn().catch(() => undefined);
		},
		async send(row) {
			row.result = await sendRow(run, row, halt);
			finished.set(row);
			await record(async () => await claims.flush('due'), warn);
			halt.after(row);
		},
	});
	await record(async () => await claims.flush(), warn);
	await record(async () => await claims.trim(rows.length), warn);
}

/**
 * Asks about the rows whose answer or link is missing. Gives those about which the service could be
 * asked, and of which it shows nothing.
 */
async function lookUpSent(
	run: CreateRun,
	all: readonly Row[],
	sent: readonly SentRow[],
): Promise<SentRow[]> {
	for (const row of doubtSharedReplies(run, all)) run.finished.set(row);
	const isMissing = ({ result }: SentRow) =>
		outcomeOfRow(result) === 'unknown' || itemIn(result).link === null;
	if (run.signal.aborted || !sent.some(isMissing)) return [];
	const found = await lookUpRows(run, sent, all.filter(isReady).filter(wasSent));
	for (const { row, result } of found) row.result = result;
	for (const row of [...sent, ...doubtSharedReplies(run, all)]) run.finished.set(row);
	await record(async () => await run.claims.flush(), run.warn);
	return found.flatMap(({ row, is }) => (is === 'notFound' ? [row] : []));
}

/** What cannot be written now is written with the next claim; until then the claims stay as they are. */
async function record(write: () => Promise<void>, warn: (line: string) => void): Promise<void> {
	try {
		await write();
	} catch (error) {
		warn(`Could not record what became of some rows: ${(error as Error).message}`);
	}
}
