import {
	contradictionBetween,
	foldedReference,
	otherOrderIn,
	sameValue,
} from '../../../nodes/UnifiedPayments/payment/compare.ts';

describe('comparing a callback with the record', () => {
	const paid = { amount: '1500.00', currency: 'KES' };
	const record = { ref: 'TX-1', ...paid, third_party_reference_1: 'o-1' };
	const against = (...path: Array<Record<string, unknown>>) =>
		contradictionBetween(path, record)?.field ?? 'same';

	it.each([
		{},
		{ ref: 'TX-1', amount: 1500, currency: 'kes' },
		{ amount: '1 500,00' },
		{ amount: null, currency: '', ref: undefined },
	])('%j agrees', (callback) => {
		expect(against(callback)).toBe('same');
	});

	it.each([
		['00123', 123],
		['9007199254740993', 9007199254740992],
	])('the order %j may come back as %j', (order, stated) => {
		const compare = (told: unknown) =>
			contradictionBetween([{ third_party_reference_1: told }], { third_party_reference_1: order });
		expect(compare(stated)).toBeNull();
		expect([124, '123'].map((told) => compare(told)?.field)).toEqual(
			Array(2).fill('third_party_reference_1'),
		);
	});

	it.each([
		[{ amount: 1 }, 'amount'],
		[{ amount: [1500] }, 'amount'],
		[{ amount: '1500.00000000000000001' }, 'amount'],
		[{ currency: 'USD' }, 'currency'],
		[{ ref: 'TX-2' }, 'ref'],
		[{ third_party_reference_1: 'o-2' }, 'third_party_reference_1'],
	])('%j: %s', (callback, reason) => {
		expect(against(callback)).toBe(reason);
	});

	it('looks at every object on the way to the record, and says both values', () => {
		expect(against({ ref: 'TX-9' }, { ref: 'TX-1' })).toBe('ref');
		expect(contradictionBetween([{ ref: 7 }], { ref: '007' })?.field).toBe('ref');
		expect(contradictionBetween([{ amount: 1 }, { amount: 1500 }], record)).toEqual({
			field: 'amount',
			stated: 1,
			actual: '1500.00',
		});
		expect(contradictionBetween([{ amount: 1, currency: 'USD' }], { ref: 'TX-1' })).toBeNull();
	});
});

describe('an order that is named', () => {
	const named = (value: unknown) => ({ third_party_reference_1: value });

	it.each<[unknown, string]>([
		['A-1', 'A-1'],
		[' A-1\n', 'A-1'],
		['Cafe\u0301', 'Caf\u00e9'],
		['A\u200b-1', 'A-1'],
		[1042, '1042'],
		// What a service wrote as a number beyond 2^53 has lost its last digits.
		[2 ** 70, '1180591620717411303424'],
		...['', '\u200b', null, undefined, [], {}, false].map((nothing): [unknown, string] => [
			nothing,
			'A-1',
		]),
	])('%j does not speak against %j', (value, order) => {
		expect(otherOrderIn([{}, named(value)], order)).toBeNull();
	});

	it.each<[unknown, string]>([
		['A-2', 'A-1'],
		['a-1', 'A-1'],
		[7, '007'],
		[2 ** 70, '1180591620717422222222'],
		['x'.repeat(200), 'A-1'],
	])('%j speaks against %j', (value, order) => {
		expect(otherOrderIn([named(order), named(value)], order)).toBe(value);
	});
});

describe('sameValue', () => {
	it.each<[field: string, a: unknown, b: unknown]>([
		['amount', '1,500.00', 1500],
		['amount', '007', 7],
		['amount', '123456789012345678.90', '123456789012345678.9'],
		['amount', '-0.00', 0],
		['amount', '1,500', 1500],
		['amount', '1,500 ', '1,500'],
		['amount', '-1,500', -1500],
		['amount', '--1', '--1'],
		['currency', ' kes ', 'KES'],
		['ref', ' A-1 ', 'A-1'],
		['third_party_reference_1', 'A\u00ad-1', 'A-1'],
	])('%s: %j and %j are the same', (field, a, b) => {
		expect(sameValue(field, a, b)).toBe(true);
		expect(sameValue(field, b, a)).toBe(true);
	});

	it.each<[field: string, a: unknown, b: unknown]>([
		['amount', '1500.01', 1500],
		['amount', '1001', '101'],
		['amount', '1.05', '1.5'],
		['amount', '1,500', 1501],
		['amount', '-1500', 1500],
		['amount', '123456789012345678.9', '123456789012345679.9'],
		['ref', '007', '7'],
		['ref', 'a-1', 'A-1'],
		['ref', ['A-1'], 'A-1'],
		['ref', 'TX-1\u200b', 'TX-1'],
	])('%s: %j and %j are not', (field, a, b) => {
		expect(sameValue(field, a, b)).toBe(false);
		expect(sameValue(field, b, a)).toBe(false);
	});
});

// What looks the same is compared in key.test.mts.
it('a reference is folded in no more time than in proportion to its length', () => {
	const began = process.cpuUsage();
	expect(foldedReference(`${' \u200b'.repeat(100_000)}x`)).toBe('x');
	expect(process.cpuUsage(began).user).toBeLessThan(1_000_000);
});
