import { amountFrom } from '../../../nodes/UnifiedPayments/payment/amount.ts';

describe('the amount that a record states', () => {
	it.each<[unknown, number]>([
		['1500.00', 1500],
		[' 1,500.00 ', 1500],
		['1,500', 1500],
		['-1,500', -1500],
		['1 500,50', 1500.5],
		['0012.5000000', 12.5],
		[1500, 1500],
		[1499.9999999999998, 1500],
		['-3.50', -3.5],
		[-3.5, -3.5],
		['0,00', 0],
		['0.00', 0],
		[0, 0],
		['-0', 0],
		['-0,00', 0],
	])('%j is %d', (value, amount) => {
		expect(amountFrom(value)).toBe(amount);
	});

	it.each(['15-', '', ' ', '--1', 'abc', NaN, Infinity, null, undefined, true, [5], { amount: 5 }])(
		'%j is none',
		(value) => {
			expect(amountFrom(value)).toBeNull();
		},
	);
});
