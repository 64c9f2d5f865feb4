import type { NodeExecutionHint } from 'n8n-workflow';

import type { CreateOperation } from '../actions/operation';
import { BystanderError } from '../transport/errors';
import { isCarried, LONGEST_SAFE_URL } from '../payment/mark';
import { checkRows, isReady, type CheckedRow, type CheckRun, type ReadyRow } from './checkRows';
import { claimRows, peekRows, settleRow, type Permission } from './claimRows';
import type { FinishedRows } from './finishedRows';
import { refusalOf } from './gate';
import { runInLanes } from './lanes';
import { lookUpRows, type LookUpRun, type SentRow } from './lookUp';
import { createHalt } from './pacer';
import { outcomeOfRow, type RowResult } from './result';
import type { SentBefore } from './sentBefore';
import { callbackHints, type CallbackNote } from './summary';
import {
	dryResult,
	isToSend,
	notAskedResult,
	repeatResult,
	sendRow,
	skipRow,
	type SendRun,
} from './sendRow';

interface CreateRun extends CheckRun, SendRun, LookUpRun {
	finished: FinishedRows;
	/** Send nothing when a row is bad, and nothing more once one went wrong. */
	stopOnError: boolean;
	/** How many rows are claimed ahead; two for each lane unless told. */
	ahead?: number;
	/** Where the checks of this workflow look; null when it has none. */
	sentBefore: SentBefore | null;
	/** Told the outcome of each row that was to be sent, as it ends. */
	progress: (total: number) => (outcome: string) => void;
	/** For what a user need not see, but an operator may want to. */
	warn: (line: string) => void;
	/** For what a user should see with the result. */
	hint: (hint: NodeExecutionHint) => void;
}

type Results = Array<RowResult | undefined>;

/** Checks every row; claims, sends and settles each once; and asks about what is still open. */
export async function runCreates(run: CreateRun): Promise<RowResult[]> {
	const checked = await checkRows(run);
	tellAboutCallbacks(run, checked);
	const results: Results = Array.from({ length: run.count }, (_, row) =>
		skipRow(run.finished, checked[row], row),
	);
	const open = results.flatMap((result, row) => (result ? [] : [row]));
	const first = open.filter((row) => ready(checked, row).repeats === null);
	await holdBack(run, checked, first, results);
	await checkDry(run, checked, first, results);
	await lookUpUnanswered(run, checked, first, results);
	const permissions = await sendAll(run, checked, first, results);
	await lookUpSent(run, checked, permissions, results);
	await tellChecks(run, checked, first, results);
	for (const row of open) {
		const each = ready(checked, row);
		if (each.repeats === null) continue;
		results[row] = repeatResult(run, each, results[each.repeats]!);
	}
	return results as RowResult[];
}

function tellAboutCallbacks(
	{ operation, names, hint }: CreateRun,
	checked: readonly CheckedRow[],
): void {
	const notes = checked.flatMap((each, row) => {
		const note = isReady(each) ? callbackNote(operation, each) : null;
		return note === null ? [] : [{ row, note }];
	});
	if (notes.length > 0) callbackHints(notes, names).forEach(hint);
}

/** Why payments may not find their order, if there is a reason. */
function callbackNote({ lookUp }: CreateOperation, row: ReadyRow): CallbackNote | null {
	const { params, payment } = row.prepared;
	const { callback_url: url } = params;
	const { orderReference: order } = payment;
	if (typeof url !== 'string') {
		// The service is given the order of a collection by a field of its own.
		return order !== null && lookUp === 'list' ? 'noUrl' : null;
	}
	if (row.isMarked && order !== null && !isCarried(order)) return 'notCarried';
	return url.length > LONGEST_SAFE_URL ? 'tooLong' : null;
}

/** Ends all rows at once when an approval or a limit stands against them. */
async function holdBack(
	run: CreateRun,
	checked: readonly CheckedRow[],
	open: readonly number[],
	results: Results,
): Promise<void> {
	const rows = checked.flatMap((each, row) =>
		isReady(each) && each.repeats === null ? [{ row, ready: each }] : [],
	);
	const refusal = open.length === 0 ? null : await refusalOf(run, rows);
	if (refusal === null) return;
	for (const row of open) {
		const { dryRun } = ready(checked, row).options;
		const { message, description } = refusal.error;
		const isTheOne = row === refusal.row || !open.includes(refusal.row);
		results[row] = {
			error: isTheOne ? refusal.error : new BystanderError(message, description),
			dryRun,
		};
	}
}

const ready = (checked: readonly CheckedRow[], row: number) => checked[row] as ReadyRow;

/** How many rows of a dry run are looked up together. */
const LOOKED_UP = 100;

/** Says of the rows of a dry run what earlier runs did with them. */
async function checkDry(
	{ operation, claims, yieldToHost, warn }: CreateRun,
	checked: readonly CheckedRow[],
	rows: readonly number[],
	results: Results,
): Promise<void> {
	const dry = rows.filter(
		(row) => results[row] === undefined && ready(checked, row).options.dryRun,
	);
	for (let at = 0; at < dry.length; at += LOOKED_UP) {
		const chunk = dry.slice(at, at + LOOKED_UP);
		const each = chunk.map((row) => ready(checked, row));
		const permissions = await peekRows(claims, each).catch(({ message }: Error) => {
			warn(`What earlier runs sent could not be looked up: ${message}`);
			return each.map(() => 'free' as const);
		});
		chunk.forEach(
			(row, index) => (results[row] = dryResult(operation, each[index]!, permissions[index]!)),
		);
		await yieldToHost();
	}
}

