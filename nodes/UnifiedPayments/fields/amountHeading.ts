import { CURRENCIES, fold } from '../countries/lookup';
import { LONGEST } from '../protocol/limits';

/** Why the values below a heading cannot be taken for amounts to pay. */
export interface Unclear {
	heading: string;
	/** Completes "The heading "Amount (USD)" does not say clearly what to send: …". */
	why: string;
	/** What to do about it. */
	advice: string;
}

/** Where the amount to pay is, or why nobody can tell. */
interface AmountFound {
	/** Several when they fit equally well: choosing would be guessing. */
	headings: string[];
	/** What "Amount (KES)" says about the currency. */
	currency: string | null;
	unclear: Unclear | null;
}

/**
 * Signs that stand for one currency of the service and no other. Not here, because they have several
 * meanings: Sh (three countries), K (kwacha, kina, thousands), CFA (XOF and XAF), GHC (the old cedi).
 */
const SIGNS: ReadonlyMap<string, string> = new Map([
	['ksh', 'KES'],
	['kshs', 'KES'],
	['ush', 'UGX'],
	['tsh', 'TZS'],
	['gh₵', 'GHS'],
	['₵', 'GHS'],
	['₦', 'NGN'],
	['le', 'SLE'],
	['nle', 'SLE'],
]);

/** For better words alone: what is not understood is refused, whether or not it is listed here. */
const OTHER_CURRENCIES = new Set(Intl.supportedValuesOf('currency'));

const NAME = /amount|total|sum|price|payment/;
const TO_PAY = /due|total|payable|topay/;
/** Words for an amount, words for "to pay", and the words that join them, also without spaces. */
const UNDERSTOOD = /^(?:amount|grand|total|sum|price|payment|due|payable|topay|in|of|the)+$/;

const ONE_UNIT = ['unit', 'per', 'each', 'apiece'];
/** With one of these words, a heading is about a payment and yet no amount. */
const NO_AMOUNT = [
	...['date', 'status', 'method', 'type', 'reference', 'ref', 'id', 'number', 'words'],
	...['currency', 'country', 'link', 'url', 'name'],
];

const QUANTITY = ['quantity', 'quantities', 'qty', 'units', 'count', 'pieces', 'pcs'];
/** Quantities when nothing but "number of" is said about them. */
const COUNTED =
	/^(?:(?:total|number|no|nr)(?:of)?)?(?:items|copies|tickets|seats|persons|people|guests|pax|boxes|bags|hours|days|nights)$/;

