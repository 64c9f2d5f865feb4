import fc from 'fast-check';

import { readCredential } from '../../../nodes/UnifiedPayments/protocol/credential.ts';
import {
	approves,
	fingerprintOf,
	isFingerprint,
	totalsIn,
	type SendableRow,
} from '../../../nodes/UnifiedPayments/payment/fingerprint.ts';

const account = (changes: Record<string, string> = {}) =>
	readCredential({
		baseUrl: 'https://a.example',
		clientId: 'c',
		sender: 's',
		secretKey: 'k',
		...changes,
	});

const row = (changes: Partial<SendableRow> = {}): SendableRow => ({
	account: account(),
	path: '/create',
	params: { amount: '10', item_name: 'Rent' },
	money: { amount: '10', currency: 'KES' },
	orderReference: null,
	isAwaited: false,
	...changes,
});

const LARGE = 'x'.repeat(5000);

it('nothing has none', () => {
	expect(fingerprintOf([])).toBeNull();
});

it('shows what it amounts to', () => {
	const print = fingerprintOf([
		row(),
		row({ money: { amount: '2.5', currency: 'KES' } }),
		row({ money: { amount: '7', currency: 'UGX' } }),
	])!;
	expect(print).toMatch(/^up2\.2KES1250\.1UGX700\.[\w-]{22}\.[\w-]{22}$/);
	expect(isFingerprint(print)).toBe(true);
	expect(totalsIn(print)).toEqual([
		{ currency: 'KES', rows: 2, amount: '12.5' },
		{ currency: 'UGX', rows: 1, amount: '7' },
	]);
});

it('is always the same, so that it holds over restarts and releases', () => {
	expect(fingerprintOf([row(), row({ params: { a: 1, logo: LARGE } })])).toBe(
		'up2.2KES2000.npxOs5H7nAfrGDYoNKC3kA.5ezoDpCvhm5OXvQft-oYzg',
	);
});

it('is the same for another order of the rows, and for another spelling of the address', () => {
	const other = row({ params: { amount: '11' } });
	const slash = row({ account: account({ baseUrl: 'https://A.example/' }) });
	expect(fingerprintOf([other, row()])).toBe(fingerprintOf([row(), other]));
	expect(fingerprintOf([slash])).toBe(fingerprintOf([row()]));
});

it.each<[string, SendableRow[]]>([
	['a value', [row({ params: { amount: '10', item_name: 'Rents' } })]],
	['the kind of a value', [row({ params: { amount: 10, item_name: 'Rent' } })]],
	['a field more', [row({ params: { amount: '10', item_name: 'Rent', email: 'a@b.c' } })]],
	['a large value', [row({ params: { amount: '10', item_name: LARGE } })]],
	['the operation', [row({ path: '/collect' })]],
	['the client', [row({ account: account({ clientId: 'd' }) })]],
	['the sender', [row({ account: account({ sender: 't' }) })]],
	['the address', [row({ account: account({ baseUrl: 'https://b.example' }) })]],
	['the key', [row({ account: account({ secretKey: 'l' }) })]],
	['the order', [row({ orderReference: 'A-1' })]],
	[
		'the callback URL',
		[row({ params: { ...row().params, callback_url: 'https://n8n.example/a' } })],
	],
	['a row twice', [row(), row()]],
	['the amount', [row({ money: { amount: '10.01', currency: 'KES' } })]],
])('another %s makes it another', (_, rows) => {
	const print = fingerprintOf(rows)!;
	expect(isFingerprint(print)).toBe(true);
	expect(print.split('.').at(-1) === fingerprintOf([row()])!.split('.').at(-1)).toBe(
		_ === 'the amount',
	);
	expect(print).not.toBe(fingerprintOf([row()]));
});

it('two large values are told apart, also at their ends', () => {
	const print = (logo: string) => fingerprintOf([row({ params: { logo } })]);
	expect(print(`${LARGE}a`)).not.toBe(print(`${LARGE}b`));
	expect(print('y'.repeat(1023))).not.toBe(print('y'.repeat(1024)));
});

it('any change of any row shows', () => {
	const params = fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer()), { maxKeys: 5 });
	const rows = fc.array(params, { minLength: 1, maxLength: 5 });
	const text = (all: object[]) => JSON.stringify(all.map((each) => JSON.stringify(each)).sort());
	const print = (all: Array<Record<string, unknown>>) =>
		fingerprintOf(all.map((each) => row({ params: each })));
	fc.assert(
		fc.property(rows, rows, (one, other) => {
			expect(print(one) === print(other)).toBe(text(one) === text(other));
		}),
	);
});

describe('an approval', () => {
	const at = (callback_url: string, changes: Partial<SendableRow> = {}) =>
		row({ ...changes, params: { amount: '10', callback_url } });
	const [one, other] = ['https://n8n.example/1', 'https://n8n.example/2'];
	const tokened = (callbackToken: string) => at(one, { account: account({ callbackToken }) });
	const [first, second] = ['a'.repeat(16), 'b'.repeat(16)];

	it.each<[string, SendableRow[], SendableRow[], boolean]>([
		['the same rows', [row()], [row()], true],
		['no rows', [row()], [], false],
		['another order', [row({ orderReference: 'A-1' })], [row({ orderReference: 'A-2' })], false],
		['another callback URL', [at(one)], [at(other)], false],
		['a callback URL more', [row({ params: { amount: '10' } })], [at(one)], false],
		[
			'callback URLs in each other’s place',
			[at(one), at(other, { orderReference: 'A' })],
			[at(other), at(one, { orderReference: 'A' })],
			false,
		],
		['another callback token', [tokened(first)], [tokened(second)], false],
		[
			'another address of an execution that waits',
			[at(one, { isAwaited: true })],
			[at(other, { isAwaited: true })],
			true,
		],
		[
			'another order in one that waits',
			[at(one, { isAwaited: true })],
			[at(other, { isAwaited: true, orderReference: 'A-1' })],
			false,
		],
		[
			'another address, where only some rows wait',
			[at(one), at(one, { isAwaited: true })],
			[at(other), at(other, { isAwaited: true })],
			false,
		],
	])('of rows, for %s', (_, approved, now, expected) => {
		expect(approves(fingerprintOf(approved)!, now)).toBe(expected);
	});

	it('of a check, which waits for nothing, holds for a create that does', () => {
		const check = fingerprintOf([row({ params: { amount: '10' } })])!;
		expect(approves(check, [at(one, { isAwaited: true })])).toBe(true);
	});
});

it('counts rows and money of any size', () => {
	const money = { amount: '1234567.89', currency: 'KES' };
	const print = fingerprintOf(Array.from({ length: 12 }, () => row({ money })))!;
	expect(isFingerprint(print)).toBe(true);
	expect(totalsIn(print)).toEqual([{ currency: 'KES', rows: 12, amount: '14814814.68' }]);
});

it.each([
	'',
	'up2',
	'up2.1KES1.short.short',
	`up2.1KES1.${'a'.repeat(22)}`,
	`up1.1KES1.${'a'.repeat(22)}`,
	`up3.1KES1.${'a'.repeat(22)}.${'a'.repeat(22)}`,
	' up2',
	'null',
])('"%s" is none', (text) => {
	expect(isFingerprint(text)).toBe(false);
});

it.each(['a', ''])('nothing may stand around it: "%s"', (around) => {
	const print = fingerprintOf([row()])!;
	expect(isFingerprint(around + print)).toBe(around === '');
	expect(isFingerprint(print + around)).toBe(around === '');
});
