import { COUNTRIES } from '../../../nodes/UnifiedPayments/countries/data.ts';
import {
	countriesWithCurrency,
	findCountry,
} from '../../../nodes/UnifiedPayments/countries/lookup.ts';

describe('findCountry', () => {
	it.each(COUNTRIES.map((country) => [country.name, country] as const))(
		'finds %s by everything that names it',
		(_, country) => {
			const { id, iso2, iso3, name, dialCode, aliases } = country;
			const words = [iso2, iso3, name, ...aliases];
			const ways: unknown[] = [
				...[id, String(id), ` ${id} `, dialCode, Number(dialCode)],
				...[`+${dialCode}`, `00${dialCode}`, `+ ${dialCode}`],
				...words.flatMap((word) => [word, word.toLowerCase(), word.toUpperCase(), ` ${word}\n`]),
			];
			for (const way of ways) expect([way, findCountry(way)?.iso2]).toEqual([way, iso2]);
		},
	);

	it.each([
		['Côte d’Ivoire', 'CI'],
		['Co\u0302te d\u2019Ivoire', 'CI'],
		['Ivory Coast', 'CI'],
		['Sierra-Leone', 'SL'],
		['United Republic of Tanzania', 'TZ'],
	])('forgives the spelling %s', (given, iso2) => {
		expect(findCountry(given)?.iso2).toBe(iso2);
	});

	it.each([
		...[-1, 1.6, 0, 5, 99, '-1', '1.6'],
		...['1e0', '01', '+1', '+', '', '  '],
		...['KEX', 'Wakanda', '+254x', 'x+254', '+254 Kenya'],
		...['254712345678', 'constructor', '__proto__', null, undefined, {}, [1]],
		...[['KE']],
	])('finds none for %p', (given) => {
		expect(findCountry(given)).toBeUndefined();
	});
});

describe('the lists', () => {
	it('find the countries of a currency', () => {
		expect(countriesWithCurrency('XOF').map(({ iso2 }) => iso2)).toEqual(['BJ', 'CI', 'SN']);
		expect(countriesWithCurrency('KES').map(({ iso2 }) => iso2)).toEqual(['KE']);
		expect(countriesWithCurrency('EUR')).toEqual([]);
	});
});
