import { currencyField, readCurrency } from '../../../nodes/UnifiedPayments/fields/country.ts';

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
