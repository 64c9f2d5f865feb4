import {
	countryField,
	currencyCountryField,
} from '../../../nodes/UnifiedPayments/fields/country.ts';

const BLANKS = [undefined, null, '', '  ', '\t\n'];

describe('a country', () => {
	it.each(['KE', 'Kenya', 1, 254])('finds Kenya by %j in both tables', (given) => {
		for (const table of ['paymentLinks', 'collections'] as const) {
			expect(countryField(table).read(given)).toMatchObject({ ok: true, value: { iso2: 'KE' } });
		}
	});

	it('says which countries there are', () => {
		const read = countryField('collections').read('Wakanda');
		expect(read).toEqual({
			ok: false,
			reason: 'which is not a country of this service',
			allowed:
				'Choose one of Kenya (KE, id 1), Tanzania (TZ, id 10), Uganda (UG, id 11), Zambia (ZM, id 12), ' +
				'Sierra Leone (SL, id 13).',
		});
	});

	it.each(BLANKS)('needs one where there is %j', (given) => {
		expect(countryField('paymentLinks').read(given)).toMatchObject({
			ok: false,
			reason: 'but a country is needed',
		});
	});

	it.each(['Ghana', 'Wakanda', ''])('never advises a country that is refused next: %s', (given) => {
		const read = countryField('collections').read(given) as { allowed: string };
		expect(read.allowed).not.toMatch(/Benin|Ivoire|Cameroon|Senegal/);
	});

	it('says in the editor where collections are not offered, and what is', () => {
		const said = 'Customers in Ghana and Nigeria can pay by payment link.';
		expect(countryField('collections').property.description).toContain(said);
		expect(countryField('paymentLinks').property.description).not.toContain(said);
	});

	it.each(['Ghana', 'NG'])('offers %s for links only', (given) => {
		expect(countryField('paymentLinks').read(given).ok).toBe(true);
		expect(countryField('collections').read(given)).toMatchObject({
			ok: false,
			reason: 'where collections are not offered',
			allowed: expect.stringMatching(
				/^Choose one of Kenya[^.]*\. In (?:Ghana|Nigeria) customers can pay by payment link\.$/,
			) as unknown,
		});
	});
});

describe('the country of a currency', () => {
	it('may be left out', () => {
		expect(currencyCountryField.blank).toEqual({ value: undefined });
	});

	it('is a country of the links', () => {
		expect(currencyCountryField.read('GH')).toMatchObject({ ok: true, value: { iso2: 'GH' } });
		expect(currencyCountryField.read('Wakanda').ok).toBe(false);
	});
});
