import { CURRENCIES, fold } from '../countries/lookup';
import type { Column } from '../fields/columns';
import { quoted, SheetError } from '../fields/inputError';
import { isResult } from '../payment/results';
import { readAmountHeading } from './amountHeading';
import { CUSTOMERS, REFERENCES, SYNONYMS } from './headingWords';

export const ORDER = 'orderReference';

/** Which heading fills which field. */
export interface Headings {
	byField: ReadonlyMap<string, string>;
	/** What "Amount (KES)" says about the currency of all rows. */
	currency: string | null;
	/** Where this node has written the order beside the sheet's own column of it. */
	writtenOrder: string | null;
	/** Columns that name the customer, and fill nothing. */
	customers: readonly string[];
	/** Columns that fill nothing. */
	unused: readonly string[];
}

/** In the words of the editor, which are n8n's own. */
const MAP_BY_HAND = "set 'Mapping Column Mode' to 'Map Each Column Manually'";

const refusal = (message: string, advice: string): SheetError =>
	new SheetError(message, `${advice} Nothing was sent.`);

/** What errors call the field of a column: the heading tells where to look, unless it only repeats the label. */
export const labelOfColumn = (label: string, heading: string): string =>
	fold(heading) === fold(label) ? label : `${label} (column "${heading}")`;

/** Matches headings to fields; throws where they do not say clearly what to send. */
export function matchHeadings(
	headings: readonly string[],
	columns: readonly Column[],
	/** The first rows, among which the headings may stand below a title. */
	cells: ReadonlyArray<readonly string[]> = [],
): Headings {
	const found = fieldsNamed(headings, columns);
	const orders = found.get(ORDER) ?? [];
	const writtenOrder = orders.length > 1 ? (orders.find((each) => each === ORDER) ?? null) : null;
	if (writtenOrder !== null) {
		found.set(
			ORDER,
			orders.filter((each) => each !== writtenOrder),
		);
	}
	const byField = new Map<string, string>();
	for (const { field, label } of columns) {
		const [heading, ...more] = found.get(field) ?? [];
		if (more.length > 0) {
			throw refusal(
				`Several columns fit '${label}': ${quoted([heading!, ...more])}`,
				`Rename all but one of them, or ${MAP_BY_HAND}.`,
			);
		}
		if (heading !== undefined) byField.set(field, heading);
	}
	const amount = readAmountHeading(byField.get('amount') ?? '');
	if (amount?.isClear === false) {
		throw refusal(
			`The heading ${quoted([byField.get('amount')!])} does not name one currency of this service`,
			`Once its values are plain amounts to pay, rename it to "Amount" (in the currency of the country) or, for example, "Amount (KES)". The service takes ${CURRENCIES.join(', ')}.`,
		);
	}
	refuseMissing(headings, columns, byField, cells);
	const isNamed = (names: readonly string[]) => (each: string) => names.includes(fold(each));
	const reference = headings.find(isNamed(REFERENCES));
	if (
		reference !== undefined &&
		!byField.has(ORDER) &&
		columns.some(({ field }) => field === ORDER)
	)
		throw refusal(
			`The column ${quoted([reference])} may be your order, or what the service called a payment`,
			`If it is your order, rename it to "Order". If the service gave it, rename it to "Service Reference".`,
		);
	const used = new Set([...byField.values(), writtenOrder]);
	// Without an outcome, what is called like a result is the user's own.
	const isWritten = headings.includes('outcome');
	const unused = headings.filter((each) => !used.has(each) && !(isWritten && isResult(each)));
	return {
		byField,
		currency: amount?.currency ?? null,
		writtenOrder,
		customers: unused.filter(isNamed(CUSTOMERS)),
		unused,
	};
}

/** All headings of each field. One that n8n's readers numbered because it stood twice is there twice. */
function fieldsNamed(headings: readonly string[], columns: readonly Column[]) {
	// The amount has a grammar of its own, in which every sign counts.
	const fieldOf = new Map(
		columns.flatMap(({ field, label }) =>
			field === 'amount'
				? []
				: [field, label, ...(SYNONYMS[field] ?? [])].map((name) => [fold(name), field] as const),
		),
	);
	const all = new Set(headings);
	const found = new Map<string, string[]>();
	for (const heading of headings) {
		const stem = /_\d{1,5}$/.test(heading) ? heading.slice(0, heading.lastIndexOf('_')) : heading;
		const name = all.has(stem) ? stem : heading;
		const field = readAmountHeading(name) ? 'amount' : fieldOf.get(fold(name));
		if (field !== undefined) found.set(field, [...(found.get(field) ?? []), heading]);
	}
	return found;
}

function refuseMissing(
	headings: readonly string[],
	columns: readonly Column[],
	byField: ReadonlyMap<string, string>,
	cells: ReadonlyArray<readonly string[]>,
): void {
	const missing = columns.filter(({ field, required }) => required && !byField.has(field));
	if (missing.length === 0) return;
	const message = `The input has no column for ${missing.map(({ label }) => `'${label}'`).join(', ')}`;
	const title = cells.find((row) => fieldsNamed(row, columns).size > Math.max(1, byField.size));
	if (title !== undefined) {
		throw refusal(
			message,
			`The headings stand further down: ${quoted(title)}. Make them the first row of the sheet: delete what is above them.`,
		);
	}
	const amount = missing.some(({ field }) => field === 'amount')
		? ' The amount to pay is called "Amount", "Total", "Amount due" or, with its currency, "Amount (KES)".'
		: '';
	throw refusal(
		message,
		`Its columns are ${quoted(headings) || 'none'}. Rename one of them, add the column, or ${MAP_BY_HAND}.${amount}`,
	);
}
