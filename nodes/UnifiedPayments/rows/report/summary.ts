import type { NodeExecutionHint } from 'n8n-workflow';

import type { Outcome } from '../../protocol/explainedError';
import { LONGEST_SAFE_URL } from '../../payment/mark';
import { cut } from '../../protocol/limits';
import { CallError } from '../../transport/errors';
import { failed, itemIn, lacksLink, outcomeOfRow, type RowNames, type RowResult } from '../row';
import { duration } from '../lanes';
import { toRowError, type RowErrorContext } from './rowError';

/** A link that was created, but is not known here, is not done. */
type Told = Outcome | 'noLink';

const LABELS: Readonly<Record<Told, string>> = {
	accepted: 'accepted',
	noLink: 'accepted without a link',
	valid: 'valid',
	duplicate: 'skipped as a duplicate',
	rejected: 'rejected',
	unknown: 'unknown',
	not_sent: 'not sent',
};

const labelFor = (outcome: Told, rows: readonly number[]): string =>
	outcome === 'duplicate' && rows.length > 1 ? 'skipped as duplicates' : LABELS[outcome];

const toldOf = (result: RowResult): Told => {
	const outcome = outcomeOfRow(result);
	return outcome === 'accepted' && lacksLink(result) ? 'noLink' : outcome;
};

function count(results: readonly RowResult[], names: RowNames): Array<[Told, number[]]> {
	const rows = new Map<Told, number[]>();
	results.forEach((result, index) => {
		const key = toldOf(result);
		const known = rows.get(key) ?? [];
		known.push(names.number(index));
		rows.set(key, known);
	});
	return (Object.keys(LABELS) as Told[]).flatMap((key) => {
		const found = rows.get(key);
		return found ? [[key, found]] : [];
	});
}

/** From here on a run says how long it took. */
const LONG_MS = 10_000;

/** "97 accepted, 3 rejected": what the editor shows above the output. */
export function summaryHint(
	name: string,
	results: readonly RowResult[],
	names: RowNames,
	elapsedMs = 0,
): NodeExecutionHint {
	const time = elapsedMs < LONG_MS ? '' : ` in ${duration(elapsedMs)}`;
	const parts = count(results, names).map(([key, rows]) => `${rows.length} ${labelFor(key, rows)}`);
	const allWell = results.every((result) => ['accepted', 'valid'].includes(toldOf(result)));
	return hint(
		allWell ? 'info' : 'warning',
		`${results.length.toLocaleString('en')} rows for ${name}${time}: ${parts.join(', ')}`,
	);
}

/** Told also for a single row: who charges every month must not be left waiting for the second. */
export function duplicateHints(
	results: readonly RowResult[],
	names: RowNames,
): NodeExecutionHint[] {
	const rows = results.flatMap((result, row) =>
		outcomeOfRow(result) === 'duplicate' && !failed(result) ? [names.number(row)] : [],
	);
	if (rows.length === 0) return [];
	const were = rows.length === 1 ? `Row ${rows[0]} was` : `Rows ${ranges(rows)} were`;
	return [
		warning(
			`${were} not sent, because the same payment was sent before. For a charge that repeats, e.g. every month, give each one an order reference of its own, e.g. with the month, or a 'Duplicate Key' if you use it.`,
		),
	];
}

/** Links that were made, but that nobody has: the message of each row says why. */
export function noLinkHints(results: readonly RowResult[], names: RowNames): NodeExecutionHint[] {
	const rows = results.flatMap((result, row) =>
		lacksLink(result) && !result.dryRun ? [names.number(row)] : [],
	);
	return rows.length === 0
		? []
		: [warning(`${have(rows)} no link, so nobody can pay yet. The message says what to do.`)];
}

/** How a no that is in no list is taught to the credential: once for each of its messages. */
export function refusalHints(results: readonly RowResult[]): NodeExecutionHint[] {
	const said = results.flatMap((result) => {
		const error = failed(result) ? result.error : null;
		const failure = error instanceof CallError ? error.failure : null;
		return failure?.kind === 'unnamedRefusal' ? (failure.serviceMessage ?? []) : [];
	});
	return [...new Set(said)]
		.slice(0, MAX_TAUGHT)
		.map((words) =>
			warning(
				`The service said “${cut(words, LONGEST_TAUGHT)}”. If this always means that nothing was created, add it to 'Final Refusals' of the credential: such rows are then sent again by the next run.`,
			),
		);
}

