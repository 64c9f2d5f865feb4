import { entriesOf, linkIn, referenceIn } from '../../../nodes/UnifiedPayments/protocol/reply.ts';

describe('referenceIn', () => {
	it.each<[unknown, string | null]>([
		[{ reference: 'A' }, 'A'],
		[{ ref: 'B' }, 'B'],
		[{ transaction_reference: 'C' }, 'C'],
		[{ transaction_id: 'D' }, 'D'],
		[{ id: 5 }, '5'],
		[{ id: 1, ref: 'B', reference: 'A' }, 'A'],
		[{ reference: '', ref: 'B' }, 'B'],
		[{ reference: null, ref: {}, id: 0 }, '0'],
		[{ reference: ' A ' }, 'A'],
		// Its last digits are lost.
		[{ reference: Number('12345678901234567890'), ref: 'B' }, 'B'],
		[{ other: 'x' }, null],
		[{}, null],
		[[], null],
		['text', null],
		[null, null],
		[undefined, null],
	])('of %j is %j', (data, expected) => {
		expect(referenceIn({ data })).toBe(expected);
	});
});

describe('linkIn', () => {
	it.each<[unknown, string | null]>([
		[{ link: 'https://a.example/1' }, 'https://a.example/1'],
		[{ payment_link: 'http://a.example/1' }, 'http://a.example/1'],
		[{ url: 'HTTPS://a.example/1' }, 'HTTPS://a.example/1'],
		[{ payment_url: 'https://a.example/1' }, 'https://a.example/1'],
		[{ checkout_url: 'https://a.example/1' }, 'https://a.example/1'],
		[{ link_url: 'https://a.example/1' }, 'https://a.example/1'],
		[{ link: 'none', url: 'https://a.example/1' }, 'https://a.example/1'],
		[{ link: 'see https://a.example' }, null],
		[{ link: 'javascript:alert(1)' }, null],
		[{ link: 7 }, null],
		[{}, null],
		[null, null],
	])('of %j is %j', (data, expected) => {
		expect(linkIn({ data })).toBe(expected);
	});
});

describe('entriesOf', () => {
	it.each<[unknown, unknown]>([
		[[], []],
		[
			[{ a: 1 }, { b: 2 }],
			[{ a: 1 }, { b: 2 }],
		],
		[
			[1, 'x', null, [2]],
			[{ value: 1 }, { value: 'x' }, { value: null }, { value: [2] }],
		],
		[{ a: 1 }, null],
		['text', null],
		[null, null],
		[undefined, null],
	])('of %j is %j', (data, expected) => {
		expect(entriesOf({ data })).toEqual(expected);
	});
});
