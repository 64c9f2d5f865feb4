import type { NodeExecutionHint } from 'n8n-workflow';

import type { RunOptions } from '../../fields/options';
import { NotAttemptedError } from '../../transport/errors';
import type { AskedSoFar } from './askedSoFar';
import { moneyIn, notApproved, overTotal } from './batchLimits';
import { checkRows, type CheckRun } from './checkRows';
import type { Claims } from '../claims/claims';
import type { FinishedRows } from '../claims/finishedRows';
import { createHalt, runInLanes, type Halt } from '../lanes';
import { doubtSharedReplies, lookUpRows, type LookedUp, type LookUpRun } from './lookUp';
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
import { isSentAgain, isWantedAgain, type SentRow } from './sentRow';
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
	const earlier = sentByEarlierTry(run, rows);
	const known = new Map<Row, RowResult>(earlier.map(({ row, result }) => [row, result]));
	const open = rows.filter(isUndecided).filter((row) => !known.has(row));
	const first = open.filter(({ repeats }) => repeats === null);
	await holdBack(run, rows, first);
	for (const row of first) {
		if (isUndecided(row) && row.request.options.dryRun) row.result = dryResult(run.operation, row);
	}
	const toSend = first.filter(isUndecided);
	for (const row of toSend) run.asked.add(moneyIn(row));

	const halt = createHalt(run.stopOnError, run.signal);
	// A bad row may stop the run, and so may what an earlier try of it ended with.
	for (const row of rows) halt.after(row, row.result ?? known.get(row) ?? null);
	const sent = await sendAll(run, halt, toSend, run.claims.claim);
	let all = await lookUpSent(run, sent, earlier);
	const again = new Set(
		all
			.filter((each) => each.is === 'notFound' && isSentAgain(each))
			.map(({ row }) => row)
			.filter(({ request }) => halt.reason(request.account) === null),
	);
	if (again.size > 0) {
		const others = all.filter(({ row }) => !again.has(row));
		all = await lookUpSent(run, await sendAll(run, halt, [...again], run.claims.takeOver), others);
	}
	for (const { row, result } of all) row.result = result;
	for (const row of toSend) if (!isOfThisRun(row)) run.asked.subtract(moneyIn(row));
	for (const row of open) {
		const { repeats } = row;
		if (repeats?.result)
			row.result = repeatResult(run.operation, row, repeats.name, repeats.result);
	}
	return rows as FinishedRow[];
}

/** Whatever became of it. */
type FinishedRow = Row & { result: RowResult };

/** Rows of which an earlier try of this run knows what became of them, whatever they are now. */
function sentByEarlierTry({ finished }: CreateRun, rows: readonly Row[]): SentRow[] {
	return rows.flatMap((row) => {
		const known = finished.get(row.place);
		if (known === undefined) return [];
		row.claim = known.claim;
		if (isReady(row)) return [{ row, result: known.result }];
		row.result = known.result;
		return [];
	});
}

/** Whether this run has asked for its money. */
const isOfThisRun = ({ claim, result }: ReadyRow): boolean =>
	isToSend(claim) && result !== null && ['accepted', 'unknown'].includes(outcomeOfRow(result));

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
		.known(compared.map(({ request }) => request.payment.key))
		.catch(() => new Set<object>());
	return overTotal(
		maxTotal,
		rows.filter(({ request }) => !known.has(request.payment.key) || isWantedAgain(request)),
		asked,
	);
}

async function sendAll(
	run: CreateRun,
	halt: Halt,
	rows: readonly ReadyRow[],
	take: Claims['claim'],
): Promise<SentRow[]> {
	const { finished, claims, lanes, pacer, warn } = run;
	const results = new Map<ReadyRow, RowResult>();
	if (rows.length === 0) return [];
	await runInLanes({
		rows,
		lanes,
		ahead: claims.ahead,
		claim: async (chunk: readonly ReadyRow[]) => await claimRows(claims, take, chunk, halt),
		async turn({ claim, request }) {
			if (!isToSend(claim) || halt.reason(request.account) !== null) return;
			// Waiting for a turn ends with a rejection when the execution is cancelled.
			await pacer.turn().catch(() => undefined);
		},
		async send(row) {
			const result = await sendRow(run, row, halt);
			results.set(row, result);
			finished.set(row, result);
			await record(async () => await claims.flush('due'), warn);
			halt.after(row, result);
		},
	});
	await record(async () => await claims.flush(), warn);
	await record(async () => await claims.trim(rows.length), warn);
	return rows.map((row) => ({ row, result: results.get(row)! }));
}

/** Asks about the rows whose answer or link is missing. Gives what is known of all of them by then. */
async function lookUpSent(
	run: CreateRun,
	sent: readonly SentRow[],
	/** Sent before these. */
	others: readonly SentRow[],
): Promise<Array<SentRow & Partial<LookedUp>>> {
	const all = doubtSharedReplies(run, [...others, ...sent]);
	for (const { row, result } of all) run.finished.set(row, result);
	const asked = all.slice(others.length);
	const isMissing = ({ result }: SentRow) =>
		outcomeOfRow(result) === 'unknown' || itemIn(result).link === null;
	if (run.signal.aborted || !asked.some(isMissing)) return all;
	const found = await lookUpRows(run, asked, all);
	const known = doubtSharedReplies(run, [...all.slice(0, others.length), ...found]);
	for (const { row, result } of known) run.finished.set(row, result);
	await record(async () => await run.claims.flush(), run.warn);
	return known;
}

/** What cannot be written now is written with the next claim; until then the claims stay as they are. */
async function record(write: () => Promise<void>, warn: (line: string) => void): Promise<void> {
	try {
		await write();
	} catch (error) {
		warn(`Could not record what became of some rows: ${(error as Error).message}`);
	}
}
