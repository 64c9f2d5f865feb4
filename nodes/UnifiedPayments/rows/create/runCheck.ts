import type { IDataObject } from 'n8n-workflow';

import { quoted, SheetError } from '../../fields/inputError';
import type { RunOptions } from '../../fields/options';
import { fingerprintOf } from '../../payment/fingerprint';
import { ROW_NUMBER } from '../../payment/key';
import { totalsOf } from '../../payment/money';
import type { Json } from '../../protocol/parse';
import { SetupError } from '../../protocol/explainedError';
import { moneyIn, overTotal, sendable } from './batchLimits';
import { checkRows, type CheckRun } from './checkRows';
import { explainRow, type RowErrorContext } from '../report/rowError';
import { failed, isReady, type ReadyRow, type Row } from '../row';

interface CheckBatchRun extends CheckRun {
	options: RunOptions;
	errors: RowErrorContext;
	/** Columns of the sheet that fill no field. */
	unusedColumns: () => readonly string[];
}

/** Something to correct; the row is null when it is about all of them. */
interface Problem {
	row: number | null;
	/** Parameter name; null when it is about the row as a whole. */
	field: string | null;
	/** What the editor, or the sheet, calls it. */
	label: string | null;
	message: string;
	description: string;
}

/** The totals of a batch, what is wrong with it, and the rows to go on with. */
type CheckResult = Json & {
	rows: number;
	valid: number;
	toCorrect: number;
	/** Rows that are the same as another one of the input, and would not be sent. */
	repeats: number;
	problems: Problem[];
	/** What to know before sending, although nothing has to be corrected. */
	notes: string[];
};

/** Looks at a whole batch, and sends nothing. It knows nothing of earlier runs. */
export async function runCheck(run: CheckBatchRun): Promise<CheckResult> {
	const { operation, names, count, options, yieldToHost } = run;
	const rows = await checkRows(run);
	const good = rows.filter(isReady);
	const repeats = good.filter((row) => row.repeats !== null);
	const left = good.filter((row) => row.repeats === null);
	await yieldToHost();
	const limit = overTotal(options.maxTotal, left);
	const valid = limit === null ? left : [];
	await yieldToHost();
	const problems = await problemsOf(run, rows, limit);
	const totals = totalsOf(left.map(moneyIn));
	await yieldToHost();
	const sent = valid.map((row) => sendable(operation, row));
	await yieldToHost();
	const fingerprint = await fingerprintOf(sent, yieldToHost);
	const items: IDataObject[] = [];
	for (const { place, input } of valid) {
		// So that the row is called the same when only the valid ones go on.
		items.push({ ...input, [ROW_NUMBER]: names.number(place) });
		await yieldToHost();
	}
	return {
		rows: count,
		valid: valid.length,
		toCorrect: count - valid.length - repeats.length,
		repeats: repeats.length,
		totals: totals.map((total) => ({ ...total, amount: Number(total.amount) })),
		fingerprint,
		problems,
		notes: notesOn(run, repeats),
		items,
	};
}

/** So many repeats are named. */
const NAMED = 20;

function notesOn({ unusedColumns }: CheckBatchRun, repeats: readonly ReadyRow[]): string[] {
	const unused = unusedColumns();
	const more = repeats.length - NAMED;
	return [
		...repeats
			.slice(0, NAMED)
			.map((row) => `The same payment is there twice: ${row.name}, and ${row.repeats!.name}.`),
		...(more > 0 ? [`${more} more rows are there twice.`] : []),
		...(unused.length > 0 ? [`Nothing is done with these columns: ${quoted(unused)}.`] : []),
	];
}

/** One for each field of each row. What is said of all rows alike is said once, without a row. */
async function problemsOf(
	{ names, errors, count, yieldToHost }: CheckBatchRun,
	rows: readonly Row[],
	limit: ReturnType<typeof overTotal>,
): Promise<Problem[]> {
	const bad = rows.flatMap(({ place, result }) =>
		result !== null && failed(result) ? [{ place, error: result.error }] : [],
	);
	if (limit !== null) bad.unshift({ place: limit.row.place, error: limit.error });
	const found = new Map<string, Problem[]>();
	for (const { place, error } of bad) {
		for (const problem of explained(error, place, errors, names.number(place))) {
			const same = `${problem.field} ${problem.message}`;
			const known = found.get(same);
			if (known) known.push(problem);
			else found.set(same, [problem]);
		}
		await yieldToHost();
	}
	const isOfAll = (same: readonly Problem[]) =>
		same[0]!.row === null || (count > 1 && same.length === count);
	const shown = [...found.values()].flatMap((same) =>
		isOfAll(same) ? [{ ...same[0]!, row: null }] : same,
	);
	const problems = shown.sort((a, b) => (a.row ?? 0) - (b.row ?? 0));
	const told = new Map<string, number | null>();
	return problems.map((problem) => {
		const { field, row, description } = problem;
		const advice = `${field} ${description}`;
		const before = told.get(advice);
		if (before === undefined) told.set(advice, row);
		return before == null || description.length <= SHORT
			? problem
			: { ...problem, description: `As for row ${before}.` };
	});
}

/** Longer advice is given once. */
const SHORT = 60;

/** A problem of the sheet or of the credential is that of all rows. */
function explained(
	error: unknown,
	place: number,
	errors: RowErrorContext,
	number: number,
): Problem[] {
	const { message, description, issues } = explainRow(error, place, errors);
	const row = error instanceof SheetError || error instanceof SetupError ? null : number;
	return issues.length === 0
		? [{ row, field: null, label: null, message, description }]
		: issues.map(({ field, label, short, advice }) => ({
				...{ row, field, label, message: short, description: advice },
			}));
}
