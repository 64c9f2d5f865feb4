import { isRecord, parseJson, withoutEnd } from '../../../nodes/UnifiedPayments/protocol/parse.ts';
import {
	entriesOf,
	readReply,
	readSignature,
	readToken,
	referenceIn,
	referenceOf,
} from '../../../nodes/UnifiedPayments/protocol/reply.ts';

const NOTHING = { success: null, message: null, data: undefined, body: {} };

describe('readReply', () => {
	it.each([
		[true, [true, 'true']],
		[false, [false, 'false']],
		[null, ['True', 'FALSE', ' true', '', 'yes', 1, 0, null, undefined, [], ['true'], {}]],
	])('takes for the success %j: %j', (expected, all) => {
		for (const success of all)
			expect(readReply({ success, message: 'm', data: [] }).success).toBe(expected);
	});

	it('reads JSON text and an object alike', () => {
		const reply = { success: 'true', message: 'Balance', data: [{ balance: 1 }] };
		const expected = { success: true, message: 'Balance', data: [{ balance: 1 }], body: reply };
		expect(readReply(reply)).toEqual(expected);
		expect(readReply(JSON.stringify(reply))).toEqual(expected);
	});

	it('has no message that is no text, and keeps an empty one', () => {
		for (const message of [1, null, undefined, {}, ['x'], true])
			expect(readReply({ success: true, message }).message).toBeNull();
		expect(readReply({ success: true, message: '' }).message).toBe('');
	});

	it.each([
		...['', '<html>', '{"success":tr', 'null', '[{"success":true}]', '"success"', '1'],
		...[null, undefined, [{ success: true }], 1, true],
	])('finds nothing in %j', (body) => {
		expect(readReply(body)).toEqual(NOTHING);
	});
});

describe('readSignature', () => {
	it.each([
		[{ signature: 'abc' }, 'abc'],
		[{ data: { signature: 'abc' } }, 'abc'],
		[{ data: 'abc' }, 'abc'],
		[{ signature: 'first', data: { signature: 'second' } }, 'first'],
		[{ signature: '', data: { signature: 'second' } }, 'second'],
		[{ signature: 1, data: 'third' }, 'third'],
		[{ signature: null, data: { signature: 'second' } }, 'second'],
		['{"data":{"signature":"abc"}}', 'abc'],
	])('of %j is %j', (body, expected) => {
		expect(readSignature(body)).toBe(expected);
	});

	it.each([
		...[{ success: true, message: 'm', data: { signature: '' } }, { data: '' }, { data: ['abc'] }],
		...[{ data: null }, {}, '', 'abc', '"abc"', [], ['abc'], null, undefined, 7],
	])('of %j is none', (body) => {
		expect(readSignature(body)).toBeNull();
	});
});

it('isRecord is true of an object, and nothing else', () => {
	expect(isRecord({})).toBe(true);
	for (const value of [[], null, undefined, 'text', 1, () => 1])
		expect(isRecord(value)).toBe(false);
});

it('parseJson gives the value, or null for what is no JSON', () => {
	expect(parseJson('{"a":[1]}')).toEqual({ a: [1] });
	expect(parseJson('{a:1}')).toBeNull();
});

it.each([
	['a./.', 'a'],
	['.a', '.a'],
	['/./', ''],
	['', ''],
])('withoutEnd makes of %j %j', (text, expected) => {
	expect(withoutEnd(text, './')).toBe(expected);
});

it('readToken finds the token in data', () => {
	expect(readToken({ token: '7|secret', more: 1 })).toBe('7|secret');
	for (const data of [undefined, null, 'text', [], {}, { token: '' }, { token: 7 }])
		expect(readToken(data)).toBeNull();
});

const NAMES = {
	referenceFields: ['ref', 'payment.id', 'reference'],
	linkFields: ['link', 'page.url', 'url'],
};
const NO_NAMES = { referenceFields: [], linkFields: [] };

describe('the reference', () => {
	it.each<[unknown, string | null]>([
		[{ ref: 'A' }, 'A'],
		[{ reference: ' B ' }, 'B'],
		[{ payment: { id: 5 } }, '5'],
		[{ reference: 'B', ref: 'A' }, 'A'],
		[{ ref: '', reference: 'B' }, 'B'],
		[{ ref: {}, payment: 'x', reference: null }, null],
		[{ id: 5, transaction_id: 'D' }, null],
		// Its last digits are lost.
		[{ ref: Number('12345678901234567890'), reference: 'B' }, 'B'],
		[{ ref: 'x'.repeat(129) }, null],
		[{ ref: 'a\nb' }, null],
		[{}, null],
		[['text'], null],
		['text', null],
		[null, null],
	])('in %j is %j', (place, expected) => {
		expect(referenceIn(place, NAMES)).toBe(expected);
		expect(referenceIn(place, NO_NAMES)).toBeNull();
	});

	it('is no property of every object', () => {
		expect(referenceIn({}, { ...NAMES, referenceFields: ['constructor.name'] })).toBeNull();
	});

	it('of a reply stands in its data, or beside it', () => {
		const of = (body: object) => referenceOf(readReply(body), NAMES);
		expect(of({ success: true, data: { ref: 'A' }, ref: 'B' })).toBe('A');
		expect(of({ success: true, data: {}, ref: 'B' })).toBe('B');
		expect(of({ success: true })).toBeNull();
	});
});

describe('entriesOf', () => {
	it.each<[unknown, unknown]>([
		[[], []],
		[
			[{ a: 1 }, 'x', null, [2]],
			[{ a: 1 }, { value: 'x' }, { value: null }, { value: [2] }],
		],
		[{ a: 1 }, null],
		['text', null],
	])('of %j is %j', (data, expected) => {
		expect(entriesOf({ data })).toEqual(expected);
	});

	it('reads 100,000 entries, and none of more', () => {
		const entry = { ref: 'A-1' };
		const longest = Array.from({ length: 100_000 }, () => entry);
		expect(entriesOf({ data: longest })).toHaveLength(100_000);
		expect(entriesOf({ data: [...longest, entry] })).toBeNull();
	});
});
