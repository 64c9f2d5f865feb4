import fc from 'fast-check';

import {
	amountOf,
	hundredthsOf,
	inWords,
	isMore,
	moneyText,
	totalsOf,
} from '../../../nodes/UnifiedPayments/payment/money.ts';

it.each([
	['0', 0n],
	['0.5', 50n],
	['1250.5', 125050n],
	['999999999999999', 99999999999999900n],
])('%s is %s hundredths, and back', (amount, hundredths) => {
	expect(hundredthsOf(amount)).toBe(hundredths);
	expect(amountOf(hundredths)).toBe(amount);
});

it.each([
	['100.01', '100', true],
	['100', '100.00', false],
	['999999999999999.99', '999999999999999.98', true],
])('%s is more than %s: %s', (amount, limit, expected) => {
	expect(isMore(amount, limit)).toBe(expected);
});

it('adds up by currency, exactly, however many there are', () => {
	const tenths = Array.from({ length: 10 }, () => ({ amount: '0.1', currency: 'KES' }));
	expect(totalsOf([{ amount: '7', currency: 'XOF' }, ...tenths])).toEqual([
		{ currency: 'KES', rows: 10, amount: '1' },
		{ currency: 'XOF', rows: 1, amount: '7' },
	]);
});

it('sums equal those in whole hundredths', () => {
	const amounts = fc.array(fc.integer({ min: 1, max: 10 ** 12 }), { minLength: 1 });
	fc.assert(
		fc.property(amounts, (given) => {
			const rows = given.map((each) => ({ amount: amountOf(BigInt(each)), currency: 'KES' }));
			const [total] = totalsOf(rows);
			expect(hundredthsOf(total!.amount)).toBe(given.reduce((a, b) => a + BigInt(b), 0n));
		}),
	);
});

it.each([
	['1250.5', '1,250.50 KES'],
	['80', '80 KES'],
	['1234567.25', '1,234,567.25 KES'],
	['123456', '123,456 KES'],
])('%s is written as %s', (amount, text) => {
	expect(moneyText({ amount, currency: 'KES' })).toBe(text);
});

it('says how many rows there are, and what they come to', () => {
	const kes = { currency: 'KES', rows: 1, amount: '10' };
	const ugx = { currency: 'UGX', rows: 2, amount: '3000' };
	expect(inWords([kes])).toBe('1 row with 10 KES');
	expect(inWords([kes, ugx])).toBe('3 rows with 10 KES and 3,000 UGX');
	expect(inWords(totalsOf([]))).toBe('no rows');
});
