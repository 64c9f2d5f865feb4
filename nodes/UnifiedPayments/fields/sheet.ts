import type { IDataObject, NodeExecutionHint } from 'n8n-workflow';

import { foldedReference } from '../payment/compare';
import { ROW_NUMBER } from '../payment/key';
import type { Column } from './columns';
import { readCurrency } from './country';
import { isBlank, UnclearValue, type RawFields } from './field';
import { matchHeadings, ORDER, quoted, refuse, WEAK, type Fit, type Headings } from './headings';
import { showGiven } from './inputError';

/** A sheet whose headings are matched to the fields once, and whose cells are then read directly. */
export interface Sheet {
	fields(row: number, fallback: RawFields): RawFields;
	/** The heading of a field, when there is one. */
	heading(field: string): string | undefined;
	/** Headings that fill no field. */
	unused: readonly string[];
	hint(): NodeExecutionHint;
}

/** Throws when the headings do not say where the required fields are. */
export function openSheet(rows: readonly IDataObject[], columns: readonly Column[]): Sheet {
	const { headings, filled } = headingsOf(rows);
	const found = matchHeadings(headings, filled, columns);
	refuse(found, headings);
	const { matched, currency } = found;
	const amountHeading = matched.find(({ column }) => column.field === 'amount')?.heading ?? '';
	const byRow = usedByRow(rows, found);
	const orders = found.orders.map(({ heading }) => heading).filter((each) => byRow.has(each));
	const fullNames = found.fullNames.filter((each) => byRow.has(each));
	const columnsOf = (field: string) =>
		field === ORDER
			? orders
			: matched.filter(({ column }) => column.field === field).map(({ heading }) => heading);
	const used = new Set([...matched.map(({ heading }) => heading), ...orders, ...fullNames]);
	const ignored = headings.filter((heading) => !used.has(heading));
	return {
		fields(row, fallback) {
			const cells = rows[row] ?? {};
			const fields: RawFields = { ...fallback };
			if (currency !== null) fields.currency = currency;
			const fullName = fullNameIn(cells, found);
			if (fullName !== undefined) Object.assign(fields, splitName(cells[fullName]));
			for (const { column, heading, others } of matched) {
				const cell = cells[heading];
				const isEmpty = isBlank(cell);
				const other = isEmpty ? others.find((each) => !isBlank(cells[each])) : undefined;
				if (other !== undefined) fields[column.field] = elsewhere(cell, heading, other);
				if (isEmpty) continue;
				const isCurrency = column.field === 'currency' && currency !== null;
				fields[column.field] = isCurrency ? agreed(cell, currency, amountHeading) : cell;
			}
			const order = orderIn(cells, found);
			if (order !== undefined) fields[ORDER] = order;
			return fields;
		},
		heading(field) {
			const [only, another] = columnsOf(field);
			return another === undefined ? only : undefined;
		},
		unused: ignored.filter((heading) => heading !== ROW_NUMBER),
		hint: () => ({
			message: [
				`Columns: ${[
					...columns.flatMap(({ field, label }) =>
						columnsOf(field).map((heading) => `"${heading}" → ${label}`),
					),
					...fullNames.map((heading) => `"${heading}" → first and last name`),
				].join(', ')}`,
				...(ignored.length > 0 ? [`Ignored: ${quoted(ignored)}`] : []),
			].join('. '),
			type: 'info',
			location: 'outputPane',
		}),
	};
}

/** All headings, and those below which something stands. */
function headingsOf(rows: readonly IDataObject[]) {
	const headings = new Set<string>();
	const filled = new Set<string>();
	for (const row of rows) {
		for (const heading of Object.keys(row)) {
			headings.add(heading);
			if (!filled.has(heading) && !isBlank(row[heading])) filled.add(heading);
		}
	}
	return { headings: [...headings], filled };
}

/** Of the columns among which each row decides, those that some row uses. */
function usedByRow(rows: readonly IDataObject[], found: Headings): ReadonlySet<string> {
	const [best] = found.orders;
	const used = new Set<string>();
	if (best && rows.every((cells) => isBlank(cells[best.heading]))) used.add(best.heading);
	for (const cells of rows) {
		for (const { heading } of ordersIn(cells, found)) used.add(heading);
		const fullName = fullNameIn(cells, found);
		if (fullName !== undefined) used.add(fullName);
	}
	return used;
}

