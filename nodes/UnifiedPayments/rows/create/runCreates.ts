import type { NodeExecutionHint } from 'n8n-workflow';

import type { CreateOperation } from '../operation';
import type { RunOptions } from '../../fields/options';
import { isCarried, LONGEST_SAFE_URL } from '../../payment/mark';
import { NotAttemptedError } from '../../transport/errors';
import { checkBatch } from './batchLimits';
import { checkRows, isUnreadableGuard, type CheckRun } from './checkRows';
import { createFirstAlone } from './firstAlone';
import type { FinishedRows } from '../claims/finishedRows';
import { createHalt, runInLanes } from '../lanes';
import { doubtSharedReplies, lookUpRows, type LookUpRun } from './lookUp';
import {
	isOpen,
	isReady,
	isToSend,
	itemIn,
	outcomeOfRow,
	type ReadyRow,
	type Row,
	type RowResult,
} from '../row';
import {
	claimRows,
	dryResult,
	notAskedResult,
	notSent,
	peekRows,
	repeatResult,
	sendRow,
	type SendRun,
} from './sendRow';
import { mayHaveArrived, wasSent, type SentRow } from './sentRow';
import type { SentBefore } from '../claims/sentBefore';
import { rowHints, type RowNote } from '../report/summary';

interface CreateRun extends CheckRun, SendRun, LookUpRun {
	options: RunOptions;
	finished: FinishedRows;
	/** Send nothing when a row is bad, and nothing more once one went wrong. */
	stopOnError: boolean;
	/** Where the checks of this workflow look; null when it has none. */
	sentBefore: SentBefore | null;
	/** Told the outcome of each row that was to be sent, as it ends. */
	progress: (total: number) => (outcome: string) => void;
	/** For what a user need not see, but an operator may want to. */
	warn: (line: string) => void;
	/** For what a user should see with the result. */
	hint: (hint: NodeExecutionHint) => void;
}

/** Checks every row; claims, sends and settles each once; and asks about what is still open. */
export async function runCreates(run: CreateRun): Promise<RowResult[]> {
	const rows = await checkRows(run);
	tellAboutRows(run, rows);
	for (const row of rows) Object.assign(row, run.finished.get(row.place));
	const open = rows.filter(isOpen);
	const first = open.filter(({ repeats }) => repeats === null);
	await holdBack(run, rows, first);
	await checkDry(run, first);
	await lookUpUnanswered(run, first);
	const sent = await sendAll(run, rows, first);
	for (const row of doubtSharedReplies(run, rows)) run.finished.set(row);
	await lookUpSent(run, rows, sent);
	await tellChecks(run, first);
	for (const row of open) {
		const { repeats } = row;
		if (repeats?.result)
			row.result = repeatResult(run.operation, row, repeats.name, repeats.result);
	}
	return rows.map(({ result }) => result!);
}

function tellAboutRows({ operation, names, hint }: CreateRun, rows: readonly Row[]): void {
	const notes = rows
		.filter(isReady)
		.map((row) => ({ row: row.place, note: callbackNote(operation, row) }));
	rowHints(notes, names).forEach(hint);
}

/** Why payments may not find their order, if there is a reason. */
function callbackNote({ lookUp }: CreateOperation, { request }: ReadyRow): RowNote | null {
	const { params, payment } = request.prepared;
	const { callback_url: url } = params;
	const { orderReference: order } = payment;
	if (typeof url !== 'string') {
		// The service is given the order of a collection by a field of its own.
		return order !== null && lookUp === 'list' ? 'noUrl' : null;
	}
	if (request.isMarked && order !== null && !isCarried(order)) return 'notCarried';
	return url.length > LONGEST_SAFE_URL ? 'tooLong' : null;
}

/** Ends all rows at once when an approval or a limit stands against them, or cannot be read. */
async function holdBack(
	run: CreateRun,
	rows: readonly Row[],
	open: readonly ReadyRow[],
): Promise<void> {
	const unreadable = rows.find(isUnreadableGuard);
	if (unreadable !== undefined) {
		const error = notSent(`of ${unreadable.name}, whose options cannot be read`);
		for (const row of open) row.result = { error };
		return;
	}
	const batch = rows.filter(isReady).filter(({ repeats }) => repeats === null);
	const refusal = await checkBatch(run, batch);
	if (refusal === null) return;
	const { message, description } = refusal.error;
	const toBlame = open.includes(refusal.row) ? refusal.row : open[0];
	for (const row of open) {
		const error = row === toBlame ? refusal.error : new NotAttemptedError(message, description);
		row.result = { error, dryRun: row.request.options.dryRun };
	}
}

