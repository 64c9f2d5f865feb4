import { readFileSync } from 'node:fs';
import { join } from 'node:path';

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
});

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
