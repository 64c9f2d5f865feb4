import { bodyRefusal } from '../../../nodes/UnifiedPayments/protocol/callback.ts';

const JSON_TYPE = 'application/json';
const MOST = 256 * 1024;
const refusal = (body: unknown, type: unknown = JSON_TYPE) =>
	bodyRefusal(Buffer.alloc(1), body, type);

const nested = (depth: number): unknown => {
	let body: unknown = 1;
	for (let level = 0; level < depth; level++) body = { a: body };
	return body;
};

describe('the body of a callback', () => {
	it.each([
		['a record with lists and null', { ref: 'TX-1', data: [1, { a: null }] }],
		['an empty object', {}],
		['32 levels', nested(32)],
		['hostile words as values, and names like them', { a: '__proto__', Constructor: 2 }],
	])('may be %s', (_, body) => {
		expect(refusal(body)).toBeNull();
	});

	it.each<[unknown, string]>([
		[null, 'not_an_object'],
		[[{ ref: 'TX-1' }], 'not_an_object'],
		['x', 'not_an_object'],
		[JSON.parse('{"__proto__":{"paid":true}}'), 'unacceptable_json'],
		[{ a: [{ b: 1 }, { c: 1, constructor: 1 }] }, 'unacceptable_json'],
		[{ data: { prototype: {} } }, 'unacceptable_json'],
	])('is not %j: %s', (body, reason) => {
		expect(refusal(body)).toBe(reason);
	});

	it.each([33, 50_000])('is not %i levels deep', (depth) => {
		expect(refusal(nested(depth))).toBe('unacceptable_json');
	});

	it.each(['application/json', 'Application/JSON; charset=utf-8', ' application/json ;x'])(
		'may be sent as "%s"',
		(type) => expect(refusal({}, type)).toBeNull(),
	);

	it.each([
		...[undefined, '', 'text/plain', 'application/jsonp', 'text/html; x=application/json'],
		['application/json'],
	])('is not read when it is sent as %j', (type) => {
		expect(bodyRefusal(Buffer.alloc(1), {}, type)).toBe('not_json');
	});

	it('has bytes, 256 KB at the most, and nothing of more is looked at', () => {
		expect(bodyRefusal(undefined, {}, JSON_TYPE)).toBe('not_an_object');
		expect(bodyRefusal(Buffer.alloc(MOST), {}, JSON_TYPE)).toBeNull();
		expect(bodyRefusal(Buffer.alloc(MOST + 1), null, undefined)).toBe('too_large');
	});
});
