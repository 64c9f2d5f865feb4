import { isRecord, parseJson, withoutEnd } from '../../../nodes/UnifiedPayments/protocol/parse.ts';
import {
	readReply,
	readSignature,
	readToken,
} from '../../../nodes/UnifiedPayments/protocol/reply.ts';

const NOTHING = { success: null, message: null, data: undefined };

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
		const expected = { success: true, message: 'Balance', data: [{ balance: 1 }] };
		expect(readReply(reply)).toEqual(expected);
		expect(readReply(JSON.stringify(reply))).toEqual(expected);
	});

	it.each([[1], [null], [undefined], [{}], [['x']], [true]])(
		'has no message when it is %j',
		(message) => {
			expect(readReply({ success: true, message }).message).toBeNull();
		},
	);

	it('keeps an empty message', () => {
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

describe('readToken', () => {
	it('finds the token in data', () => {
		expect(readToken({ token: '7|secret', more: 1 })).toBe('7|secret');
	});

	it.each([undefined, null, '', 'text', [], {}, { token: '' }, { token: 7 }, { token: null }])(
		'finds none in %j',
		(data) => {
			expect(readToken(data)).toBeNull();
		},
	);
});
