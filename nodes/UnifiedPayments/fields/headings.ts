import { fold } from '../countries/lookup';
import { cut, LONGEST } from '../protocol/limits';
import { findAmount, type Unclear } from './amountHeading';
import { withoutListWords, type Column } from './columns';
import { FULL_NAMES, isHarmless, PAYER_FIELDS, SYNONYMS, WEAK_SYNONYMS } from './headingWords';
import { SheetError } from './inputError';

/** Which heading fills which field. */
interface Matched {
	column: Column;
	heading: string;
	/** Columns that fit less well, and would be used if this one were not there. */
	others: readonly string[];
}

/** A heading that fits a field. */
export interface Fit {
	heading: string;
	/** The smaller, the closer: see `distance`. */
	far: number;
}

/** Where this node wrote its results into the sheet: a reference may then be the service's. */
export interface Written {
	/** Columns in which results stand, the plainest first; none where nothing was written. */
	signs: readonly string[];
	/** Columns with the name of a result, in which the service's own reference may stand. */
	references: readonly string[];
	/** Columns in which an order may have been written over. */
	weak: readonly string[];
	/** Columns into which results write the order itself. */
	orders: readonly string[];
}

export interface Headings {
	/** All but the order reference. */
	matched: Matched[];
	/** The best first: each row has its order in the best of them that it fills. */
	orders: readonly Fit[];
	/** What the results of an earlier run may have done to the orders. */
	written: Written;
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
const foldHeading = (heading: string): FoldedHeading =>
	heading.length <= LONGEST.heading
		? { heading, whole: fold(heading), withoutRemark: fold(withoutRemark(heading)) }
		: { heading, whole: heading, withoutRemark: heading };

export const ORDER = 'orderReference';

/** From this distance on, a heading is but a weak synonym. */
export const WEAK = 4;

/** The smaller, the closer: the field's own name, a synonym, either with a remark in brackets, a weak synonym. */
function distance(heading: FoldedHeading, names: readonly string[], field: string): number | null {
	const synonyms = SYNONYMS[field] ?? [];
	const weak = WEAK_SYNONYMS[field] ?? [];
	const { whole } = heading;
	const isOwn = !PAYER_FIELDS.includes(field) || isPlain(heading.heading);
	const bare = isOwn ? heading.withoutRemark : whole;
	const found = [
		names.includes(whole),
		synonyms.includes(whole),
		names.includes(bare),
		synonyms.includes(bare),
		weak.includes(whole),
		weak.includes(bare),
	].indexOf(true);
	return found === -1 ? null : found;
}

/** "Phone (next of kin)" is not the customer's. */
const isPlain = (heading: string): boolean => (heading.match(REMARK) ?? []).every(isHarmless);

/** Others have columns of these names, too: they are signs only beside an outcome. */
const SIGNS = ['outcome', 'linkfrom', 'link', 'message'];

function writtenBack(folded: readonly FoldedHeading[], filled: ReadonlySet<string>): Written {
	const those = (fits: (each: FoldedHeading) => boolean) =>
		folded
			.filter(fits)
			.slice(0, MAX_FITTING)
			.map(({ heading }) => heading);
	const named = (name: string) => those(({ whole }) => whole === name);
	return {
		signs:
			named('outcome').length > 0
				? SIGNS.flatMap(named)
				: named('linkfrom').filter((heading) => filled.has(heading)),
		references: named('reference'),
		weak: those(({ withoutRemark: bare }) => WEAK_SYNONYMS[ORDER]!.includes(bare)),
		orders: named(fold(ORDER)),
	};
}

/** As many columns for one field as a row is searched for. */
const MAX_FITTING = 20;

/** The headings that fit a field, the best first. A column in which nothing stands does not count beside others. */
function fitting(
	column: Column,
	folded: readonly FoldedHeading[],
	filled: ReadonlySet<string>,
): Fit[] {
	const names = [column.field, column.label].map(fold);
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
export function matchHeadings(
	headings: readonly string[],
	filled: ReadonlySet<string>,
	columns: readonly Column[],
): Headings {
	const folded = headings.map(foldHeading);
	const fits = new Map(columns.map((each) => [each.field, fitting(each, folded, filled)]));
	const fitsOf = (field: string) => fits.get(field) ?? [];
	const statesCurrency = fitsOf('currency').some(({ heading }) => filled.has(heading));
	const amount = fittingAmount(headings, filled, statesCurrency);
	const result: Headings = {
		matched: [],
		orders: fitsOf(ORDER),
		written: writtenBack(folded, filled),
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
		if (best && (isTie || all.length > MAX_FITTING)) {
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
		if (result.fullNames.length > MAX_FITTING) {
			result.ambiguous.push({ column: firstName, headings: [...result.fullNames] });
		}
	}
	return result;
}

/** In the words of the editor, which are n8n's own. */
const MAP_BY_HAND = "set 'Mapping Column Mode' to 'Map Each Column Manually'";

/** As many as somebody would read. */
const MAX_QUOTED = 50;
const LONGEST_QUOTED = 80;

export const quoted = (names: readonly string[]): string => {
	const shown = names.slice(0, MAX_QUOTED).map((name) => `"${cut(name, LONGEST_QUOTED)}"`);
	const more = names.length - shown.length;
	return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
};

/** Throws when the headings do not say where the required fields are. */
export function refuse(
	{ missing, ambiguous, unclear }: Headings,
	headings: readonly string[],
): void {
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
