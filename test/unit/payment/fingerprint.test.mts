import { readCredential } from '../../../nodes/UnifiedPayments/protocol/credential.ts';
import {
	approves,
	fingerprintOf,
	isFingerprint,
	totalsIn,
	type SendableRow,
} from '../../../nodes/UnifiedPayments/payment/fingerprint.ts';

const SAVED = { baseUrl: 'https://a.example', clientId: 'c', sender: 's', secretKey: 'k' };
const account = (changes: Record<string, string> = {}) => readCredential({ ...SAVED, ...changes });

const PARAMS = { amount: '10', item_name: 'Rent' };

type Changes = Partial<
	SendableRow & SendableRow['given'] & SendableRow['payment'] & SendableRow['options']
>;

const row = ({ params = PARAMS, twoDecimals, ...changes }: Changes = {}): SendableRow => ({
	account: changes.account ?? account(),
	given: { params, twoDecimals },
	payment: { amount: '10', currency: 'KES', orderReference: null, ...changes },
	options: { duplicateKey: changes.duplicateKey ?? null },
	isAwaited: changes.isAwaited ?? false,
});

const LARGE = 'x'.repeat(5000);

const noPause = async () => undefined;
const printOf = async (rows: SendableRow[]) => await fingerprintOf('/create', rows, noPause);

it('shows what it amounts to', async () => {
	const print = (await printOf([
		row(),
		row({ amount: '2.5' }),
		row({ amount: '7', currency: 'UGX' }),
	]))!;
	expect(print).toMatch(/^up2\.2KES1250\.1UGX700\.[\w-]{22}\.[\w-]{22}$/);
	expect(isFingerprint(print)).toBe(true);
	expect(totalsIn(print)).toEqual([
		{ currency: 'KES', rows: 2, amount: '12.5' },
		{ currency: 'UGX', rows: 1, amount: '7' },
	]);
	expect(await printOf([])).toBeNull();
});

it('is always the same, so that it holds over restarts and releases', async () => {
	expect(await printOf([row(), row({ params: { a: 1, logo: LARGE } })])).toBe(
		'up2.2KES2000.8BMpYNidW5sexWmd7x89Zg.sIDyxCAfzw21M2w0_Wt51w',
	);
});

it('is the same for another order of the rows, and for another spelling of the address', async () => {
	const other = row({ params: { amount: '11' } });
	const slash = row({ account: account({ baseUrl: 'https://A.example/' }) });
	expect(await printOf([other, row()])).toBe(await printOf([row(), other]));
	expect(await printOf([slash])).toBe(await printOf([row()]));
});

it.each<[string, SendableRow[]]>([
	['a value', [row({ params: { amount: '10', item_name: 'Rents' } })]],
	['the kind of a value', [row({ params: { amount: 10, item_name: 'Rent' } })]],
	['two decimals', [row({ twoDecimals: true })]],
	['the client', [row({ account: account({ clientId: 'd' }) })]],
	['the key', [row({ account: account({ secretKey: 'l' }) })]],
	['the order', [row({ orderReference: 'A-1' })]],
	['the Duplicate Key', [row({ duplicateKey: 'A-1' })]],
	['the callback URL', [row({ params: { ...PARAMS, callback_url: 'https://n8n.example' } })]],
	['a row twice', [row(), row()]],
	['the amount', [row({ amount: '10.01' })]],
])('another %s makes it another', async (_, rows) => {
	const print = (await printOf(rows))!;
	expect(isFingerprint(print)).toBe(true);
	expect(print.split('.').at(-1) === (await printOf([row()]))!.split('.').at(-1)).toBe(
		_ === 'the amount',
	);
	expect(print).not.toBe(await printOf([row()]));
});

it('a Duplicate Key is part of it as it is compared', async () => {
	const print = async (duplicateKey: string | null) => await printOf([row({ duplicateKey })]);
	expect(await print('')).toBe(await print(null));
	expect(await print(' T\u00a01 ')).toBe(await print('T 1'));
	expect(await print('T1-2026-12')).not.toBe(await print('T1-2026-11'));
});

it('two large values are told apart, also at their ends', async () => {
	const print = async (logo: string) => await printOf([row({ params: { logo } })]);
	expect(await print(`${LARGE}a`)).not.toBe(await print(`${LARGE}b`));
	expect(await print('y'.repeat(1023))).not.toBe(await print('y'.repeat(1024)));
});

describe('an approval', () => {
	const at = (callback_url: string, changes: Changes = {}) =>
		row({ ...changes, params: { amount: '10', callback_url } });
	const awaited = (callback_url: string, orderReference: string | null = null) =>
		at(callback_url, { isAwaited: true, orderReference });
	const [one, other] = ['https://n8n.example/1', 'https://n8n.example/2'];

	it.each<[string, SendableRow[], SendableRow[], boolean]>([
		['the same rows', [row()], [row()], true],
		['no rows', [row()], [], false],
		['a callback URL more', [row({ params: { amount: '10' } })], [at(one)], false],
		[
			'callback URLs in each other’s place',
			[at(one), at(other, { orderReference: 'A' })],
			[at(other), at(one, { orderReference: 'A' })],
			false,
		],
		['another address of an execution that waits', [awaited(one)], [awaited(other)], true],
		['another order in one that waits', [awaited(one)], [awaited(other, 'A-1')], false],
		['a check, which waits for nothing', [row({ params: { amount: '10' } })], [awaited(one)], true],
		[
			'another address, where only some rows wait',
			[at(one), awaited(one)],
			[at(other), awaited(other)],
			false,
		],
	])('of rows, for %s', async (_, approved, now, expected) => {
		expect(await approves((await printOf(approved))!, '/create', now, noPause)).toBe(expected);
	});
});

it('counts rows and money of any size', async () => {
	const money = { amount: '1234567.89', currency: 'KES' };
	const print = (await printOf(Array.from({ length: 12 }, () => row(money))))!;
	expect(isFingerprint(print)).toBe(true);
	expect(totalsIn(print)).toEqual([{ currency: 'KES', rows: 12, amount: '14814814.68' }]);
});

it('is recognised as a whole only', async () => {
	const code = 'a'.repeat(22);
	const none = ['', 'up2', 'null', 'up2.1KES1.short.short', `up2.1KES1.${code}`];
	for (const text of [...none, `up1.1KES1.${code}`, `up3.1KES1.${code}.${code}`])
		expect(isFingerprint(text)).toBe(false);
	const print = (await printOf([row()]))!;
	expect([print, `a${print}`, `${print}a`].map(isFingerprint)).toEqual([true, false, false]);
});
