import { quoted, SheetError } from '../../fields/inputError';
import type { RunOptions } from '../../fields/options';
import { fingerprintOf } from '../../payment/fingerprint';
import { totalsOf } from '../../payment/money';
import type { Json } from '../../protocol/parse';
import { SetupError } from '../../protocol/explainedError';
import { moneyIn, overTotal } from './batchLimits';
import { checkRows, type CheckRun } from './checkRows';
import { notesOn } from './notes';
import { explainRow, type RowErrorContext } from '../report/rowError';
import { failed, isReady, type ReadyRow, type Row } from '../row';

interface CheckBatchRun extends CheckRun {
	options: RunOptions;
	errors: RowErrorContext;
	/** Columns of the sheet that fill no field. */
	unusedColumns: () => readonly string[];
}

/** Something to correct. */
interface Problem {
	/** As the sheet counts it; null where it does not say, and when it is about all of them. */
	row: number | null;
	/** Order, customer, and where it stands; null when it is about all of them. */
	name: string | null;
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
	const sent = valid.map(({ request }) => request);
	const fingerprint = await fingerprintOf(operation.path, sent, yieldToHost);
	return {
		rows: count,
		valid: valid.length,
		toCorrect: count - valid.length - repeats.length,
		repeats: repeats.length,
		totals: totals.map((total) => ({ ...total, amount: Number(total.amount) })),
		fingerprint,
		problems,
		notes: [...notesOn(left, run.currencyInHeading(), names), ...notesOnInput(run, repeats)],
		items: valid.map(({ input }) => input),
	};
}

/** So many repeats are named. */
const NAMED = 20;

function notesOnInput({ unusedColumns }: CheckBatchRun, repeats: readonly ReadyRow[]): string[] {
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
	{ errors, count, yieldToHost }: CheckBatchRun,
	rows: readonly Row[],
	limit: ReturnType<typeof overTotal>,
): Promise<Problem[]> {
	const bad = rows.flatMap(({ place, result }) =>
		result !== null && failed(result) ? [{ place, error: result.error }] : [],
	);
	if (limit !== null) bad.unshift({ place: limit.row.place, error: limit.error });
	const found = new Map<string, Array<Problem & { place: number }>>();
	for (const { place, error } of bad) {
		for (const problem of explained(error, place, errors)) {
			const same = `${problem.field} ${problem.message}`;
			const known = found.get(same);
			if (known) known.push({ ...problem, place });
			else found.set(same, [{ ...problem, place }]);
		}
		await yieldToHost();
	}
	const isOfAll = (same: readonly Problem[]) =>
		same[0]!.name === null || (count > 1 && same.length === count);
	const shown = [...found.values()].flatMap((same) =>
		isOfAll(same) ? [{ ...same[0]!, row: null, name: null, place: -1 }] : same,
	);
	const told = new Map<string, string | null>();
	return shown
		.sort((a, b) => a.place - b.place)
		.map(({ row, name, field, label, message, description }) => {
			const problem = { row, name, field, label, message, description };
			const advice = `${field} ${description}`;
			const before = told.get(advice);
			if (before === undefined) told.set(advice, name);
			return before == null || description.length <= SHORT
				? problem
				: { ...problem, description: `As for ${before}.` };
		});
}

/** Longer advice is given once. */
const SHORT = 60;

/** A problem of the sheet or of the credential is that of all rows. */
function explained(error: unknown, place: number, errors: RowErrorContext): Problem[] {
	const { short, description, issues } = explainRow(error, place, errors);
	const isOfAll = error instanceof SheetError || error instanceof SetupError;
	const row = isOfAll ? null : errors.names.number(place);
	const name = isOfAll ? null : errors.redactor.text(errors.names.name(place));
	return issues.length === 0
		? [{ row, name, field: null, label: null, message: short, description }]
		: issues.map(({ field, label, short: message, advice }) => ({
				...{ row, name, field, label, message, description: advice },
			}));
}