/** Punctuation that says nothing. Every other sign is a word, so that "Amount (%)" is no "Amount". */
const PUNCTUATION = /[\s()[\]{}_'’"“”.,:;*?/|\p{Dash_Punctuation}\p{Format}\p{Control}]+/u;
/** amountKES, KESAmount, Amount000, Amount₦. */
const INNER_WORDS =
	/(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=[^\p{L}\p{M}])|(?<=[^\p{L}\p{M}])(?=\p{L})/u;

/** Signs of several currencies, which count beside an amount when one of them is the row's. */
const SHARED_SIGNS: ReadonlyMap<string, readonly string[]> = new Map([
	['sh', ['KES', 'TZS', 'UGX']],
	['shs', ['KES', 'TZS', 'UGX']],
	['/=', ['KES', 'TZS', 'UGX']],
	['/-', ['KES', 'TZS', 'UGX']],
	['cfa', ['XAF', 'XOF']],
	['fcfa', ['XAF', 'XOF']],
]);

/** The currencies that a word or sign beside an amount may mean; null when it means none. */
export function currenciesMeant(word: string): readonly string[] | null {
	const own = currencyOf(word);
	if (own !== undefined) return [own];
	const isOther = isOtherCurrency({ text: word });
	return SHARED_SIGNS.get(word.toLowerCase()) ?? (isOther ? [word.toUpperCase()] : null);
}

const currencyOf = (word: string): string | undefined =>
	CURRENCIES.find((code) => code === word.toUpperCase()) ?? SIGNS.get(word.toLowerCase());

const isOtherCurrency = ({ text }: Pick<Word, 'text'>): boolean =>
	OTHER_CURRENCIES.has(text.toUpperCase()) || /^\p{Currency_Symbol}$/u.test(text);

interface Word {
	/** As it is written. */
	text: string;
	/** As it is compared. A sign folds to nothing, and is then its own word. */
	folded: string;
	/** It names an amount, says "to pay", or joins such words. */
	understood: boolean;
	currency: string | undefined;
}

/** A heading taken apart. */
interface Heading {
	heading: string;
	words: Word[];
}

/** A sign such as "KSh" is one word, and so is "to pay". */
function takeApart(heading: string): Heading {
	// Cut, and then refused if it is about an amount: the rest may say that it is in cents.
	const texts = heading
		.slice(0, LONGEST.heading)
		.normalize('NFKC')
		.split(PUNCTUATION)
		.flatMap((word) => (currencyOf(word) === undefined ? word.split(INNER_WORDS) : [word]))
		.join(' ')
		.replace(/\bto (?:pay|be paid)\b/gi, 'toPay')
		.split(' ')
		.filter((word) => word !== '');
	const folds = texts.map(fold);
	const words = texts.map((text, index): Word => {
		const folded = folds[index] || text;
		return { text, folded, understood: UNDERSTOOD.test(folded), currency: currencyOf(text) };
	});
	return { heading, words };
}

interface AmountHeading {
	heading: string;
	currency: string | null;
	/** What is said of it, in folded words: "amount", "totalamount". */
	name: string;
	unclear: Unclear | null;
	/** It names a currency that the service does not have. */
	inOtherCurrency: boolean;
}

/** A heading that is about an amount; null for all others. */
function readAmountHeading({ heading, words }: Heading): AmountHeading | null {
	const name = foldedText(words.filter(({ understood }) => understood));
	if (!NAME.test(name) || isQuantity(words)) return null;
	if (words.some(({ folded }) => NO_AMOUNT.includes(folded))) return null;
	// "Payment due" is a date as often as an amount.
	if (/due/.test(name) && !/amount|total|sum/.test(name)) return null;
	const currencies = [...new Set(words.flatMap(({ currency }) => currency ?? []))];
	const unknown = words.filter(({ understood, currency }) => !understood && currency === undefined);
	return {
		heading,
		currency: currencies[0] ?? null,
		name,
		unclear: doubtIn(heading, unknown, currencies),
		inOtherCurrency: unknown.some(isOtherCurrency),
	};
}

function doubtIn(heading: string, unknown: Word[], currencies: string[]): Unclear | null {
	const doubt = (why: string): Unclear => ({ heading, why, advice: RENAME });
	if (heading.length > LONGEST.heading) {
		return doubt(`it is longer than ${LONGEST.heading} characters`);
	}
	if (unknown.some(({ folded }) => ONE_UNIT.includes(folded))) {
		return { heading, why: 'it is the price of one unit', advice: MULTIPLY };
	}
	const other = unknown.find(isOtherCurrency);
	if (other) return doubt(`${other.text.toUpperCase()} is not a currency of this service`);
	if (unknown.some(({ text }) => /^f?cfa$/i.test(text))) return doubt('CFA may mean XOF or XAF');
	if (currencies.length > 1) return doubt(`it names ${currencies.join(' and ')}`);
	const written = unknown.map(({ text }) => text).join(' ');
	return unknown.length > 0 ? doubt(`"${written}" was not understood`) : null;
}

const RENAME = `Once its values are plain amounts to pay, rename the column to "Amount" (in the currency of the country) or, for example, "Amount (KES)". The service takes ${CURRENCIES.join(', ')}.`;
const MULTIPLY = 'Add a column with the amount to pay, price times quantity, and call it "Amount".';

const foldedText = (words: readonly Word[]): string => words.map(({ folded }) => folded).join('');

const isQuantity = (words: readonly Word[]): boolean =>
	words.some(({ folded }) => QUANTITY.includes(folded)) || COUNTED.test(foldedText(words));

const isPrice = ({ name }: AmountHeading): boolean => /price/.test(name) && !TO_PAY.test(name);

/** The field's own name, and names that say "to pay", are better than the others. */
const isBest = ({ name }: AmountHeading): boolean => name === 'amount' || TO_PAY.test(name);

/** Next to a quantity, a price may be that of one unit. */
function besideQuantity(amount: AmountHeading, quantity: string | undefined): AmountHeading {
	if (quantity === undefined || amount.unclear || !isPrice(amount)) return amount;
	const why = `beside "${quantity}" it may be the price of one unit`;
	return { ...amount, unclear: { heading: amount.heading, why, advice: MULTIPLY } };
}

/** Finds the heading of the amount to pay. A heading that could mean two things is not used. */
export function findAmount(given: readonly string[], currencyIsStated: boolean): AmountFound {
	const headings = given.map(takeApart);
	const quantity = headings.find(({ words }) => isQuantity(words))?.heading;
	const amounts = headings
		.flatMap((heading) => readAmountHeading(heading) ?? [])
		.map((amount) => besideQuantity(amount, quantity));
	const clear = amounts.filter(({ unclear }) => unclear === null);
	const best = clear.some(isBest) ? clear.filter(isBest) : clear;
	const unclear = doubtBeside(best, amounts, currencyIsStated);
	if (unclear) return { headings: [], currency: null, unclear };
	return {
		headings: best.map(({ heading }) => heading),
		currency: best.length === 1 ? (best[0]?.currency ?? null) : null,
		unclear: null,
	};
}

/** What is unclear in the sheet, unless the best heading is clear in spite of it. */
function doubtBeside(
	best: readonly AmountHeading[],
	amounts: readonly AmountHeading[],
	currencyIsStated: boolean,
): Unclear | null {
	const doubtful = amounts.filter(({ unclear }) => unclear !== null);
	const [first] = best;
	if (first === undefined) return doubtful[0]?.unclear ?? null;
	// "Price" does not stand in for "Amount (cents)".
	const better = isBest(first)
		? undefined
		: doubtful.find((each) => /amount|total/.test(each.name));
	// Beside "Amount (USD)", a "Total" may be in dollars as well.
	const sameCurrency =
		first.name !== 'amount' && first.currency === null && !currencyIsStated
			? doubtful.find(({ inOtherCurrency }) => inOtherCurrency)
			: undefined;
	return (better ?? sameCurrency)?.unclear ?? null;
}
