import { currenciesOf, fold } from '../countries/lookup';

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

/** The smaller, the closer: the field's own name, a synonym, either with a remark in brackets. */
function distance(heading: string, { field, label }: Column): number | null {
	const names = [fold(field), fold(label)];
	const synonyms = SYNONYMS[field] ?? [];
	const whole = fold(heading);
	const withoutRemark = fold(heading.replace(/[([{][^)\]}]*[)\]}]/g, ' '));
	const candidates = [names.includes(whole), synonyms.includes(whole)];
	const remarked = [names.includes(withoutRemark), synonyms.includes(withoutRemark)];
	const found = [...candidates, ...remarked].indexOf(true);
	return found === -1 ? null : found;
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
	for (const column of columns) {
		const fits = headings.flatMap((heading) => {
			const { code, rest } = splitCurrency(heading);
			const far = distance(column.field === 'amount' ? rest : heading, column);
			return far === null ? [] : [{ heading, far, code }];
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
