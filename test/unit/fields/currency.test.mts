import { readCurrency } from '../../../nodes/UnifiedPayments/fields/currency.ts';

describe('readCurrency', () => {
	it.each<[unknown, string]>([
		['KES', 'KES'],
		['kes', 'KES'],
		[' xof ', 'XOF'],
		['auto', 'auto'],
		['', 'auto'],
		[undefined, 'auto'],
		[null, 'auto'],
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
