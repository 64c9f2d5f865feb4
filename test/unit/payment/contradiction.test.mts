import {
	contradictionBetween,
	otherOrderIn,
} from '../../../nodes/UnifiedPayments/payment/compare.ts';

describe('comparing a callback with the record', () => {
	const record = {
		ref: 'TX-1',
		amount: '1500.00',
		currency: 'KES',
		third_party_reference_1: 'o-1',
	};
	const against = (...path: Array<Record<string, unknown>>) =>
		contradictionBetween(path, record)?.field ?? 'same';

	it.each([
		{},
		{ ref: 'TX-1', amount: 1500, currency: 'kes' },
		{ amount: '1500' },
		{ amount: '1500.0' },
		{ amount: '01500.00' },
		{ amount: '1,500.00' },
		{ amount: '1 500,00' },
		{ amount: null, currency: '', ref: undefined },
		{ third_party_reference_1: 'o-1' },
		{ status: 'whatever', fee: 3 },
	])('%j agrees', (callback) => {
		expect(against(callback)).toBe('same');
	});

	it.each([
		[{ amount: 1 }, 'amount'],
		[{ amount: '1500.01' }, 'amount'],
		[{ amount: -1500 }, 'amount'],
		[{ amount: '15e2' }, 'amount'],
		[{ amount: '1500 KES' }, 'amount'],
		[{ amount: [1500] }, 'amount'],
		[{ amount: { value: 1500 } }, 'amount'],
		[{ amount: true }, 'amount'],
		[{ amount: '1500.00000000000000001' }, 'amount'],
		[{ currency: 'USD' }, 'currency'],
		[{ currency: ['KES'] }, 'currency'],
		[{ ref: 'TX-2' }, 'ref'],
		[{ ref: ['TX-1'] }, 'ref'],
		[{ third_party_reference_1: 'o-2' }, 'third_party_reference_1'],
	])('%j: %s', (callback, reason) => {
		expect(against(callback)).toBe(reason);
	});

	it('looks at every object on the way to the record', () => {
		expect(against({ amount: 1 }, { ref: 'TX-1', amount: 1500 })).toBe('amount');
		expect(against({ ref: 'TX-9' }, { ref: 'TX-1' })).toBe('ref');
	});

	it('compares nothing that the record does not state', () => {
		expect(contradictionBetween([{ amount: 1, currency: 'USD' }], { ref: 'TX-1' })).toBeNull();
	});

	it('says both values', () => {
		expect(contradictionBetween([{ amount: 1 }], record)).toEqual({
			field: 'amount',
			stated: 1,
			actual: '1500.00',
		});
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
		['', 'A-1'],
		['\u200b', 'A-1'],
		[null, 'A-1'],
		[undefined, 'A-1'],
		[[], 'A-1'],
		[{}, 'A-1'],
		[false, 'A-1'],
	])('%j does not speak against %j', (value, order) => {
		expect(otherOrderIn([{}, named(value)], order)).toBeNull();
	});

	it.each<[unknown, string]>([
		['A-2', 'A-1'],
		['a-1', 'A-1'],
		['A-01', 'A-1'],
		['A1', 'A-1'],
		[7, '007'],
		[0, 'A-1'],
		[2 ** 70, '1180591620717422222222'],
		['x'.repeat(200), 'A-1'],
	])('%j speaks against %j', (value, order) => {
		expect(otherOrderIn([named(order), named(value)], order)).toBe(value);
	});
});
