import { LONGEST } from '../protocol/limits';
import { COUNTRIES, WHOLE_UNIT_CURRENCIES, type Country } from './data';

export const COUNTRY_TABLES = ['paymentLinks', 'collections'] as const;
export type CountryTable = (typeof COUNTRY_TABLES)[number];

/** The rows of one of the two tables, in the specification's order. */
export const countriesOf = (table: CountryTable): readonly Country[] =>
	table === 'paymentLinks' ? COUNTRIES : COUNTRIES.filter((country) => country.collections);

/**
 * Case, accents, apostrophes and punctuation do not matter in a name. What is too long to be one
 * stays as it is: Unicode's own normalization takes quadratic time for some texts.
 */
export const fold = (text: string): string =>
	text.length > LONGEST.name
		? text
		: text
				.normalize('NFD')
				.replace(/\p{Diacritic}/gu, '')
				.replace(/[^\p{Letter}\p{Number}]/gu, '')
				.toLowerCase();

const INDEX: ReadonlyMap<string, Country> = new Map(
	COUNTRIES.flatMap((country) =>
		[
			String(country.id),
			country.iso2,
			country.iso3,
			country.dialCode,
			country.name,
			...country.aliases,
		].map((key): [string, Country] => [fold(key), country]),
	),
);

/** Finds a country by id, ISO code, name or dial code; undefined when nothing fits. */
export function findCountry(given: unknown): Country | undefined {
	if (typeof given !== 'string' && typeof given !== 'number') return undefined;
	const text = String(given).trim();
	if (text.length > LONGEST.name) return undefined;
	// With its mark it is a dial code and nothing else: +1 is not the country with the id 1.
	const marked = /^(?:\+|00)\s*(\d+)$/.exec(text);
	if (marked) return COUNTRIES.find((country) => country.dialCode === marked[1]);
	// Together with digits nothing is forgiven: "-1", "1.6" and "1,6" are not ids.
	if (/\d/.test(text) && !/^\d+$/.test(text)) return undefined;
	return INDEX.get(fold(text));
}

export const currenciesOf = (table: CountryTable): readonly string[] => [
	...new Set(countriesOf(table).map((country) => country.currency)),
];

/** All that the service has. */
export const CURRENCIES = currenciesOf('paymentLinks');

export const decimalsOf = (currency: string): 0 | 2 =>
	WHOLE_UNIT_CURRENCIES.includes(currency) ? 0 : 2;

export const countriesWithCurrency = (currency: string): readonly Country[] =>
	COUNTRIES.filter((country) => country.currency === currency);
