import { foldedReference, sameValue } from '../../../nodes/UnifiedPayments/payment/compare.ts';

describe('sameValue', () => {
	it.each<[field: string, a: unknown, b: unknown]>([
		['amount', '1500.00', 1500],
		['amount', '1,500.00', 1500],
		['amount', '1500.000', 1500],
		['amount', '1 500,50', '1500.5'],
		['amount', '007', 7],
		['amount', 0, '0.00'],
		['amount', '123456789012345678.90', '123456789012345678.9'],
		['amount', '-1500.00', -1500],
		['amount', '-1,500.00', '-1500'],
		['amount', '-0.00', 0],
		['currency', 'kes', 'KES'],
		['currency', ' KES ', 'KES'],
		['ref', ' A-1 ', 'A-1'],
		['ref', 7, '7'],
		['third_party_reference_1', 'A-1', 'A-1'],
		['third_party_reference_1', 'A\u00ad-1', 'A-1'],
	])('%s: %j and %j are the same', (field, a, b) => {
		expect(sameValue(field, a, b)).toBe(true);
		expect(sameValue(field, b, a)).toBe(true);
	});

	it.each<[field: string, a: unknown, b: unknown]>([
		['amount', '1500.01', 1500],
		['amount', '1001', '101'],
		['amount', '1.05', '1.5'],
		['amount', '1,500', 1500],
		['amount', '-1500', 1500],
		['amount', '-1500', '-1500.01'],
		['amount', '--1', '--1'],
		['amount', 'abc', 'abc'],
		['amount', '123456789012345678.9', '123456789012345679.9'],
		['amount', undefined, 1500],
		['amount', true, 1],
		['currency', 'KES', 'KE'],
		['currency', 'KES', undefined],
		['ref', '007', '7'],
		['ref', 'a-1', 'A-1'],
		['ref', ['A-1'], 'A-1'],
		['ref', {}, {}],
		['ref', 'TX-1\u200b', 'TX-1'],
		['ref', null, null],
	])('%s: %j and %j are not', (field, a, b) => {
		expect(sameValue(field, a, b)).toBe(false);
		expect(sameValue(field, b, a)).toBe(false);
	});
});

// What looks the same is compared in key.test.mts.
it('a reference is folded in no more time than in proportion to its length', () => {
	const hostile = `${' \u200b'.repeat(100_000)}x`;
	const began = performance.now();
	expect(foldedReference(hostile)).toBe('x');
	expect(performance.now() - began).toBeLessThan(1_000);
});