/** Of the rows that are to be sent again, those that the service turns out to have are not. */
async function lookUpUnanswered(
	run: CreateRun,
	checked: readonly CheckedRow[],
	open: readonly number[],
	results: Results,
): Promise<void> {
	const again = open.filter((row) => {
		const { options, isCompared } = ready(checked, row);
		const isMeant = options.onDuplicate === 'sendUnanswered' && options.onUnknown === 'lookUp';
		return isMeant && isCompared && results[row] === undefined;
	});
	if (again.length === 0) return;
	const asked = again.map((row) => withoutSending(ready(checked, row)));
	const permissions = await peekRows(run.claims, asked).catch(() => null);
	// What cannot be looked up cannot be claimed either, and is not sent.
	if (permissions === null) return;
	const before = again.map((_, index) => ({
		ready: asked[index]!,
		permission: permissions[index]!,
		result: dryResult(run.operation, asked[index]!, permissions[index]!),
	}));
	const after = await lookUpRows({ ...run, findsLinks: false }, before);
	again.forEach((row, index) => {
		const { result, isAbsent } = after[index]!;
		if (isAbsent) return;
		const isTaken = result !== before[index]!.result;
		results[row] = isTaken ? result : notAskedResult(run.operation, ready(checked, row));
	});
}

const withoutSending = (row: ReadyRow): ReadyRow => ({
	...row,
	options: { ...row.options, onDuplicate: 'skip' },
});

/** Asks about the rows of this run whose answer or link is missing. */
async function lookUpSent(
	run: CreateRun,
	checked: readonly CheckedRow[],
	permissions: ReadonlyMap<number, Permission>,
	results: Results,
): Promise<void> {
	const rows = [...permissions.keys()];
	const sent = rows.map((row): SentRow => ({
		ready: ready(checked, row),
		permission: permissions.get(row)!,
		result: results[row]!,
	}));
	if (run.cancelled()) return;
	const after = await lookUpRows(run, sent);
	rows.forEach((row, index) => {
		const { result } = after[index]!;
		if (result === results[row]) return;
		results[row] = result;
		run.finished.set(row, result);
	});
	await record(async () => await run.claims.flush(), run.warn);
}

/** For the checks of this workflow, which cannot see the claims of this node. */
async function tellChecks(
	{ sentBefore, warn }: CreateRun,
	checked: readonly CheckedRow[],
	rows: readonly number[],
	results: Results,
): Promise<void> {
	if (sentBefore === null) return;
	const told = rows
		.filter((row) => !ready(checked, row).options.dryRun)
		.map((row) => ({ ready: ready(checked, row), result: results[row]! }));
	await record(async () => await sentBefore.tell(told), warn);
}

async function sendAll(
	run: CreateRun,
	checked: readonly CheckedRow[],
	open: readonly number[],
	results: Results,
): Promise<ReadonlyMap<number, Permission>> {
	const { finished, claims, lanes, pacer, warn } = run;
	const halt = createHalt(run.stopOnError, run.cancelled, run.names);
	const isBad = checked.some((each) => !isReady(each) && !each.dryRun);
	if (run.stopOnError && isBad) halt.because('another row is bad');
	// What an earlier try of this run ended with may stop it as it did then.
	else results.forEach((result, row) => result && halt.after(row, result));

	const rows = open.filter((row) => results[row] === undefined);
	const permissions = new Map<number, Permission>();
	if (rows.length === 0) return permissions;
	const tell = run.progress(rows.length);
	const sent = await runInLanes({
		rows,
		lanes,
		ahead: run.ahead,
		claim: async (chunk: readonly number[]) =>
			await claimRows(
				claims,
				chunk.map((row) => ready(checked, row)),
				halt,
			),
		async turn(row, permission) {
			if (!isToSend(permission) || halt.reason(ready(checked, row).account) !== null) return;
			// Waiting for a turn ends with a rejection when the execution is cancelled.
			await pacer.turn().catch(() => undefined);
		},
		async send(row, permission): Promise<RowResult> {
			const each = ready(checked, row);
			permissions.set(row, permission);
			const result = await sendRow(run, each, permission, halt);
			finished.set(row, result);
			settleRow(claims, each, permission, result);
			await record(async () => await claims.flush('due'), warn);
			halt.after(row, result);
			tell(outcomeOfRow(result));
			return result;
		},
	});
	rows.forEach((row, index) => (results[row] = sent[index]));
	await record(async () => await claims.flush(), warn);
	await record(async () => await claims.trim(rows.length), warn);
	return permissions;
}

/** What cannot be written now is written with the next claim; until then the claims stay as they are. */
async function record(write: () => Promise<void>, warn: (line: string) => void): Promise<void> {
	try {
		await write();
	} catch (error) {
		warn(`What became of some rows could not be recorded: ${(error as Error).message}`);
	}
}
