import { eventKeyOf } from '../../../nodes/UnifiedPayments/trigger/execution/repeats.ts';
import {
	findCandidates,
	isAbout,
	likelyType,
	statedType,
} from '../../../nodes/UnifiedPayments/payment/references.ts';

const found = (body: Record<string, unknown>) =>
	findCandidates(body).map(({ reference }) => reference);

describe('the reference in a payload', () => {
	it.each([
		['the record itself', { ref: 'TX-1', amount: 1 }],
		['data', { success: true, data: { ref: 'TX-1' } }],
		['transaction.data', { transaction: { data: { ref: 'TX-1' } } }],
		['any other object, one level down', { payload: { ref: 'TX-1' } }],
		['transaction_reference', { data: { transaction_reference: 'TX-1' } }],
		['id', { id: 'TX-1' }],
		['third_party_reference_1', { third_party_reference_1: 'TX-1' }],
		['spaces around it', { ref: ' TX-1\n' }],
		['null beside it', { ref: null, data: null, reference: 'TX-1' }],
	])('is found in %s', (_, body) => {
		expect(found(body)).toEqual(['TX-1']);
	});

	it('may be a whole number, or have 128 characters', () => {
		expect(found({ id: 4711 })).toEqual(['4711']);
		expect(found({ ref: 'x'.repeat(128) })).toEqual(['x'.repeat(128)]);
	});

	it('is looked for in twenty objects beside the usual ones', () => {
		const last = (count: number) => {
			const names = Array.from({ length: count }, (_, i) => `o${i}`);
			const objects = Object.fromEntries(names.map((name) => [name, {}]));
			return { data: {}, transaction: {}, ...objects, [names.at(-1)!]: { ref: 'TX-1' } };
		};
		expect(found(last(20))).toEqual(['TX-1']);
		expect(found(last(21))).toEqual([]);
	});

	it('is looked for under the better name first, then further inside', () => {
		expect(found({ id: 'evt', data: { id: 'db', ref: 'TX-1' } })).toEqual(['TX-1', 'db', 'evt']);
		expect(found({ ref: 'outer', data: { ref: 'inner' } })).toEqual(['inner', 'outer']);
	});

	it('is looked for in parties last, and is no placeholder', () => {
		const parties = { customer: { ref: 'a' }, merchant: { ref: 'b' }, agent: { ref: 'c' } };
		const body = { ...parties, payment: { id: 'TX-1', third_party_reference_1: 'A-1' } };
		expect(found(body)).toEqual(['TX-1', 'a', 'b']);
		expect(found({ third_party_reference_1: 'A-1', payload: { id: 7 } })).toEqual(['7', 'A-1']);
		expect(found({ third_party_reference_1: 'N/A' })).toEqual([]);
	});

	it('gives at most three candidates, each once', () => {
		const body = { ref: 'a', reference: 'b', transaction_id: 'c', id: 'd', data: { ref: 'a' } };
		expect(found(body)).toEqual(['a', 'b', 'c']);
	});

	it.each([
		...['', '   ', null, {}, ['TX-1'], true, NaN, 1.5, 'x'.repeat(129)],
		...['a\u0000b', 'line\nbreak', '\ud800', { b: { c: { ref: 'TX-1' } } }, undefined],
	])('is not %j', (ref) => {
		expect(found({ ref })).toEqual([]);
	});

	it('keeps the way to the record', () => {
		const body = { amount: 1, data: { transaction: { ref: 'TX-1' } } };
		expect(findCandidates(body)[0]).toEqual({
			reference: 'TX-1',
			isOwn: false,
			record: body.data.transaction,
			path: [body, body.data, body.data.transaction],
		});
	});
});

it.each([
	[{ ref: 'a' }, 'payin'],
	[{ ref: 'a', type: 'payout' }, 'payout'],
	[{ type: 'Disbursement', data: { ref: 'a' } }, 'payout'],
	[{ ref: 'a', payee: 'Jane' }, 'payout'],
	[{ ref: 'a', payee: '', invoice_no: null, type: 'payin' }, 'payin'],
	[{ ref: 'a', payee: 'N/A', invoice_no: 0 }, 'payin'],
	[{ ref: 'a', payee: 'Jane', type: 'Collection' }, 'payin'],
])('%j is asked for as a %s', (body, type) => {
	expect(likelyType(findCandidates(body)[0]!)).toBe(type);
});

it.each<[unknown, string | null]>([
	[' payout ', 'payout'],
	['withdrawal', 'payout'],
	['Deposit', 'payin'],
	['Pay-Out Transfer', 'payout'],
	['DEBIT', 'payout'],
	['B2C', 'payout'],
	['pay_outs', 'payout'],
	['cash out', 'payout'],
	...['B2B', 'refund', 'REVERSED', 'Payin Reversal', 'chargeback', 'transfer_out', 'fee'].map(
		(word): [string, string] => [word, 'payout'],
	),
	['Pay Ins', 'payin'],
	['debit_card', null],
	[7, null],
])('the word %j says %s', (type, said) => {
	expect(statedType([{}, { type }])).toBe(said);
});

describe('the record that the service gives', () => {
	it.each([
		[{ ref: 'TX-1' }, { ref: 'TX-1' }, true],
		[{ ref: 'TX-1' }, { ref: 'TX-2', third_party_reference_1: 'TX-1' }, true],
		[{ ref: 'TX-1' }, { amount: 1 }, true],
		[{ ref: 'TX-1' }, { ref: 'TX-2' }, false],
		[{ ref: 'TX-1' }, { ref: ['TX-1'] }, false],
		[{ third_party_reference_1: 'A-1' }, { ref: 'TX-1' }, true],
		[{ third_party_reference_1: 'A-1' }, { third_party_reference_1: 'A\u200b-1' }, true],
		[{ third_party_reference_1: 'A-1' }, { ref: 'TX-1', third_party_reference_1: 'null' }, true],
		[{ third_party_reference_1: 'A-1' }, { third_party_reference_1: 'A-2' }, false],
		// Our order is by chance what the service calls another payment.
		[{ third_party_reference_1: '1001' }, { ref: 1001 }, false],
		[{ third_party_reference_1: '1001' }, { ref: 1001, third_party_reference_1: 'N/A' }, false],
		[{ third_party_reference_1: '1001' }, { ref: 1001, third_party_reference_1: '1001' }, true],
	])('for %j, is %j about it: %s', (body, record, expected) => {
		const [candidate] = findCandidates(body);
		expect(isAbout(record, candidate!)).toBe(expected);
	});
});

it('the key of an event is made of reference and status only', () => {
	for (const status of ['SUCCESS', ' success ']) {
		expect(eventKeyOf('TX-1', status)).toBe('TX-1:success');
	}
});
