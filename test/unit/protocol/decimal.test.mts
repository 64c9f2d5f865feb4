import { readDecimal } from '../../../nodes/UnifiedPayments/protocol/decimal.ts';

describe('readDecimal', () => {
	it.each([
		['1500', '1500'],
		['1500.', '1500'],
		['.5', '0.5'],
		['.25', '0.25'],
		['0.50', '0.5'],
		['1.05', '1.05'],
		['007.10', '7.1'],
		['1001', '1001'],
		[' 12 ', '12'],
		['1 500', '1500'],
		['1\u00a0500', '1500'],
		['1\u202f500', '1500'],
		['1\u2009500', '1500'],
		['12 345', '12345'],
		['123 456.7', '123456.7'],
		["1'500.25", '1500.25'],
		['1’500.5', '1500.5'],
		['1,500.00', '1500'],
		['1,234,567', '1234567'],
		['1,234,567.89', '1234567.89'],
		['1.234.567,8', '1234567.8'],
		['1,5', '1.5'],
		['0,5', '0.5'],
		['1234,56', '1234.56'],
		['123456789012345', '123456789012345'],
		['1234567890123.45', '1234567890123.45'],
		['12345678901234.50', '12345678901234.5'],
	])('reads the text %j as %s', (given, value) => {
		expect(readDecimal(given)).toEqual({ value });
	});

	it.each([
		[1500, '1500'],
		[1.5, '1.5'],
		[1234.56, '1234.56'],
		[0.1 + 0.2, '0.3'],
		[1.1 * 3, '3.3'],
		[4.35 * 100, '435'],
	])('reads the number %d as %s', (given, value) => {
		expect(readDecimal(given)).toEqual({ value });
	});

	it.each([
		['', 'not a number'],
		['1500x', 'not a number'],
		['x1500', 'not a number'],
		['.5x', 'not a number'],
		['x.5', 'not a number'],
		['1.5.2', 'not a number'],
		['.', 'not a number'],
		['0,500', 'not a number'],
		['0 500', 'not a number'],
		['1234 567', 'not a number'],
		['1 5000', 'not a number'],
		['1 500 00', 'not a number'],
		['1,234 567', 'not a number'],
		['1,500,25', 'not a number'],
		['1.500.25', 'not a number'],
		['1 500.5x', 'not a number'],
		['x1 500', 'not a number'],
		['x1,5', 'not a number'],
		['1,5x', 'not a number'],
		['1,', 'not a number'],
		[',5', 'not a number'],
		['1234,567', 'not a number'],
		['x1.500', 'not a number'],
		['1.500x', 'not a number'],
		[NaN, 'not a number'],
		[1e21, 'not a number'],
		['-5', 'negative'],
		[-5, 'negative'],
		[-0.5, 'negative'],
		['1,500', 'ambiguous'],
		['1.500', 'ambiguous'],
		['12.345', 'ambiguous'],
		['123,456', 'ambiguous'],
		['0.500', 'too many decimals'],
		['1.5000', 'too many decimals'],
		['1234.567', 'too many decimals'],
		['1,500.000', 'too many decimals'],
		[1.234, 'too many decimals'],
		[0.001, 'too many decimals'],
		// Larger than noise, and close to a thousandth that somebody may have meant.
		[99999999999.9994, 'too many decimals'],
		['0', 'zero'],
		['0.00', 'zero'],
		['.0', 'zero'],
		[0, 'zero'],
		['1234567890123456', 'too large'],
		['12345678901234.56', 'too large'],
	])('refuses %j: %s', (given, problem) => {
		expect(readDecimal(given)).toEqual({ problem });
	});
});
