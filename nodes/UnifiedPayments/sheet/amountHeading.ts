import { currenciesMeant } from '../countries/currencySigns';
import { fold } from '../countries/lookup';
import { LONGEST } from '../protocol/limits';

/** What the heading of the amount to pay says about its currency. */
export interface AmountHeading {
	/** Null when the heading says nothing about it, or nothing that can be used. */
	currency: string | null;
	/** False when it names several currencies, one of several meanings, or none of the service's. */
	isClear: boolean;
}

const NAMES = ['amount', 'montant', 'total'];
const WORDS = new Set([
	...NAMES,
	...['grand', 'due', 'payable', 'topay', 'in', 'of', 'the', 'apayer', 'en', 'du'],
]);

/** Every other sign is a word, so that "Amount (%)" is no "Amount". */
const PUNCTUATION = /[\s()[\]{}_'’"“”.,:;*?/|\p{Dash_Punctuation}]+/u;
/** amountToPay, amountKES */
const INNER_WORDS = /(?<=\p{Ll})(?=\p{Lu})/u;

/** Null unless every word of the heading is known, and one of them says that it is the amount. */
export function readAmountHeading(heading: string): AmountHeading | null {
	if (heading.length > LONGEST.heading) return null;
	const words = heading
		.normalize('NFKC')
		.split(PUNCTUATION)
		.flatMap((word) => word.split(INNER_WORDS))
		.filter((word) => word !== '');
	const others = words.filter((word) => meantBy(word) === null);
	const known = others
		.map((word) => fold(word) || word)
		.join(' ')
		.replace(/\bto pay\b/g, 'topay')
		.replace(/\ba payer\b/g, 'apayer')
		.split(' ');
	if (!known.some((word) => NAMES.includes(word))) return null;
	if (!known.every((word) => WORDS.has(word))) return null;
	const [meant, ...more] = new Set(words.flatMap((word) => meantBy(word)?.join() ?? []));
	if (meant === undefined) return { currency: null, isClear: true };
	const isClear = more.length === 0 && /^[A-Z]{3}$/.test(meant);
	return { currency: isClear ? meant : null, isClear };
}

/** In French, "le" is no currency. */
const meantBy = (word: string): readonly string[] | null =>
	word.toLowerCase() === 'le' ? null : currenciesMeant(word);
