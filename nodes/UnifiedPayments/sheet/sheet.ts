import type { IDataObject, NodeExecutionHint } from 'n8n-workflow';

import type { Column } from '../fields/columns';
import { readCurrency } from '../fields/country';
import { isBlank, UnclearValue, type RawFields } from '../fields/field';
import { quoted, showGiven } from '../fields/inputError';
import { foldedReference } from '../payment/compare';
import { ROW_NUMBER } from '../payment/key';
import { matchHeadings, ORDER, type Headings } from './headings';

/** A sheet whose headings are matched to the fields once, and whose cells are then read directly. */
export interface Sheet {
	fields(row: number, fallback: RawFields): RawFields;
	/** Who is asked to pay, as the sheet names the customer. */
	customer(row: number): unknown;
	/** The heading of a field, when there is one. */
	heading(field: string): string | undefined;
	/** Headings that fill no field. */
	unused: readonly string[];
	/** What the heading of the amount says about the currency of all rows. */
	currency: string | null;
	hint(): NodeExecutionHint;
}

/** Rows that may stand above the headings: a title, a date, an empty row. */
const TITLE_ROWS = 5;

/** Throws when the headings do not say where the required fields are. */
export function openSheet(rows: readonly IDataObject[], columns: readonly Column[]): Sheet {
	const all = new Set<string>();
	for (const row of rows) for (const heading of Object.keys(row)) all.add(heading);
	const headings = [...all].filter((heading) => heading !== ROW_NUMBER);
	const first = rows.slice(0, TITLE_ROWS).map((row) => Object.values(row).map(String));
	const found = matchHeadings(headings, columns, first);
	const { byField, currency, unused, customers } = found;
	return {
		fields(row, fallback) {
			const cells = rows[row] ?? {};
			const fields: RawFields = { ...fallback };
			if (currency !== null) fields.currency = currency;
			for (const [field, heading] of byField) {
				const cell = cells[heading];
				if (field === ORDER) fields[ORDER] = orderIn(cells, found) ?? fields[ORDER];
				else if (!isBlank(cell)) fields[field] = field === 'currency' ? agreed(cell, found) : cell;
			}
			return fields;
		},
		customer(row) {
			const cells = rows[row] ?? {};
			const heading = customers.find((each) => !isBlank(cells[each]));
			return heading === undefined ? undefined : cells[heading];
		},
		heading: (field) => byField.get(field),
		unused,
		currency,
		hint: () => ({
			message: [
				`Columns: ${columns
					.filter(({ field }) => byField.has(field))
					.map(({ field, label }) => `"${byField.get(field)}" → ${label}`)
					.join(', ')}`,
				...(unused.length > 0 ? [`Ignored: ${quoted(unused)}`] : []),
			].join('. '),
			type: 'info',
			location: 'outputPane',
		}),
	};
}

/** The order of a row. Where this node has written one beside it, the two must be the same. */
function orderIn(cells: IDataObject, { byField, writtenOrder }: Headings): unknown {
	const heading = byField.get(ORDER)!;
	const cell = cells[heading];
	const written = writtenOrder === null ? undefined : cells[writtenOrder];
	if (isBlank(written) || shown(written) === shown(cell)) return isBlank(cell) ? undefined : cell;
	return new UnclearValue(
		cell,
		`but ${showGiven(written)} in the column ${quoted([writtenOrder!])}`,
		`Correct or empty one of the two cells, or remove one of the columns ${quoted([heading, writtenOrder!])}.`,
	);
}

const shown = (cell: unknown): string => (isBlank(cell) ? '' : foldedReference(String(cell)));

/** The currency of a row whose cell states one, and the heading of its amount another or the same. */
function agreed(cell: unknown, { currency, byField }: Headings): unknown {
	const read = readCurrency(cell);
	if (currency === null || !read.ok) return cell;
	if (read.value === 'auto' || read.value === currency) return currency;
	return new UnclearValue(
		cell,
		`but the heading ${quoted([byField.get('amount')!])} states another currency`,
		'Correct the cell, or rename the column of the amount to "Amount".',
	);
}
