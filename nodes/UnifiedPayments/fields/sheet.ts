import type { IDataObject, NodeExecutionHint } from 'n8n-workflow';

import { fold } from '../countries/lookup';
import { foldedReference } from '../payment/compare';
import { ROW_NUMBER } from '../payment/key';
import { cut, LONGEST } from '../protocol/limits';
import { findAmount, type Unclear } from './amountHeading';
import { readCurrency } from './country';
import { isBlank, UnclearValue, type RawFields } from './field';
import { FULL_NAMES, SYNONYMS, WEAK_SYNONYMS } from './headingWords';
import { SheetError, showGiven } from './inputError';

/** A field that a column of a sheet can fill. */
export interface Column {
	/** Parameter name. */
	field: string;
	label: string;
	required: boolean;
}

/** Which heading fills which field. */
interface Matched {
	column: Column;
	heading: string;
	/** Columns that fit less well, and would be used if this one were not there. */
	others: readonly string[];
}

/** A heading that fits a field. */
interface Fit {
	heading: string;
	/** The smaller, the closer: see `distance`. */
	far: number;
}

interface Headings {
	/** All but the order reference. */
	matched: Matched[];
	/** The best first: each row has its order in the best of them that it fills. */
	orders: readonly Fit[];
	/** Where this node wrote its results into the sheet: a reference may then be the service's. */
	outcome: string | undefined;
	/** What "Amount (KES)" says about the currency. */
	currency: string | null;
	/** Headings of full names, the clearest first, for rows without a first or last name. */
	fullNames: readonly string[];
	/** Required fields without a heading. */
	missing: Column[];
	/** Fields for which several headings fit equally well: choosing would be guessing. */
	ambiguous: Array<{ column: Column; headings: string[] }>;
	/** The heading of an amount whose values may be something else. */
	unclear: Unclear | null;
}

/** Without an end it is no remark; the end of the text is looked for as well, so that it is read once. */
const REMARK = /[([{][^)\]}]*([)\]}]|$)/g;
const withoutRemark = (heading: string): string =>
	heading.replace(REMARK, (remark: string, end: string) => (end === '' ? remark : ' '));

/** The words that lists with a search must carry in the editor mean nothing to a sheet. */
export const withoutListWords = (label: string): string => label.replace(/ Name or ID$/, '');

/** What errors call the field of a column: the heading tells where to look, unless it only repeats the label. */
export function labelOfColumn(editorLabel: string, heading: string): string {
	const label = withoutListWords(editorLabel);
	if (fold(heading) === fold(label)) return label;
	if (fold(withoutRemark(heading)) === fold(label)) return heading.trim();
	return `${label} (column "${heading}")`;
}

/** A heading in the ways in which it may name a field, folded. */
interface FoldedHeading {
	heading: string;
	whole: string;
	withoutRemark: string;
}

/** What is too long names no field: a part of it could mean something else. */
function foldHeadings(headings: readonly string[]): FoldedHeading[] {
	const isShort = (heading: string) => heading.length <= LONGEST.heading;
	const bare = headings.map((heading) => (isShort(heading) ? withoutRemark(heading) : heading));
	const [whole, rest] = [headings.map(fold), bare.map(fold)];
	return headings.map((heading, index) =>
		isShort(heading)
			? { heading, whole: whole[index] ?? '', withoutRemark: rest[index] ?? '' }
			: { heading, whole: heading, withoutRemark: heading },
	);
}

/** The columns of an operation are the same in every run. */
const foldedNames = new WeakMap<Column, readonly string[]>();

function namesOf(column: Column): readonly string[] {
	const names = foldedNames.get(column) ?? [column.field, column.label].map(fold);
	foldedNames.set(column, names);
	return names;
}

/** From this distance on, a heading is but a weak synonym. */
const WEAK = 4;

/** The smaller, the closer: the field's own name, a synonym, either with a remark in brackets, a weak synonym. */
function distance(heading: FoldedHeading, names: readonly string[], field: string): number | null {
	const synonyms = SYNONYMS[field] ?? [];
	const weak = WEAK_SYNONYMS[field] ?? [];
	const found = [
		names.includes(heading.whole),
		synonyms.includes(heading.whole),
		names.includes(heading.withoutRemark),
		synonyms.includes(heading.withoutRemark),
		weak.includes(heading.whole),
		weak.includes(heading.withoutRemark),
	].indexOf(true);
	return found === -1 ? null : found;
}

/** As many columns for one field as a row is searched for. */
const MOST_FITTING = 20;

/** The headings that fit a field, the best first. A column in which nothing stands does not count beside others. */
function fitting(
	column: Column,
	folded: readonly FoldedHeading[],
	filled: ReadonlySet<string>,
): Fit[] {
	const names = namesOf(column);
	const fits = folded
		.flatMap((each) => {
			const far = distance(each, names, column.field);
			return far === null ? [] : [{ heading: each.heading, far }];
		})
		.sort((one, other) => one.far - other.far);
	const used = fits.filter(({ heading }) => filled.has(heading));
	return used.length > 0 ? used : fits.slice(0, 1);
}

function fittingAmount(
	headings: readonly string[],
	filled: ReadonlySet<string>,
	currencyIsStated: boolean,
) {
	const used = headings.filter((heading) => filled.has(heading));
	const amount = findAmount(used, currencyIsStated);
	const isFound = amount.headings.length > 0 || amount.unclear !== null;
	return isFound ? amount : findAmount(headings, currencyIsStated);
}