const MAX_TAUGHT = 10;
const LONGEST_TAUGHT = 300;

export type RowNote = 'tooLong' | 'notCarried' | 'noUrl';

const ROW_NOTES: Readonly<Record<RowNote, string>> = {
	tooLong: `a callback URL of more than ${LONGEST_SAFE_URL} characters, which a service may cut or refuse. For later rows, give a shorter address.`,
	notCarried:
		'an order reference that a callback URL cannot carry, so payments cannot be matched with it. For later orders, give references of at most 128 ordinary characters.',
	noUrl:
		"an order reference but no callback URL, so payments cannot be matched with it. For later rows, give the address of a 'Unified Payments Trigger' as callback URL.",
};

/** What there is to know about rows that were read, and may not do what was meant. */
export const rowHints = (
	notes: ReadonlyArray<{ row: number; note: RowNote | null }>,
	names: RowNames,
): NodeExecutionHint[] =>
	(Object.keys(ROW_NOTES) as RowNote[]).flatMap((kind) => {
		const rows = notes.filter(({ note }) => note === kind).map(({ row }) => names.number(row));
		return rows.length === 0 ? [] : [warning(`${have(rows)} ${ROW_NOTES[kind]}`)];
	});

const hint = (type: 'info' | 'warning', message: string): NodeExecutionHint => ({
	message,
	type,
	location: 'outputPane',
});

const warning = (message: string): NodeExecutionHint => hint('warning', message);

/** For links whose callbacks come to an execution that does not wait for them. */
export const NOBODY_WAITS: NodeExecutionHint = warning(
	"The links call back to this execution, but no later node waits for them, so nobody hears when they are paid. Add 'Wait Until Paid' of 'Payment Link' after the node that sends them, or turn off 'Wait in This Execution'.",
);

const have = (rows: readonly number[]): string =>
	rows.length === 1 ? `Row ${rows[0]} has` : `Rows ${ranges(rows)} have`;

/** "Rows 1-2 accepted, row 3 rejected": for an error that ends the run, so that nothing is lost. */
export function summaryText(results: readonly RowResult[], names: RowNames): string {
	const parts = count(results, names).map(([key, rows]) => {
		const word = rows.length === 1 ? 'row' : 'rows';
		return `${word} ${ranges(rows)} ${labelFor(key, rows)}`;
	});
	return `In all: ${parts.join('; ')}.`;
}

/** [1, 2, 3, 7] → "1-3, 7" */
function ranges(rows: readonly number[]): string {
	const spans: Array<[number, number]> = [];
	for (const row of [...rows].sort((a, b) => a - b)) {
		const last = spans.at(-1);
		if (last && last[1] === row - 1) last[1] = row;
		else spans.push([row, row]);
	}
	return spans.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
}

/** One line for each row that left this machine, with what it takes to find it again. */
export function sentLines(results: readonly RowResult[], context: RowErrorContext): string[] {
	return results.flatMap((result, index) => {
		const key = outcomeOfRow(result);
		if (key !== 'accepted' && key !== 'unknown') return [];
		const { reference, link, message } = itemIn(result);
		const known = [reference, link].filter((each) => typeof each === 'string');
		const said = failed(result)
			? toRowError(result.error, index, context).error.message
			: known.join(' ') || String(message ?? '');
		return [`Row ${context.names.number(index)} ${key}: ${said}`];
	});
}

type Checked = Readonly<Record<'rows' | 'valid' | 'toCorrect' | 'duplicates', number>> & {
	notes: readonly string[];
};

/** "6 rows: 4 would be sent; 1 to correct; 1 sent before": above the item of a check. */
export function checkHints({
	rows,
	valid,
	toCorrect,
	duplicates,
	notes,
}: Checked): NodeExecutionHint[] {
	const parts = [
		`${valid} would be sent`,
		...(toCorrect > 0 ? [`${toCorrect} to correct`] : []),
		...(duplicates > 0 ? [`${duplicates} sent before, or there twice`] : []),
	];
	return [
		hint(
			valid === rows ? 'info' : 'warning',
			`${rows} ${rows === 1 ? 'row' : 'rows'}: ${parts.join('; ')}. Nothing was sent.`,
		),
		...notes.map(warning),
	];
}
