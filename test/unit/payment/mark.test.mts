import fc from 'fast-check';
import { createHmac, hash } from 'node:crypto';

import {
	isCarried,
	LONGEST_SAFE_URL,
	isMarkOf,
	markIn,
	markWithin,
	ownMark,
	paymentOfMark,
	readMark,
	withMark,
	writeMark,
} from '../../../nodes/UnifiedPayments/payment/mark.ts';

const HOOK = 'https://n8n.example.com/webhook/pay';
const SECRET = 'sk-of-amina';
const account = (over: { baseUrl?: string; clientId?: string; secretKey?: string } = {}) => {
	const { baseUrl = 'https://pay.example.com/api', ...own } = over;
	return {
		baseUrl,
		identity: { clientId: 'client-1', sender: 'Amina Shop', secretKey: SECRET, ...own },
	};
};
const AMINA = account();
const MAKER = { workflowId: 'workflow', nodeId: 'node' };

/** That of a payment over 1250.50 KES, unless said otherwise. */
const mark = (
	orderReference: string | null,
	{
		amount = '1250.5',
		currency = 'KES',
		key = 'the key of the payment',
		isKeyed = false,
		kind = 'link' as 'link' | 'collection',
		maker = MAKER as Parameters<typeof writeMark>[2],
		by = AMINA as Parameters<typeof writeMark>[0],
	} = {},
) =>
	writeMark(
		by,
		{
			...{ kind, orderReference, amount, currency, isOneOfSeveral: isKeyed },
			key: { key, by: 'orderReference', values: null },
		},
		maker,
	);
const url = (value: string) => withMark(HOOK, value);
const read = (address: string) => readMark(AMINA, address);
const INVALID = { is: 'invalid' };
const valid = (orderReference: string | null, asked = { amount: 1250.5, currency: 'KES' }) => ({
	is: 'valid',
	kind: 'link',
	orderReference,
	asked,
	key: expect.any(String) as unknown,
	maker: expect.any(String) as unknown,
	place: '',
});

const order = fc.string({ unit: 'binary', minLength: 1, maxLength: 32 });
const amount = fc
	.tuple(fc.integer({ min: 0, max: 9_999_999_999_999 }), fc.integer({ min: 0, max: 99 }))
	.filter(([whole, cents]) => whole + cents > 0)
	.map(([whole, cents]) =>
		cents === 0 ? `${whole}` : `${whole}.${String(cents).padStart(2, '0').replace(/0$/, '')}`,
	);
const currency = fc.constantFrom('KES', 'XOF', 'SLE');

