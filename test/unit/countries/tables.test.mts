import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { getCountryCallingCode, isSupportedCountry } from 'libphonenumber-js/max';

import { COUNTRIES, type Country } from '../../../nodes/UnifiedPayments/countries/data.ts';
import { countriesOf, decimalsOf } from '../../../nodes/UnifiedPayments/countries/lookup.ts';

/** A table of the specification as it stands there: its heading, then its rows. */
function table(name: string): { heading: string[]; rows: string[][] } {
	const file = join(process.cwd(), 'test', 'fixtures', `countries-${name}.tsv`);
	const [heading = [], ...rows] = readFileSync(file, 'utf8')
		.trimEnd()
		.split('\n')
		.map((line) => line.split('\t'));
	return { heading, rows };
}

/** The specification's words for what our data says. */
function methodsText({ methodTypes, operators }: Country['paymentLinks']): string {
	if (operators === 0) return methodTypes.join(', ');
	return `${operators} mobile operator${operators === 1 ? '' : 's'}`;
}

function extraText({ supported, twoDecimals }: NonNullable<Country['collections']>): string {
	if (!supported) return 'Not Supported';
	return {
		'not stated': 'empty',
		'all operators': '2 dp',
		'one operator': '2 dp for one named operator',
	}[twoDecimals];
}

const SHARED = ['country_id', 'Country', 'Dial code', 'Currency'];
const shared = ({ id, name, dialCode, currency }: Country) =>
	[id, name, dialCode, currency].map(String);

describe('the tables of the specification', () => {
	it('for payment links are our data, row by row', () => {
		const { heading, rows } = table('payment-links');
		expect(heading).toEqual([...SHARED, 'Payment method types']);
		expect(rows).toHaveLength(11);
		const ours = countriesOf('paymentLinks').map((country) => [
			...shared(country),
			methodsText(country.paymentLinks),
		]);
		expect(ours).toEqual(rows);
	});

	it('for collections are our data, row by row', () => {
		const { heading, rows } = table('collections');
		expect(heading).toEqual([...SHARED, 'Payment method types', 'Extra column']);
		expect(rows).toHaveLength(9);
		const ours = countriesOf('collections').map((country) => [
			...shared(country),
			methodsText(country.collections!),
			extraText(country.collections!),
		]);
		expect(ours).toEqual(rows);
	});

	it('name no country that the other data does not know', () => {
		const ids = [...table('payment-links').rows, ...table('collections').rows].map(([id]) => id);
		expect([...new Set(ids)].sort()).toEqual(COUNTRIES.map(({ id }) => String(id)).sort());
	});

	it('mark the methods as operators exactly where operators are counted', () => {
		for (const { paymentLinks, collections } of COUNTRIES) {
			for (const terms of [paymentLinks, ...(collections ? [collections] : [])]) {
				expect(terms.methodTypes.includes('mobile operator')).toBe(terms.operators > 0);
			}
		}
	});
});

describe.each(COUNTRIES.map((country): [string, Country] => [country.name, country]))(
	'%s',
	(_, country) => {
		/** CLDR calls it Côte d’Ivoire; the specification has no accent. */
		const plain = (text: string) =>
			text
				.normalize('NFD')
				.replace(/[^A-Za-z ]/g, '')
				.toLowerCase();

		it('has the codes that the Unicode consortium, libphonenumber and ISO 4217 know', () => {
			const { iso2, name, dialCode, currency } = country;
			const names = new Intl.DisplayNames('en', { type: 'region' });
			expect(plain(names.of(iso2) ?? '')).toBe(plain(name));
			expect(dialCode).toBe(isSupportedCountry(iso2) ? getCountryCallingCode(iso2) : '');
			expect(Intl.supportedValuesOf('currency')).toContain(currency);
		});
	},
);

it('the three-letter codes are those of ISO 3166-1', () => {
	expect(COUNTRIES.map(({ iso2, iso3 }) => `${iso2} ${iso3}`).join(', ')).toBe(
		'KE KEN, BJ BEN, CI CIV, CM CMR, SN SEN, TZ TZA, UG UGA, ZM ZMB, SL SLE, GH GHA, NG NGA',
	);
});

it.each([
	[0, ['XOF', 'XAF']],
	[2, ['KES', 'TZS', 'UGX', 'ZMW', 'SLE', 'GHS', 'NGN']],
])('there are %i decimals in %j', (decimals, currencies) => {
	for (const currency of currencies) expect(decimalsOf(currency)).toBe(decimals);
});