/** Matches the headings of a sheet to the fields of an operation. */
function matchHeadings(
	headings: readonly string[],
	filled: ReadonlySet<string>,
	columns: readonly Column[],
): Headings {
	const folded = foldHeadings(headings);
	const fits = new Map(columns.map((each) => [each.field, fitting(each, folded, filled)]));
	const fitsOf = (field: string) => fits.get(field) ?? [];
	const statesCurrency = fitsOf('currency').some(({ heading }) => filled.has(heading));
	const amount = fittingAmount(headings, filled, statesCurrency);
	const result: Headings = {
		matched: [],
		orders: fitsOf(ORDER),
		outcome: folded.find(({ whole }) => whole === 'outcome')?.heading,
		currency: amount.currency,
		fullNames: [],
		missing: [],
		ambiguous: [],
		unclear: amount.unclear,
	};
	for (const column of columns) {
		const isAmount = column.field === 'amount';
		const all = isAmount
			? amount.headings.map((heading) => ({ heading, far: 0 }))
			: fitsOf(column.field);
		const [best, next] = all;
		// Which of the columns for an order counts is decided row by row.
		const isTie = column.field !== ORDER && best?.far === next?.far;
		if (best && (isTie || all.length > MOST_FITTING)) {
			const near = isTie ? all.filter(({ far }) => far === best.far) : all;
			result.ambiguous.push({ column, headings: near.map(({ heading }) => heading) });
		} else if (best && column.field !== ORDER) {
			const others = all.slice(1).map(({ heading }) => heading);
			result.matched.push({ column, heading: best.heading, others });
		} else if (!best && column.required && !(isAmount && amount.unclear)) {
			result.missing.push(column);
		}
	}
	const firstName = columns.find(({ field }) => field === 'firstName');
	if (firstName) {
		const free = folded.filter(({ heading }) => filled.has(heading));
		result.fullNames = FULL_NAMES.flatMap((name) =>
			free.filter(({ withoutRemark: bare }) => bare === name).map(({ heading }) => heading),
		);
		if (result.fullNames.length > MOST_FITTING) {
			result.ambiguous.push({ column: firstName, headings: [...result.fullNames] });
		}
	}
	return result;
}

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
				const other = isBlank(cell) ? others.find((each) => !isBlank(cells[each])) : undefined;
				if (other !== undefined) fields[column.field] = elsewhere(cell, heading, other);
				if (isBlank(cell)) continue;
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

const ORDER = 'orderReference';

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
	const [best, ...others] = ordersIn(cells, found);
	const { outcome } = found;
	if (best === undefined) {
		const isResult = outcome !== undefined && !isBlank(cells[outcome]);
		return isResult && found.orders[0]?.heading === OVERWRITTEN ? LOST_ORDER : undefined;
	}
	const order = cells[best.heading];
	if (outcome !== undefined && best.far >= WEAK) {
		return new UnclearValue(
			order,
			`but beside ${quoted([outcome])}, ${quoted([best.heading])} may be a reference that the service gave`,
			'If it is your order, rename the column to "Order". If the service gave it, rename it to "Service Reference".',
		);
	}
	const other = others.find(({ heading }) => shownText(cells[heading]) !== shownText(order));
	if (other === undefined) return order;
	return new UnclearValue(
		order,
		`in the column ${quoted([best.heading])}, but ${showGiven(cells[other.heading])} in the column ${quoted([other.heading])}`,
		'Correct or empty one of the two cells, or rename the column that is not the order.',
	);
}

/** A column of the results that has the name of one in which an order may have been. */
const OVERWRITTEN = 'reference';

const LOST_ORDER = new UnclearValue(
	undefined,
	'but the results of an earlier run may have been written over it',
	`The results of an earlier run may have been written over it. Put your orders into a column "Order"; if this sheet has none, remove the column "${OVERWRITTEN}".`,
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

/** In the words of the editor, which are n8n's own. */
const MAP_BY_HAND = "set 'Mapping Column Mode' to 'Map Each Column Manually'";

/** As many as somebody would read. */
const MOST_QUOTED = 50;
const LONGEST_QUOTED = 80;

export const quoted = (names: readonly string[]): string => {
	const shown = names.slice(0, MOST_QUOTED).map((name) => `"${cut(name, LONGEST_QUOTED)}"`);
	const more = names.length - shown.length;
	return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
};

function refuse({ missing, ambiguous, unclear }: Headings, headings: readonly string[]): void {
	const [doubt] = ambiguous;
	if (doubt) {
		throw new SheetError(
			`Several columns fit '${doubt.column.label}': ${quoted(doubt.headings)}`,
			`Rename all but one of them, or ${MAP_BY_HAND}. Nothing was sent.`,
		);
	}
	if (unclear) {
		throw new SheetError(
			`The heading ${quoted([unclear.heading])} does not say clearly what to send: ${unclear.why}`,
			`${unclear.advice} Or ${MAP_BY_HAND}. Nothing was sent.`,
		);
	}
	if (missing.length === 0) return;
	const names = missing.map(({ label }) => `'${label}'`).join(', ');
	throw new SheetError(
		`The input has no column for ${names}`,
		`Its columns are ${quoted(headings) || 'none'}. Rename one of them, add the column, or ${MAP_BY_HAND}. Nothing was sent.`,
	);
}
