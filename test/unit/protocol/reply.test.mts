import { isRecord, parseJson } from '../../../nodes/UnifiedPayments/protocol/parse.ts';
import {
	readReply,
	readSignature,
	readToken,
} from '../../../nodes/UnifiedPayments/protocol/reply.ts';

const NOTHING = { success: null, message: null, data: undefined };

describe('readReply', () => {
	it.each([
		[true, true],
		[false, false],
		['true', true],
		['false', false],
		['True', null],
		['FALSE', null],
		[' true', null],
		['', null],
		['yes', null],
		[1, null],
		[0, null],
		[null, null],
		[undefined, null],
		[[], null],
		[['true'], null],
		[{}, null],
	])('reads success %j as %j', (success, expected) => {
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
		[''],
		['<html>'],
		['{"success":tr'],
		['null'],
		['[{"success":true}]'],
		['"success"'],
		['1'],
		[null],
		[undefined],
		[[{ success: true }]],
		[1],
		[true],
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
		[{ success: true, message: 'm', data: { signature: '' } }, null],
		[{ data: '' }, null],
		[{ data: ['abc'] }, null],
		[{ data: null }, null],
		[{}, null],
		['', null],
		['abc', null],
		['"abc"', null],
		[[], null],
		[['abc'], null],
		[null, null],
		[undefined, null],
		[7, null],
	])('of %j is %j', (body, expected) => {
		expect(readSignature(body)).toBe(expected);
	});
});

describe('isRecord', () => {
	it.each([
		[{}, true],
		[{ a: 1 }, true],
		[[], false],
		[null, false],
		[undefined, false],
		['text', false],
		[1, false],
	])('of %j is %j', (value, expected) => {
		expect(isRecord(value)).toBe(expected);
	});

	it('is false for a function', () => {
		expect(isRecord(() => 1)).toBe(false);
	});
});

describe('parseJson', () => {
	it('gives the value, or null for what is no JSON', () => {
		expect(parseJson('{"a":[1]}')).toEqual({ a: [1] });
		expect(parseJson('{a:1}')).toBeNull();
	});
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