/** Says of the rows of a dry run what earlier runs did with them. */
async function checkDry(run: CreateRun, rows: readonly ReadyRow[]): Promise<void> {
	const dry = rows.filter((row) => isOpen(row) && row.request.options.dryRun);
	const claimResults = await peekRows(run, dry).catch(({ message }: Error) => {
		run.warn(`Could not look up what earlier runs sent: ${message}`);
		return [];
	});
	for (const [index, row] of dry.entries())
		row.result = dryResult(run.operation, row, claimResults[index] ?? 'free');
}

/** Rows that are to be sent again: not those that the service has, or could not be asked about. */
async function lookUpUnanswered(run: CreateRun, rows: readonly ReadyRow[]): Promise<void> {
	const again = rows.filter(
		(row) => isOpen(row) && row.request.options.onDuplicate === 'sendUnanswered',
	);
	const claimResults = await peekRows(run, again, () => false).catch(() => null);
	// What cannot be looked up cannot be claimed either, and is not sent.
	if (claimResults === null) return;
	for (const [index, row] of again.entries()) {
		row.claimResult = claimResults[index] ?? 'doubtful';
		row.result = dryResult(run.operation, row, row.claimResult);
		if (row.claimResult === 'unansweredWithOtherValues') {
			// What was sent then has other values: whether it was taken cannot be asked by these.
			row.result = notAskedResult(run.operation, row, 'notAsked');
		} else if (!wasSent(row) || !mayHaveArrived(row)) {
			sendAgain(row);
		}
	}
	const asked = again.filter(wasSent).filter(mayHaveArrived);
	for (const { row, result, is } of await lookUpRows(run, asked)) {
		if (is === 'notFound') sendAgain(row);
		else row.result = result === row.result ? notAskedResult(run.operation, row, is) : result;
	}
	// Nothing more may be sent by this run, so that nothing else would write it down.
	await record(async () => await run.claims.flush(), run.warn);
}

function sendAgain(row: ReadyRow): void {
	row.isAbsent = row.claimResult === 'unanswered';
	row.claimResult = 'free';
	row.result = null;
}

/** Asks about the rows of this run whose answer or link is missing. */
async function lookUpSent(
	run: CreateRun,
	all: readonly Row[],
	sent: readonly SentRow[],
): Promise<void> {
	const isMissing = ({ result }: SentRow) =>
		outcomeOfRow(result) === 'unknown' || itemIn(result).link === null;
	if (run.signal.aborted || !sent.some(isMissing)) return;
	const found = await lookUpRows(run, sent, all.filter(isReady).filter(wasSent));
	for (const { row, result } of found) row.result = result;
	const doubted = doubtSharedReplies(run, all);
	for (const row of [...sent, ...doubted]) run.finished.set(row);
	await record(async () => await run.claims.flush(), run.warn);
}

/** For the checks of this workflow, which cannot see the claims of this node. */
async function tellChecks(
	{ sentBefore, warn }: CreateRun,
	rows: readonly ReadyRow[],
): Promise<void> {
	if (sentBefore === null) return;
	await record(async () => await sentBefore.tell(rows.filter(wasSent)), warn);
}

async function sendAll(
	run: CreateRun,
	all: readonly Row[],
	first: readonly ReadyRow[],
): Promise<SentRow[]> {
	const { finished, claims, lanes, pacer, warn } = run;
	const halt = createHalt(run.stopOnError, run.signal);
	const firstAlone = createFirstAlone(run.operation);
	// A bad row may stop the run, and so may what an earlier try of it ended with.
	for (const row of all) {
		halt.after(row);
		firstAlone.after(row);
	}

	const rows = first.filter(isOpen);
	if (rows.length === 0) return [];
	const tell = run.progress(rows.length);
	await runInLanes({
		rows,
		lanes,
		ahead: claims.ahead,
		claim: async (chunk: readonly ReadyRow[]) => await claimRows(claims, chunk, halt),
		async turn({ claimResult, request }) {
			if (!isToSend(claimResult) || halt.reason(request.account) !== null) return;
			// Waiting for a turn ends with a rejection when the execution is cancelled.
			await pacer.turn().catch(() => undefined);
		},
		async send(row) {
			const send = async (refusal: NotAttemptedError | null) =>
				await sendRow(run, row, halt, refusal);
			const result = await firstAlone.run(row, send);
			row.result = result;
			finished.set(row);
			await record(async () => await claims.flush('due'), warn);
			halt.after(row);
			tell(outcomeOfRow(result));
		},
	});
	await record(async () => await claims.flush(), warn);
	await record(async () => await claims.trim(rows.length), warn);
	return rows.filter(wasSent);
}

/** What cannot be written now is written with the next claim; until then the claims stay as they are. */
async function record(write: () => Promise<void>, warn: (line: string) => void): Promise<void> {
	try {
		await write();
	} catch (error) {
		warn(`Could not record what became of some rows: ${(error as Error).message}`);
	}
}
