import {
	currencyField,
	ownCurrencyField,
	readCurrency,
} from '../../../nodes/UnifiedPayments/fields/country.ts';

describe('readCurrency', () => {
	it.each<[unknown, string]>([
		['KES', 'KES'],
		['kes', 'KES'],
		[' xof ', 'XOF'],
		['auto', 'auto'],
		['GHS', 'GHS'],
	])('reads %j as %s', (given, value) => {
		expect(readCurrency(given)).toEqual({ ok: true, value });
	});

	it.each<[unknown]>([['EUR'], ['KE'], ['KESX'], [404], [{}], [['KES']], [true]])(
		'refuses %j',
		(given) => {
			expect(readCurrency(given)).toEqual({
				ok: false,
				reason: 'which is not a currency of this service',
				allowed: 'Choose one of KES, XOF, XAF, TZS, UGX, ZMW, SLE, GHS, NGN.',
			});
		},
	);
});

it("means the country's own when it is left blank", () => {
	expect(currencyField.blank).toEqual({ value: 'auto' });
});

it('of a collection is read in the same way, with advice that is not refused next', () => {
	expect(ownCurrencyField.read('kes')).toEqual({ ok: true, value: 'KES' });
	expect(ownCurrencyField.read('EUR')).toEqual({
		ok: false,
		reason: 'which is not a currency of this service',
		allowed: "Choose 'Automatic': a collection is in the currency of its country.",
	});
	expect(currencyField.read('EUR')).toMatchObject({
		allowed: expect.stringContaining('KES, XOF') as string,
	});
});
