import type { IDataObject } from 'n8n-workflow';

import { quoted, SheetError } from '../../fields/inputError';
import type { RunOptions } from '../../fields/options';
import { fingerprintOf } from '../../payment/fingerprint';
import { ROW_NUMBER } from '../../payment/key';
import { totalsOf } from '../../payment/money';
import type { Json } from '../../protocol/parse';
import { SetupError } from '../../protocol/explainedError';
import { overTotal, sendable } from './batchLimits';
import { checkRows, type CheckRun } from './checkRows';
import { ADD_CALLBACK_URL, needsLinkInReply } from './firstAlone';
import { explainRow, type RowErrorContext } from '../report/rowError';
import { failed, isReady, type ReadyRow } from '../row';
import type { SentBefore } from '../claims/sentBefore';

interface CheckBatchRun extends CheckRun {
	options: RunOptions;
	sentBefore: SentBefore;
	errors: RowErrorContext;
	/** Columns of the sheet that fill no field. */
	unusedColumns: () => readonly string[];
	/** For what a user need not see, but an operator may want to. */
	warn: (line: string) => void;
}

/** Something to correct; the row is null when it is about all of them. */
interface Problem {
	row: number | null;
	/** Parameter name; null when it is about the row as a whole. */
	field: string | null;
	label: string | null;
	message: string;
	description: string;
}

/** A row that would not be sent, because it was before, or is there twice. */
interface Skipped {
	row: number;
	message: string;
}

/** The totals of a batch, what is wrong with it, and the rows to go on with. */
type CheckResult = Json & {
	rows: number;
	valid: number;
	toCorrect: number;
	duplicates: number;
	problems: Problem[];
	skipped: Skipped[];
	/** What to know before sending, although nothing has to be corrected. */
	notes: string[];
};

/** Looks at a whole batch, and sends nothing. */
export async function runCheck(run: CheckBatchRun): Promise<CheckResult> {
	const { operation, names, count, yieldToHost } = run;
	const rows = await checkRows(run);
	const good = rows.filter(isReady);
	await yieldToHost();
	const bad = rows.flatMap(({ place, result }) =>
		result !== null && failed(result) ? [{ row: place, error: result.error }] : [],
	);
	await yieldToHost();
	const skipped = await skippedOf(run, good);
	const left = good.filter(({ place }) => !skipped.has(place));
	await yieldToHost();
	const limit = await overTotal(run, left);
	await yieldToHost();
	const valid = limit === null ? left : [];
	const problems = problemsOf(
		run,
		limit === null ? bad : [{ row: limit.row.place, error: limit.error }, ...bad],
	);
	await yieldToHost();
	const payments = left.map(({ request }) => request.prepared.payment);
	await yieldToHost();
	const totals = totalsOf(payments);
	await yieldToHost();
	const sent = valid.map((row) => sendable(operation, row));
	await yieldToHost();
	const fingerprint = await fingerprintOf(sent, yieldToHost);
	const notes = notesOn(run, valid);
	const items: IDataObject[] = [];
	for (const { place, input } of valid) {
		items.push(withNumber(input, names.number(place)));
		await yieldToHost();
	}
	return {
		rows: count,
		valid: valid.length,
		toCorrect: count - valid.length - skipped.size,
		duplicates: skipped.size,
		totals: totals.map((total) => ({ ...total, amount: Number(total.amount) })),
		fingerprint,
		problems,
		notes,
		skipped: [...skipped].map(([row, message]) => ({ row: names.number(row), message })),
		items,
	};
}

function notesOn({ operation, unusedColumns }: CheckBatchRun, rows: readonly ReadyRow[]): string[] {
	const linkless = rows.filter((row) => needsLinkInReply(operation, row)).length;
	const unused = unusedColumns();
	return [
		...(linkless > 0
			? [
					`${linkless === 1 ? '1 row has' : `${linkless} rows have`} no callback URL: if the reply to the first holds no link, no other is sent. ${ADD_CALLBACK_URL}`,
				]
			: []),
		...(unused.length > 0 ? [`Nothing is done with these columns: ${quoted(unused)}.`] : []),
	];
}

/** So that the row is called the same when only the valid ones go on. */
const withNumber = (item: IDataObject, number: number): IDataObject => ({
	...item,
	[ROW_NUMBER]: number,
});

const BEFORE = {
	sent: 'It was sent before, and accepted, so it would not be sent again.',
	open: 'It was sent before, and no answer is on record, so it would not be sent again.',
};

/** Rows that would not be sent although nothing is wrong with them, and why. */
async function skippedOf(
	{ sentBefore, warn, yieldToHost }: CheckBatchRun,
	rows: readonly ReadyRow[],
): Promise<Map<number, string>> {
	const skipped = new Map<number, string>();
	const first: ReadyRow[] = [];
	for (const row of rows) {
		if (row.repeats === null) first.push(row);
		else skipped.set(row.place, `It is the same as ${row.repeats.name}, so it would not be sent.`);
	}
	for (let at = 0; at < first.length; at += LOOKED_UP) {
		const chunk = first.slice(at, at + LOOKED_UP);
		const before = await sentBefore.ask(chunk).catch(({ message }: Error) => {
			warn(`Could not look up what earlier runs sent: ${message}`);
			return chunk.map(() => null);
		});
		chunk.forEach((row, index) => {
			const was = before[index] ?? null;
			if (was !== null && !isSentAgain(row, was)) skipped.set(row.place, BEFORE[was]);
		});
		await yieldToHost();
	}
	return new Map([...skipped].sort(([a], [b]) => a - b));
}

/** How many rows are looked up together. */
const LOOKED_UP = 1000;

const isSentAgain = ({ request: { options } }: ReadyRow, was: 'sent' | 'open'): boolean =>
	was === 'open' && options.onDuplicate === 'sendUnanswered';

/** One for each field; what is wrong with the sheet or the credential is said once for all rows. */
function problemsOf(
	{ names, errors }: CheckBatchRun,
	bad: ReadonlyArray<{ row: number; error: unknown }>,
): Problem[] {
	const said = new Set<string>();
	return bad.flatMap(({ row, error }): Problem[] => {
		const { message, description, issues } = explainRow(error, row, errors);
		if (error instanceof SheetError || error instanceof SetupError) {
			if (said.has(message)) return [];
			said.add(message);
			return [{ row: null, field: null, label: null, message, description }];
		}
		const number = names.number(row);
		if (issues.length === 0) {
			return [{ row: number, field: null, label: null, message, description }];
		}
		return issues.map(({ field, label, message: text, advice }) => ({
			row: number,
			field,
			label,
			message: text,
			description: advice,
		}));
	});
}
