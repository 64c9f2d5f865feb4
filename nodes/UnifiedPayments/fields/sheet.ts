import type { IDataObject, NodeExecutionHint } from 'n8n-workflow';

import { currenciesOf, fold } from '../countries/lookup';
import { isBlank, type RawFields } from './field';
import { SheetError } from './inputError';

/** A field that a column of a sheet can fill. */
export interface Column {
	/** Parameter name. */
	field: string;
	label: string;
	required: boolean;
}

/** Which heading fills which field. */
export interface Matched {
	column: Column;
	heading: string;
}

export interface Headings {
	matched: Matched[];
	/** What "Amount (KES)" says about the currency. */
	currency: string | null;
	/** Headings that fill no field. */
	ignored: string[];
	/** Required fields without a heading. */
	missing: Column[];
	/** Fields for which several headings fit equally well: choosing would be guessing. */
	ambiguous: Array<{ column: Column; headings: string[] }>;
}

/** What people write above a column, in addition to the field's own name. Folded: no case, no spaces. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
	amount: ['total', 'price', 'sum', 'amountdue', 'totalamount', 'amounttopay', 'payment'],
	businessName: ['business', 'company', 'companyname', 'merchant', 'merchantname', 'shop'],
	callbackUrl: ['callback', 'webhook', 'webhookurl', 'notificationurl'],
	country: ['countrycode', 'countryid', 'countryname', 'nation'],
	currency: ['currencycode', 'ccy'],
	currencyCountry: ['currencycountryid', 'payercountry', 'countryofpayer'],
	email: ['emailaddress', 'mail', 'customeremail', 'emailid'],
	firstName: ['givenname', 'forename', 'customerfirstname'],
	itemName: ['item', 'product', 'productname', 'description', 'itemdescription', 'service'],
	lastName: ['surname', 'familyname', 'customerlastname'],
	mobile: PHONES(),
	paymentMethodType: ['paymentmethod', 'method', 'operator', 'network', 'provider', 'channel'],
	phone: [...PHONES(), 'mobile', 'customerphone'],
	redirectionUrl: ['redirecturl', 'redirect', 'returnurl', 'thankyoupage'],
	thirdPartyReference1: [
		'reference',
		'ref',
		'reference1',
		'orderid',
		'ordernumber',
		'orderno',
		'orderreference',
		'invoice',
		'invoiceno',
		'invoicenumber',
		'externalreference',
	],
	thirdPartyReference2: ['reference2', 'ref2', 'customerid', 'customerreference'],
};

function PHONES(): string[] {
	const words = ['phone', 'mobile', 'cell', 'cellphone', 'mobilephone', 'telephone', 'contact'];
	const numbers = words.flatMap((word) => [`${word}number`, `${word}no`]);
	return ['phone', 'msisdn', 'tel', 'telephone', 'cell', 'cellphone', 'mobilephone', ...numbers];
}

const CODES = currenciesOf('paymentLinks');

/** "Amount (KES)", "amount_kes" and "KES amount" → KES and what is left; else the heading as it is. */
function splitCurrency(heading: string): { code: string | null; rest: string } {
	const words = heading.split(/[^\p{Letter}\p{Number}]+/u).filter((word) => word !== '');
	const codes = words.filter((word) => CODES.includes(word.toUpperCase()));
	if (codes.length !== 1 || words.length === 1) return { code: null, rest: heading };
	const rest = words.filter((word) => word !== codes[0] && word.toLowerCase() !== 'in');
	return { code: codes[0]!.toUpperCase(), rest: rest.join(' ') };
}

const withoutRemark = (heading: string): string => heading.replace(/[([{][^)\]}]*[)\]}]/g, ' ');

/** A heading in the ways in which it may name a field, folded. */
interface FoldedHeading {
	whole: string;
	withoutRemark: string;
}

const foldHeadings = (headings: readonly string[]): FoldedHeading[] => {
	const whole = headings.map(fold);
	const bare = headings.map(withoutRemark).map(fold);
	return headings.map((_, index) => ({ whole: whole[index]!, withoutRemark: bare[index]! }));
};

