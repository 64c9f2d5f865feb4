import type { INodePropertyOptions } from 'n8n-workflow';

import {
	countryField,
	currencyCountryField,
	currencyField,
	ownCurrencyField,
	readCurrency,
} from '../../../nodes/UnifiedPayments/fields/country.ts';

// That no advice names what is refused next is tested in advice.test.mts.
describe('a country', () => {
	it('says which countries there are', () => {
		expect(countryField('collections').read('Wakanda')).toEqual({
			ok: false,
			reason: 'which is not a country of this service',
			allowed: 'Choose one of Kenya, Tanzania, Uganda, Zambia, Sierra Leone.',
		});
		expect(countryField('paymentLinks').read('Wakanda')).toMatchObject({
			allowed: expect.stringContaining('Ghana') as unknown,
		});
	});

	it.each(['Ken\u202eya', 'K\u200bE', 'Kenya\ufeff'])(
		'is not %j, of which nobody sees all',
		(given) => {
			for (const field of [countryField('collections'), currencyCountryField]) {
				expect(field.read(given)).toMatchObject({
					ok: false,
					reason: 'which holds a character that nobody sees',
				});
			}
		},
	);

	it.each([undefined, null, '', '  ', '\t\n'])('needs one where there is %j', (given) => {
		expect(countryField('paymentLinks').read(given)).toMatchObject({
			ok: false,
			reason: 'but a country is needed',
		});
	});

	it('says in the editor where collections are not offered, and what is', () => {
		const said = 'Customers in Ghana and Nigeria can pay by payment link.';
		expect(countryField('collections').property.description).toContain(said);
		expect(countryField('paymentLinks').property.description).toContain('or bank. An expression');
	});

	it('is offered by name, with its currency and code, and says where it would be refused', () => {
		const field = { name: 'country', displayName: 'Country', type: 'options', default: 'KE' };
		const { options, ...property } = countryField('collections').property;
		expect(property).toMatchObject({ ...field, required: true });
		const names = (options as INodePropertyOptions[]).map(({ name }) => name);
		expect(names).toEqual([...names].sort());
		expect(names[0]).toBe('Benin (XOF) - Not Supported');
		expect(options).toContainEqual({
			name: 'Kenya (KES)',
			value: 'KE',
			description: 'Dial code +254, country ID 1',
		});
		expect(countryField('paymentLinks').property.options?.[0]?.name).toBe('Benin (XOF)');
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

	it('of a currency is one of the links, and may be left out', () => {
		expect(currencyCountryField.blank).toEqual({ value: undefined });
		expect(currencyCountryField.read('GH')).toMatchObject({ ok: true, value: { iso2: 'GH' } });
		expect(currencyCountryField.read('Wakanda').ok).toBe(false);
	});
});

describe('a currency', () => {
	it.each([
		['kes', 'KES'],
		[' xof ', 'XOF'],
		['auto', 'auto'],
	])('is read from %j as %s', (given, value) => {
		expect(readCurrency(given)).toEqual({ ok: true, value });
		expect(ownCurrencyField.read(given)).toEqual({ ok: true, value });
	});

	const reason = 'which is not a currency of this service';

	it.each(['EUR', 'KESX', {}, ['KES']])('is not %j', (given) => {
		const allowed = 'Choose one of KES, XOF, XAF, TZS, UGX, ZMW, SLE, GHS, NGN.';
		expect(readCurrency(given)).toEqual({ ok: false, reason, allowed });
	});

	it("means the country's own when it is left blank, which is all that a collection can have", () => {
		expect(currencyField.blank).toEqual({ value: 'auto' });
		expect(ownCurrencyField.read('EUR')).toEqual({
			ok: false,
			reason,
			allowed: "Choose 'Automatic': a collection is in the currency of its country.",
		});
	});
});
