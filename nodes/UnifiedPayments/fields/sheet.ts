import type { IDataObject, NodeExecutionHint } from 'n8n-workflow';

import { fold } from '../countries/lookup';
import { ROW_NUMBER } from '../payment/key';
import { cut, LONGEST } from '../protocol/limits';
import { findAmount, type Unclear } from './amountHeading';
import { ContradictedCurrency, readCurrency } from './country';
import { isBlank, type RawFields } from './field';
import { FULL_NAMES, SYNONYMS, WEAK_SYNONYMS } from './headingWords';
import { SheetError } from './inputError';

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
}

interface Headings {
	matched: Matched[];
	/** What "Amount (KES)" says about the currency. */
	currency: string | null;
	/** The heading of a full name, which fills first and last name. */
	fullName: string | null;
	/** Headings that fill no field. */
	ignored: string[];
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

/** The smaller, the closer: the field's own name, a synonym, either with a remark in brackets, a weak synonym. */
function distance(
	heading: FoldedHeading,
	names: readonly string[],
	field: string,
	weak: readonly string[],
): number | null {
	const synonyms = SYNONYMS[field] ?? [];
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

/** The headings that fit a field best. */
function fitting(column: Column, folded: readonly FoldedHeading[]): string[] {
	const { field } = column;
	const names = namesOf(column);
	// Where this node wrote its results into the sheet, `reference` is the service's own.
	const isWrittenBack = folded.some(({ whole }) => whole === 'outcome');
	const weak = isWrittenBack ? [] : (WEAK_SYNONYMS[field] ?? []);
	const fits = folded.flatMap((each) => {
		const far = distance(each, names, field, weak);
		return far === null ? [] : [{ heading: each.heading, far }];
	});
	const nearest = Math.min(...fits.map(({ far }) => far));
	return fits.filter(({ far }) => far === nearest).map(({ heading }) => heading);
}

/** Matches the headings of a sheet to the fields of an operation. */
function matchHeadings(headings: readonly string[], columns: readonly Column[]): Headings {
	const folded = foldHeadings(headings);
	const fits = (column: Column) => fitting(column, folded);
	const statesCurrency = columns.some((each) => each.field === 'currency' && fits(each).length > 0);
	const amount = findAmount(headings, statesCurrency);
	const result: Headings = {
		matched: [],
		currency: amount.currency,
		fullName: null,
		ignored: [],
		missing: [],
		ambiguous: [],
		unclear: amount.unclear,
	};
	for (const column of columns) {
		const isAmount = column.field === 'amount';
		const best = isAmount ? amount.headings : fits(column);
		const [only] = best;
		if (best.length > 1) result.ambiguous.push({ column, headings: best });
		else if (only !== undefined) result.matched.push({ column, heading: only });
		else if (column.required && !(isAmount && amount.unclear)) result.missing.push(column);
	}
	const used = new Set(result.matched.map(({ heading }) => heading));
	const hasName = result.matched.some(({ column }) => NAMES.includes(column.field));
	if (!hasName && columns.some(({ field }) => field === 'firstName')) {
		const free = folded.filter(({ heading }) => !used.has(heading));
		const found = FULL_NAMES.map((name) => free.find(({ withoutRemark: bare }) => bare === name));
		result.fullName = found.find((each) => each !== undefined)?.heading ?? null;
		if (result.fullName !== null) used.add(result.fullName);
	}
	result.ignored = headings.filter((heading) => !used.has(heading));
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
	const headings = [...new Set(rows.flatMap((row) => Object.keys(row)))];
	const found = matchHeadings(headings, columns);
	refuse(found, headings);
	const { matched, currency, fullName, ignored } = found;
	const headingOf = (field: string) =>
		matched.find(({ column }) => column.field === field)?.heading;
	return {
		fields(row, fallback) {
			const cells = rows[row] ?? {};
			const fields: RawFields = { ...fallback };
			if (currency !== null) fields.currency = currency;
			if (fullName !== null) Object.assign(fields, splitName(cells[fullName]));
			for (const { column, heading } of matched) {
				const cell = cells[heading];
				if (isBlank(cell)) continue;
				const isCurrency = column.field === 'currency' && currency !== null;
				fields[column.field] = isCurrency ? agreed(cell, currency, headingOf('amount')!) : cell;
			}
			return fields;
		},
		heading: headingOf,
		unused: ignored.filter((heading) => heading !== ROW_NUMBER),
		hint: () => ({
			message: [
				`Columns: ${[
					...matched.map(({ column, heading }) => `"${heading}" → ${column.label}`),
					...(fullName === null ? [] : [`"${fullName}" → first and last name`]),
				].join(', ')}`,
				...(ignored.length > 0 ? [`Ignored: ${quoted(ignored)}`] : []),
			].join('. '),
			type: 'info',
			location: 'outputPane',
		}),
	};
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
	return same ? currency : new ContradictedCurrency(cell, amountHeading);
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
