import { ADVICE } from '../../protocol/advice';
import type { NodeExecutionHint } from 'n8n-workflow';

import type { Outcome } from '../../protocol/explainedError';
import { failed, itemIn, lacksLink, outcomeOfRow, type RowResult } from '../row';
import { capital, type RowNames } from '../rowNames';
import { cut } from '../../protocol/limits';
import { CallError } from '../../transport/errors';
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

function count(results: readonly RowResult[]): Array<[Told, number[]]> {
	const rows = new Map<Told, number[]>();
	results.forEach((result, index) => {
		const key = toldOf(result);
		const known = rows.get(key) ?? [];
		known.push(index);
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
	elapsedMs = 0,
): NodeExecutionHint {
	const time = elapsedMs < LONG_MS ? '' : ` in ${duration(elapsedMs)}`;
	const parts = count(results).map(([key, rows]) => `${rows.length} ${labelFor(key, rows)}`);
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
		outcomeOfRow(result) === 'duplicate' && !failed(result) ? [row] : [],
	);
	if (rows.length === 0) return [];
	return [
		warning(
			`Not sent: ${names.several(rows)}, because the same payment was sent before. ${ADVICE.chargeEveryMonth}`,
		),
	];
}

/** Links that were made, but that nobody has: the message of each row says why. */
export function noLinkHints(results: readonly RowResult[], names: RowNames): NodeExecutionHint[] {
	const rows = results.flatMap((result, row) => (lacksLink(result) && !result.dryRun ? [row] : []));
	return rows.length === 0
		? []
		: [
				warning(
					`No link, so nobody can pay yet: ${names.several(rows)}. The message says what to do.`,
				),
			];
}

/**
 * What the service said in words that are not in its specification. Once for each message: whoever
 * knows what it means can say so in the credential.
 */
export function refusalHints(
	results: readonly RowResult[],
	{ names, redactor }: RowErrorContext,
): NodeExecutionHint[] {
	const rows = new Map<string, number[]>();
	results.forEach((result, row) => {
		const error = failed(result) ? result.error : null;
		if (!(error instanceof CallError) || error.failure.kind !== 'unnamedRefusal') return;
		const said = error.failure.serviceMessage;
		if (said === null) return;
		const known = rows.get(said);
		if (known) known.push(row);
		else rows.set(said, [row]);
	});
	return [...rows].slice(0, MESSAGES).map(([said, about]) => {
		const text = cut(redactor.text(said), LONGEST_MESSAGE);
		return warning(
			`The service said "${text}" about ${names.several(about)}. These words are not in its documentation, so it is unknown whether it took them. If this always means that nothing was created, add it to 'Final Refusals' in the credential.`,
		);
	});
}

/** As many messages as somebody reads, and as much of each. */
const MESSAGES = 5;
const LONGEST_MESSAGE = 300;

const hint = (type: 'info' | 'warning', message: string): NodeExecutionHint => ({
	message,
	type,
	location: 'outputPane',
});

export const warning = (message: string): NodeExecutionHint => hint('warning', message);

/** For links whose callbacks come to an execution that does not wait for them. */
export const NOBODY_WAITS: NodeExecutionHint = warning(
	"The links call back to this execution, but no later node waits for them, so nobody hears when they are paid. Add 'Wait Until Paid' of 'Payment Link' after the node that sends them, or turn off 'Wait in This Execution'.",
);

/** "Rows 1-2 accepted, row 3 rejected": for an error that ends the run, so that nothing is lost. */
export function summaryText(results: readonly RowResult[], names: RowNames): string {
	const parts = count(results).map(([key, rows]) => {
		return `${names.places(rows)} ${labelFor(key, rows)}`;
	});
	return `In all: ${parts.join('; ')}.`;
}

/** So many rows are told one by one. */
const NAMED = 100;

/** One line for each of the first rows that left this machine, with what it takes to find it again. */
export function sentLines(results: readonly RowResult[], context: RowErrorContext): string[] {
	const lines: string[] = [];
	let more = 0;
	results.forEach((result, index) => {
		const key = outcomeOfRow(result);
		if (key !== 'accepted' && key !== 'unknown') return;
		if (lines.length === NAMED) {
			more++;
			return;
		}
		const { reference, link, message } = itemIn(result);
		const known = [reference, link].filter((each) => typeof each === 'string');
		const said = failed(result)
			? toRowError(result.error, index, context).error.message
			: known.join(' ') || String(message ?? '');
		lines.push(`${capital(context.names.name(index))} ${key}: ${said}`);
	});
	return more === 0 ? lines : [...lines, `And ${more} more rows were accepted, or are unknown.`];
}

type Checked = Readonly<Record<'rows' | 'valid' | 'toCorrect' | 'repeats', number>> & {
	notes: readonly string[];
};

/** "6 rows: 4 valid; 1 to correct; 1 there twice": above the item of a check. */
export function checkHints({
	rows,
	valid,
	toCorrect,
	repeats,
	notes,
}: Checked): NodeExecutionHint[] {
	const parts = [
		`${valid} valid`,
		...(toCorrect > 0 ? [`${toCorrect} to correct`] : []),
		...(repeats > 0 ? [`${repeats} there twice`] : []),
	];
	return [
		hint(
			valid === rows ? 'info' : 'warning',
			`${rows} ${rows === 1 ? 'row' : 'rows'}: ${parts.join('; ')}. Nothing was sent. What earlier runs sent is not known here: it would come out as a duplicate.`,
		),
		...notes.map(warning),
	];
}

/** "40 s", "12 min". */
function duration(ms: number): string {
	const seconds = Math.ceil(ms / 1000);
	return seconds <= 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}
