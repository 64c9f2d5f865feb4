import { currenciesMeant } from '../countries/currencySigns';
import { decimalsOf } from '../countries/lookup';
import { MAX_DIGITS, readDecimal, type DecimalProblem } from '../payment/amount';
import { LONGEST } from '../protocol/limits';
import { and, bad, good, visible, type Read } from './field';
import { requiredTextField } from './text';

const ALLOWED = 'Enter a positive number with at most two decimals, e.g. 1500 or 1500.50.';

const PROBLEMS: Readonly<Record<DecimalProblem, Read<never>>> = {
	'not a number': bad('which is not an amount', ALLOWED),
	negative: bad('which is not positive', ALLOWED),
	zero: bad('which is not positive', ALLOWED),
	ambiguous: bad(
		'which could mean thousands or decimals',
		'Write it without a thousands separator and with a point before the decimals, e.g. 1500.50.',
	),
	'too many decimals': bad('which has more than two decimals', ALLOWED),
	'too large': bad('which is too large to be sent exactly', `Give at most ${MAX_DIGITS} digits.`),
};

/** An amount as people write it: "KES 3,400.00", "2000/=". */
interface WrittenAmount {
	/** An exact decimal text. */
	amount: string;
	/** The currencies that each sign beside it may mean. */
	signs: ReadonlyArray<readonly string[]>;
}

const SIGN_BEFORE = /^([^\d\s.,'’+-]{1,5})\.?\s{0,3}(?=\d)/u;
const SIGN_AFTER = /(?<=\d)\s{0,3}([^\d\s.,'’]{1,5})\.?$/u;

/** Removes a currency on either side. Anything else that is left makes it no amount. */
function withoutSigns(text: string): { rest: string; signs: WrittenAmount['signs'] } {
	const signs: Array<readonly string[]> = [];
	let rest = text;
	for (const pattern of [SIGN_BEFORE, SIGN_AFTER]) {
		const found = pattern.exec(rest);
		const meant = found === null ? null : currenciesMeant(found[1] ?? '');
		if (found === null || meant === null) continue;
		signs.push(meant);
		rest = rest.replace(found[0], '');
	}
	return { rest, signs };
}

function readAmount(given: unknown): Read<WrittenAmount> {
	if (typeof given !== 'string' && typeof given !== 'number') return PROBLEMS['not a number'];
	if (typeof given === 'string' && given.trim() === '') {
		return bad('but an amount is needed', ALLOWED);
	}
	const isText = typeof given === 'string' && given.length <= LONGEST.amount;
	const { rest, signs } = isText ? withoutSigns(given.trim()) : { rest: given, signs: [] };
	const read = readDecimal(rest);
	return 'problem' in read ? PROBLEMS[read.problem] : good({ amount: read.value, signs });
}

/** XOF and XAF have no minor unit; the tables' other currencies take up to two decimals. */
export function amountIn({ amount, signs }: WrittenAmount, currency: string): Read<string> {
	if (signs.some((meant) => !meant.includes(currency))) {
		return bad(
			`but the currency of this row is ${currency}`,
			`Give the amount in ${currency}, or correct the country or the currency of the row. If the heading of the amount names a currency, rename it to "Amount".`,
		);
	}
	if (decimalsOf(currency) > 0 || !amount.includes('.')) return good(amount);
	return bad(
		`but ${currency} has no decimals`,
		`Give a whole number of ${currency}, e.g. ${amount.split('.')[0]}.`,
	);
}

/** An amount that was read, as a payment link states it: "1250.50", "80". */
export function twoDecimalsOrNone(amount: string): string {
	const [whole = '', fraction = ''] = amount.split('.');
	return /[1-9]/.test(fraction) ? `${whole}.${fraction.padEnd(2, '0')}` : whole;
}

export const amountField = requiredTextField(
	{
		displayName: 'Amount',
		name: 'amount',
		placeholder: 'e.g. 1500.50',
		builderHint: {
			propertyHint: 'In units of the currency, never in cents: 1500.50 means 1500 and a half.',
		},
		description: 'What the customer pays. At most two decimals; whole numbers for XOF and XAF.',
	},
	(given) => and(visible(given), readAmount),
);