/** The columns that name the order of a row. A weak one does where no better one has a value. */
function ordersIn(cells: IDataObject, { orders }: Headings): Fit[] {
	const filled = orders.filter(({ heading }) => !isBlank(cells[heading]));
	const strong = filled.filter(({ far }) => far < WEAK);
	return strong.length > 0 ? strong : filled.filter(({ far }) => far === filled[0]?.far);
}

/**
 * The order of a row, which depends on nothing but its own cells: otherwise it would be another
 * payment, and sent again, as soon as other rows stand beside it.
 */
function orderIn(cells: IDataObject, found: Headings): unknown {
	const [best] = ordersIn(cells, found);
	const { signs, references, weak, orders } = found.written;
	const has = (heading: string) => !isBlank(cells[heading]);
	const isResult = signs.some(has);
	if (best === undefined) {
		const emptied = weak.find((heading) => heading in cells);
		const hadNone = orders.some((heading) => heading in cells);
		return isResult && emptied !== undefined && !hadNone ? lostOrder(emptied) : undefined;
	}
	const order = cells[best.heading];
	const [sign] = signs;
	if (sign !== undefined && best.far >= WEAK) {
		return new UnclearValue(
			order,
			`but beside ${quoted([sign])}, ${quoted([best.heading])} may be a reference that the service gave`,
			'If it is your order, rename the column to "Order". If the service gave it, rename it to "Service Reference".',
		);
	}
	const other = found.orders.find(
		({ heading }) =>
			has(heading) &&
			shownText(cells[heading]) !== shownText(order) &&
			!(isResult && references.includes(heading)),
	);
	if (other === undefined) return order;
	return new UnclearValue(
		order,
		`in the column ${quoted([best.heading])}, but ${showGiven(cells[other.heading])} in the column ${quoted([other.heading])}`,
		'Correct or empty one of the two cells, or rename the column that is not the order.',
	);
}

const lostOrder = (heading: string): UnclearValue =>
	new UnclearValue(
		undefined,
		'but the results of an earlier run may have been written over it',
		`The results of an earlier run may have been written over it. Put your orders into a column "Order"; if this sheet has none, remove the column ${quoted([heading])}.`,
	);

const shownText = (cell: unknown): string => foldedReference(String(cell));

/** A row whose cell is empty, where another column fits the field as well. */
const elsewhere = (cell: unknown, heading: string, other: string): UnclearValue =>
	new UnclearValue(
		cell,
		'but another column has a value',
		`The column ${quoted([other])} has a value, but ${quoted([heading])} is the one that counts. Fill in the cell, or rename one of the two columns.`,
	);

/** The heading of the full name of a row that has neither a first nor a last name. */
function fullNameIn(cells: IDataObject, { matched, fullNames }: Headings): string | undefined {
	const isNamed = matched.some(
		({ column, heading }) => NAMES.includes(column.field) && !isBlank(cells[heading]),
	);
	return isNamed ? undefined : fullNames.find((heading) => !isBlank(cells[heading]));
}

const NAMES = ['firstName', 'lastName'];

/** "Amina Wanjiru Okoro" → Amina, and Wanjiru Okoro. A number is no name. */
function splitName(cell: unknown): RawFields {
	const text = typeof cell === 'string' ? cell.trim() : '';
	if (!/\p{L}/u.test(text)) return {};
	const space = text.search(/\s/);
	if (space === -1) return { firstName: text };
	return { firstName: text.slice(0, space), lastName: text.slice(space).trim() };
}

/** The currency of a row whose cell states one, and the heading of its amount another or the same. */
function agreed(cell: unknown, currency: string, amountHeading: string): unknown {
	const read = readCurrency(cell);
	if (!read.ok) return cell;
	const same = read.value === 'auto' || read.value === currency;
	if (same) return currency;
	return new UnclearValue(
		cell,
		`but the heading "${amountHeading}" states another currency`,
		'Correct the cell, or rename the column of the amount to "Amount".',
	);
}