describe('a mark', () => {
	it('is written in characters that nobody escapes, as this text', () => {
		const maker = hash('sha256', '["workflow","node"]', 'base64url').slice(0, 4);
		const text = `c${Buffer.from('A-1_b').toString('base64url')}.125050KES..${maker}`;
		const code = createHmac('sha256', SECRET)
			.update(`["unified-payments order",["pay.example.com/api","client-1"],"${text}"]`)
			.digest()
			.subarray(0, 12)
			.toString('base64url');
		expect(mark('A-1_b', { kind: 'collection' })).toBe(`${text}.${code}`);
		expect(code).toHaveLength(16);
	});

	it.each([
		['0.5', '50', 0.5],
		['0.01', '1', 0.01],
		['999999999999999', '99999999999999900', 999999999999999],
	])('carries the amount %s as %s hundredths', (given, hundredths, number) => {
		const value = mark('A', { amount: given });
		expect(value).toMatch(new RegExp(`^lQQ\\.${hundredths}KES\\.[\\w-]{6}\\.[\\w-]{4}\\.`));
		expect(read(url(value))).toMatchObject({ is: 'valid', asked: { amount: number } });
	});

	it.each(['A-1', 'order 7/ü'])(
		'of one of several payments of %j tells them apart',
		(reference) => {
			const keyed = (key: string) => mark(reference, { key, isKeyed: true });
			expect(keyed('oct')).not.toBe(keyed('nov'));
			expect(keyed('oct')).toBe(keyed('oct'));
			expect(read(url(keyed('oct')))).toEqual(valid(reference));
		},
	);

	it('of a link tells apart what was asked of whom under one order', () => {
		const asked = (values: string) =>
			writeMark(
				AMINA,
				{
					...{ kind: 'link', orderReference: 'A-1', amount: '5', currency: 'KES' },
					...{ isOneOfSeveral: false, key: { key: 'A-1', by: 'orderReference', values } },
				},
				MAKER,
			);
		expect(asked('amina')).toBe(asked('amina'));
		expect(asked('amina')).not.toBe(asked('zoe'));
	});

	it('says whether it is that of a link or of a collection', () => {
		expect(read(url(mark('A-1', { kind: 'collection' })))).toMatchObject({ kind: 'collection' });
		expect(mark('A-1', { kind: 'collection' })).not.toBe(mark('A-1'));
	});

	it('of an awaited row is known in its own execution, and elsewhere as that of its payment', () => {
		const at = (execution: string, run: number, row: number) =>
			mark('A-1', { maker: { ...MAKER, awaited: { execution, run, row } } });
		const own = at('17', 0, 1);
		const stated = (value: string) => read(url(value)) as never;
		for (const other of [at('18', 0, 1), at('17', 1, 1), at('17', 0, 2), mark('A-1')]) {
			expect(isMarkOf(stated(other), { mark: own, sentEarlier: false })).toBe(false);
			expect(isMarkOf(stated(other), { mark: own, sentEarlier: true })).toBe(true);
			expect(paymentOfMark(stated(other))).toBe(paymentOfMark(ownMark(own)));
		}
		expect(isMarkOf(stated(own), { mark: own, sentEarlier: false })).toBe(true);
		expect(isMarkOf(stated(own), { mark: null, sentEarlier: true })).toBe(false);
	});

	it.each([
		['another workflow', { ...MAKER, workflowId: 'copy' }],
		['another node of the workflow', { ...MAKER, nodeId: 'copy' }],
	])('of the same order in %s is another, and as good', (_, maker) => {
		const other = mark('A-1', { maker });
		expect(other).not.toBe(mark('A-1'));
		expect(read(url(other))).toEqual(valid('A-1'));
	});

	it('comes back with its order, amount and currency, whatever the order is', () => {
		fc.assert(
			fc.property(order, amount, currency, (reference, asked, code) => {
				const value = mark(reference, { amount: asked, currency: code });
				expect(value).toMatch(/^[\w.-]+$/);
				const carried = isCarried(reference) ? reference : null;
				expect(read(url(value))).toEqual(valid(carried, { amount: Number(asked), currency: code }));
			}),
			{ numRuns: 2000 },
		);
	});

	it('tells payments without an order apart by their key, and shows nothing of it', () => {
		const value = mark(null);
		expect(value).toMatch(/^l\.125050KES\.[\w-]{12}\.[\w-]{4}\.[\w-]{16}$/);
		expect(mark(null, { key: 'another' })).not.toBe(value);
		expect(mark(null)).toBe(value);
		expect(read(url(value))).toEqual(valid(null));
	});

	it.each([
		['of 128 characters', 'x'.repeat(128), true],
		['of 129 characters', 'x'.repeat(129), false],
		['of 64 characters of two bytes', 'é'.repeat(64), true],
		['that ends with half a character', 'A\ud800', false],
		['that is empty', '', false],
	])('never cuts an order %s', (_, reference, carried) => {
		expect(isCarried(reference)).toBe(carried);
		expect(read(url(mark(reference)))).toEqual(valid(carried ? reference : null));
	});

	it.each([false, true])('is known with its order as people see it, by a key: %j', (isKeyed) => {
		const named = (name: string) => paymentOfMark(read(url(mark(name, { isKeyed }))));
		expect(named('Caf\u00e9')).toBe(named('Cafe\u0301'));
		expect(named('Caf\u00e9')).not.toBe(named('Cafe'));
	});

	it("leaves room in 255 characters for n8n's address, a token and an order of 32 characters", () => {
		const address = `https://automation.amina-shop.example.com/webhook/${'0'.repeat(36)}/callback?token=${'t'.repeat(32)}`;
		for (const reference of ['o'.repeat(32), 'o/'.repeat(16), `INV 2026/11 ${'é'.repeat(20)}`]) {
			const marked = withMark(address, mark(reference, { amount: '999999.99' }));
			expect(marked.length).toBeLessThanOrEqual(LONGEST_SAFE_URL);
		}
	});
});

describe('an address', () => {
	it.each([
		['?a=1#part', '?a=1&upo=m#part'],
		['?upo=old&a=1', '?a=1&upo=m'],
		['?%75po=old', '?upo=m'],
		['?upo[]=old&upo[0]=x', '?upo=m'],
		['?upon=1&xupo=2&UPO=3', '?upon=1&xupo=2&UPO=3&upo=m'],
	])('gets one mark: %s', (end, expected) => {
		expect(withMark(HOOK + end, 'm')).toBe(HOOK + expected);
	});

	it('without a mark says nothing', () => {
		for (const end of ['', '?', '?a=1', '?upon=1', '?xupo=1', '/upo=1', '?%75po=1'])
			expect(read(HOOK + end)).toEqual({ is: 'absent' });
	});

	it.each(['?a=1', '/', '\n', '%20', '&amp;a=1'])('may have %j behind its mark', (end) => {
		expect(read(url(mark('A-1')) + end)).toEqual(valid('A-1'));
	});

	it('may be a path only, and hold other parameters', () => {
		expect(read(`/webhook/pay?token=t&upo=${mark('A-1')}&x=%zz`)).toEqual(valid('A-1'));
	});
});

