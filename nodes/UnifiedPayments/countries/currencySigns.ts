import { CURRENCIES } from './lookup';

/**
 * Signs that people write beside an amount, and the currencies of the service that each may mean. Not
 * here, because they mean other things as well: K (kwacha, kina, thousands), GHC (the old cedi).
 */
const SIGNS: ReadonlyMap<string, readonly string[]> = new Map([
	['ksh', ['KES']],
	['kshs', ['KES']],
	['ush', ['UGX']],
	['tsh', ['TZS']],
	['gh₵', ['GHS']],
	['₵', ['GHS']],
	['₦', ['NGN']],
	['le', ['SLE']],
	['nle', ['SLE']],
	['sh', ['KES', 'TZS', 'UGX']],
	['shs', ['KES', 'TZS', 'UGX']],
	['/=', ['KES', 'TZS', 'UGX']],
	['/-', ['KES', 'TZS', 'UGX']],
	['cfa', ['XAF', 'XOF']],
	['fcfa', ['XAF', 'XOF']],
]);

/** For better words alone: what is not understood is refused, whether or not it is listed here. */
const OTHER_CURRENCIES = new Set(Intl.supportedValuesOf('currency'));

/**
 * The currencies of the service that a word may mean: one for a code, several for some signs, none for
 * a currency that the service does not have. Null for a word that is no currency.
 */
export function currenciesMeant(word: string): readonly string[] | null {
	const upper = word.toUpperCase();
	if (CURRENCIES.includes(upper)) return [upper];
	const isOther = OTHER_CURRENCIES.has(upper) || /^\p{Currency_Symbol}$/u.test(word);
	return SIGNS.get(word.toLowerCase()) ?? (isOther ? [] : null);
}