/** The smaller, the closer: the field's own name, a synonym, either with a remark in brackets. */
function distance(heading: FoldedHeading, names: readonly string[], field: string): number | null {
	const synonyms = SYNONYMS[field] ?? [];
	const found = [
		names.includes(heading.whole),
		synonyms.includes(heading.whole),
		names.includes(heading.withoutRemark),
		synonyms.includes(heading.withoutRemark),
	].indexOf(true);
	return found === -1 ? null : found;
}

/** Matches the headings of a sheet to the fields of an operation. */
export function matchHeadings(headings: readonly string[], columns: readonly Column[]): Headings {
	const result: Headings = {
		matched: [],
		currency: null,
		ignored: [],
		missing: [],
		ambiguous: [],
	};
	const used = new Set<string>();
	const currencies = headings.map(splitCurrency);
	const asWritten = foldHeadings(headings);
	const withoutCurrency = foldHeadings(currencies.map(({ rest }) => rest));
	const names = columns.flatMap(({ field, label }) => [field, label]).map(fold);
	for (const [at, column] of columns.entries()) {
		const folded = column.field === 'amount' ? withoutCurrency : asWritten;
		const fits = headings.flatMap((heading, index) => {
			const far = distance(folded[index]!, names.slice(2 * at, 2 * at + 2), column.field);
			return far === null ? [] : [{ heading, far, code: currencies[index]!.code }];
		});
		const nearest = Math.min(...fits.map(({ far }) => far));
		const best = fits.filter(({ far }) => far === nearest);
		const [only] = best;
		if (best.length > 1) {
			result.ambiguous.push({ column, headings: best.map(({ heading }) => heading) });
			continue;
		}
		if (only === undefined) {
			if (column.required) result.missing.push(column);
			continue;
		}
		result.matched.push({ column, heading: only.heading });
		used.add(only.heading);
		if (column.field === 'amount') result.currency = only.code;
	}
	result.ignored = headings.filter((heading) => !used.has(heading));
	return result;
}

/** A sheet whose headings are matched to the fields once, and whose cells are then read directly. */
export interface Sheet {
	fields(row: number, fallback: RawFields): RawFields;
	/** The heading of a field, when it is not the field's own name. */
	heading(field: string): string | undefined;
	hint(): NodeExecutionHint;
}

/** Throws when the headings do not say where the required fields are. */
export function openSheet(rows: readonly IDataObject[], columns: readonly Column[]): Sheet {
	const headings = [...new Set(rows.flatMap((row) => Object.keys(row)))];
	const found = matchHeadings(headings, columns);
	refuse(found, headings);
	const { matched, currency, ignored } = found;
	return {
		fields(row, fallback) {
			const cells = rows[row] ?? {};
			const fields: RawFields = { ...fallback };
			if (currency !== null) fields.currency = currency;
			for (const { column, heading } of matched) {
				const cell = cells[heading];
				if (!isBlank(cell)) fields[column.field] = cell;
			}
			return fields;
		},
		heading: (field) => matched.find(({ column }) => column.field === field)?.heading,
		hint: () => ({
			message: [
				`Columns: ${matched.map(({ column, heading }) => `"${heading}" → ${column.label}`).join(', ')}`,
				...(ignored.length > 0 ? [`Ignored: ${quoted(ignored)}`] : []),
			].join('. '),
			type: 'info',
			location: 'outputPane',
		}),
	};
}

const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ');

function refuse({ missing, ambiguous }: Headings, headings: readonly string[]): void {
	const [doubt] = ambiguous;
	if (doubt) {
		throw new SheetError(
			`Several columns fit '${doubt.column.label}': ${quoted(doubt.headings)}`,
			"Rename all but one of them, or set 'Columns' to map each column manually. Nothing was sent.",
		);
	}
	if (missing.length === 0) return;
	const names = missing.map(({ label }) => `'${label}'`).join(', ');
	throw new SheetError(
		`The input has no column for ${names}`,
		`Its columns are ${quoted(headings) || 'none'}. Rename one of them, add the column, or set 'Columns' to map each column manually. Nothing was sent.`,
	);
}