describe('a mark is not believed', () => {
	const good = mark('A-1');
	const reencoded = (character: string) =>
		good.replace(character, `%${character.charCodeAt(0).toString(16)}`);
	const [text, code] = [good.slice(0, -17), good.slice(-16)];
	const encoded = (reference: string) => Buffer.from(reference).toString('base64url');

	it.each([
		['with another order', `${text.replace(encoded('A-1'), encoded('A-2'))}.${code}`],
		['with another amount', `${text.replace('125050', '25050')}.${code}`],
		['with another currency', `${text.replace('KES', 'TZS')}.${code}`],
		['of another node', `${text.slice(0, -4)}${text.endsWith('AAAA') ? 'BBBB' : 'AAAA'}.${code}`],
		['of another kind', `c${text.slice(1)}.${code}`],
		['with another code', `${text}.${'A'.repeat(16)}`],
		['with another code, and more behind it', `${text}.${'A'.repeat(16)}?a=1`],
		['with an escaped point', reencoded('.')],
		['of a kind that does not exist', `x${good.slice(1)}`],
		['with a leading zero', good.replace('.125050', '.0125050')],
	])('%s', (_, value) => {
		expect(read(`${HOOK}?upo=${value}`)).toEqual(INVALID);
	});

	it('cut anywhere', () => {
		for (let end = 0; end < good.length; end++)
			expect(read(`${HOOK}?upo=${good.slice(0, end)}`)).toEqual(INVALID);
	});

	it.each([
		['twice', `?upo=${good}&upo=${good}`],
		['beside a forged one', `?upo=${good}&upo=x`],
		['as a list', `?upo[]=${good}`],
		['as a list with an escaped name', `?upo%5B0%5D=${good}`],
	])('%s', (_, query) => {
		expect(read(HOOK + query)).toEqual(INVALID);
	});

	it.each([
		['with another secret key', account({ secretKey: 'sk-of-baraka' })],
		['with another client ID', account({ clientId: 'client-2' })],
		['at another address', account({ baseUrl: 'https://other.example.com/api' })],
	])('by an account %s', (_, other) => {
		expect(readMark(other, url(good))).toEqual(INVALID);
	});

	it('whatever is changed in it', () => {
		const characters = fc.constantFrom(...'ABCabc019-_.=%+/ é');
		fc.assert(
			fc.property(order, amount, fc.nat(), characters, (reference, asked, at, character) => {
				const value = mark(reference, { amount: asked });
				const index = at % value.length;
				fc.pre(value[index] !== character);
				const changed = value.slice(0, index) + character + value.slice(index + 1);
				expect(read(`${HOOK}?upo=${changed}`)).toEqual(INVALID);
			}),
			{ numRuns: 2000 },
		);
	});
});

describe('in the JSON of a record or an entry', () => {
	const good = url(mark('A-1'));
	const within = (record: unknown) => markWithin(AMINA, record);

	it.each<[string, object]>([
		['under any name, at any depth', { a: [{ whatever: `POST ${good}` }] }],
		['twice', { callback_url: good, webhook: good }],
		...['&amp;', '&#38;', '\\u0026'].map((and): [string, object] => [
			`with ${and}`,
			{ callback_url: `${HOOK}?a=1${and}upo=${mark('A-1')}` },
		]),
		['in another address', { callback_url: `https://a.example?to=${encodeURIComponent(good)}` }],
		['as JSON in a text', { meta: JSON.stringify({ url: good }) }],
	])('is found %s', (_, record) => {
		expect(within(record)).toEqual(valid('A-1'));
	});

	it('is not believed beside another one, or when it was cut', () => {
		expect(within({ a: good, b: url(mark('A-2')) })).toEqual(INVALID);
		expect(within({ a: good.slice(0, -1) })).toEqual(INVALID);
	});

	it('is absent from what has none, or is nested too deeply', () => {
		const deep = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000)) as unknown;
		for (const record of [{}, null, undefined, { upo: 'A-1' }, { a: HOOK }, deep])
			expect(within(record)).toEqual({ is: 'absent' });
	});

	it('is taken out of an address as it is written there, if it is alone', () => {
		expect(markIn(good)).toBe(mark('A-1'));
		expect(markIn(HOOK)).toBeNull();
		expect(markIn(`${good}&upo=x`)).toBeNull();
	});
});

describe('after the secret key was changed', () => {
	const good = mark('A-1');
	const changed = account({ secretKey: 'sk-new' });

	it('a code of the previous key still counts, and nothing is written with it', () => {
		const by = { ...changed, previousSecretKey: SECRET };
		expect(readMark(by, url(good))).toEqual(valid('A-1'));
		expect(mark('A-1', { by })).toBe(mark('A-1', { by: changed }));
		expect(mark('A-1', { by })).not.toBe(good);
	});

	it.each([undefined, null, '', 'sk-other'])('not with %j for the previous key', (previous) => {
		const reading = readMark({ ...changed, previousSecretKey: previous }, url(good));
		expect(reading).toEqual(INVALID);
	});

	it('a code of the previous key does not count for another account', () => {
		const other = { ...account({ clientId: 'client-2' }), previousSecretKey: SECRET };
		expect(readMark(other, url(good))).toEqual(INVALID);
	});
});
