import { writeParams } from '../../../nodes/UnifiedPayments/protocol/signing.ts';

describe('the text of params', () => {
	it.each([
		[80, '80.00'],
		[80.5, '80.50'],
		[0.1, '0.10'],
		[9999999999999.99, '9999999999999.99'],
	])('can state %d with two decimals, as a number', (amount, written) => {
		const params = { amount, mobile: '"a"', country_id: 12 };
		const text = writeParams(params, true);
		expect(text).toBe(`{"amount":${written},"mobile":"\\"a\\"","country_id":12}`);
		expect(JSON.parse(text)).toEqual(params);
	});

	it.each([
		[{ amount: 80, name: 'a' }, false],
		[{ amount: '80' }, true],
		[{}, true],
	])('is otherwise that of JSON: %j', (params, twoDecimals) => {
		expect(writeParams(params, twoDecimals)).toBe(JSON.stringify(params));
	});

	it('is that of JSON when nothing is asked for', () => {
		expect(writeParams({ amount: 80 })).toBe('{"amount":80}');
	});
});
