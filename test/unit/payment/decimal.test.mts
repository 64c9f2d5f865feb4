import { readDecimal } from '../../../nodes/UnifiedPayments/payment/amount.ts';

describe('readDecimal', () => {
	it.each([
		['1500', '1500'],
		['1500.', '1500'],
		['.5', '0.5'],
		['0.50', '0.5'],
		['1.05', '1.05'],
		['007.10', '7.1'],
		[' 12 ', '12'],
		['1 500', '1500'],
		['1\u00a0500', '1500'],
		['123 456.7', '123456.7'],
		["1'500.25", '1500.25'],
		['1,500.00', '1500'],
		['1,234,567.89', '1234567.89'],
		['1.234.567,8', '1234567.8'],
		['1,5', '1.5'],
		['1234,56', '1234.56'],
		['1,500', '1500'],
		['123,456', '123456'],
		['123456789012345', '123456789012345'],
		['12345678901234.50', '12345678901234.5'],
	])('reads the text %j as %s', (given, value) => {
		expect(readDecimal(given)).toEqual({ value });
	});

	it.each([
		[1500, '1500'],
		[0.1 + 0.2, '0.3'],
		[1.1 * 3, '3.3'],
		[4.35 * 100, '435'],
	])('reads the number %d as %s', (given, value) => {
		expect(readDecimal(given)).toEqual({ value });
	});

	it.each<[string, Array<string | number>]>([
		['not a number', ['', '1500x', 'x1500', '.5x', 'x.5', '1.5.2', '.', '0,500', '0 500']],
		['not a number', ['15\u00a000', '1234 567', '1 5000', '1 500 00', '1,234 567', '1,500,25']],
		['not a number', ['1.500.25', '1 500.5x', 'x1 500', 'x1,5', '1,5x', '1,', ',5', '1234,567']],
		['not a number', ['x1.500', '1.500x', NaN, 1e21, `${' '.repeat(99)}${'1'.padStart(999, '0')}`]],
		['negative', ['-5', -5, -0.5]],
		['ambiguous', ['1.500', '12.345', '123.456']],
		['too many decimals', ['0.500', '1.5000', '1234.567', '1,500.000', 1.234, 0.001, 0.3001]],
		// Larger than noise, and close to a thousandth that somebody may have meant.
		['too many decimals', [99999999999.9994]],
		['zero', ['0', '0.00', '.0', 0]],
		['too large', ['1234567890123456', '12345678901234.56']],
	])('refuses as %s: %j', (problem, all) => {
		for (const given of all) expect([given, readDecimal(given)]).toEqual([given, { problem }]);
	});
});
