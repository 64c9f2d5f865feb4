import fc from 'fast-check';
import { createHash, createHmac } from 'node:crypto';

import {
	isCarried,
	LONGEST_SAFE_URL,
	readMark,
	withMark,
	writeMark,
} from '../../../nodes/UnifiedPayments/payment/mark.ts';

const HOOK = 'https://n8n.example.com/webhook/pay';
const SECRET = 'sk-of-amina';
const account = (over: { baseUrl?: string; clientId?: string; secretKey?: string } = {}) => ({
	baseUrl: over.baseUrl ?? 'https://pay.example.com/api',
	identity: {
		clientId: over.clientId ?? 'client-1',
		sender: 'Amina Shop',
		secretKey: over.secretKey ?? SECRET,
	},
});
const AMINA = account();
const KEY = 'the key of the payment';

const MAKER = { workflowId: 'workflow', nodeId: 'node' };

const mark = (
	orderReference: string | null,
	amount = '1250.5',
	currency = 'KES',
	key = KEY,
	maker = MAKER,
) =>
	writeMark(
		AMINA,
		{ orderReference, amount, currency },
		{ key, by: orderReference === null ? 'values' : 'orderReference' },
		maker,
	);
const url = (value: string) => withMark(HOOK, value);
const read = (address: string) => readMark(AMINA, address);
const INVALID = { kind: 'invalid' };

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
		const maker = createHash('sha256')
			.update('["workflow","node"]')
			.digest('base64url')
			.slice(0, 4);
		const text = `1A-1_b.125050KES${maker}`;
		const code = createHmac('sha256', SECRET)
			.update(`["unified-payments order",["pay.example.com/api","client-1"],"${text}"]`)
			.digest()
			.subarray(0, 12)
			.toString('base64url');
		expect(mark('A-1_b')).toBe(`${text}.${code}`);
		expect(code).toHaveLength(16);
	});

	it.each([
		['80', '8000', 80],
		['0.5', '50', 0.5],
		['0.05', '5', 0.05],
		['0.01', '1', 0.01],
		['1250.05', '125005', 1250.05],
		['999999999999999', '99999999999999900', 999999999999999],
	])('carries the amount %s as %s hundredths', (given, hundredths, number) => {
		expect(mark('A', given)).toMatch(new RegExp(`^1A\\.${hundredths}KES[\\w-]{4}\\.`));
		expect(read(url(mark('A', given)))).toMatchObject({
			kind: 'valid',
			asked: { amount: number, currency: 'KES' },
		});
	});

	it.each(['A-1', 'order 7/ü'])(
		'of one of several payments of %j tells them apart',
		(reference) => {
			const keyed = (key: string) =>
				writeMark(
					AMINA,
					{ orderReference: reference, amount: '10', currency: 'KES' },
					{ key, by: 'duplicateKey' },
					MAKER,
				);
			const [october, november] = [keyed('oct'), keyed('nov')];
			expect(october).not.toBe(november);
			expect(october).toBe(keyed('oct'));
			expect(october).toMatch(
				reference === 'A-1' ? /^3[\w-]{6}A-1\.1000KES[\w-]{4}\./ : /^4[\w-]{7,}\./,
			);
			for (const value of [october, november]) {
				expect(value).toMatch(/^[\w.-]+$/);
				expect(read(url(value))).toEqual({
					kind: 'valid',
					orderReference: reference,
					asked: { amount: 10, currency: 'KES' },
				});
			}
		},
	);

	it.each([
		['another workflow', { ...MAKER, workflowId: 'copy' }],
		['another node of the workflow', { ...MAKER, nodeId: 'copy' }],
	])('of the same order in %s is another, and as good', (_, maker) => {
		const other = mark('A-1', '1250.5', 'KES', KEY, maker);
		expect(other).not.toBe(mark('A-1'));
		expect(other).toHaveLength(mark('A-1').length);
		expect(read(url(other))).toEqual(read(url(mark('A-1'))));
	});

	it('comes back with its order, amount and currency, whatever the order is', () => {
		fc.assert(
			fc.property(order, amount, currency, (reference, asked, code) => {
				const value = mark(reference, asked, code);
				expect(value).toMatch(/^[\w.-]+$/);
				expect(encodeURIComponent(value)).toBe(value);
				expect(read(url(value))).toEqual({
					kind: 'valid',
					orderReference: isCarried(reference) ? reference : null,
					asked: { amount: Number(asked), currency: code },
				});
			}),
			{ numRuns: 2000 },
		);
	});

	it.each(['A/1', '/A-1', 'A-1/', 'INV 1', 'é1', '1é'])('carries "%s" encoded', (reference) => {
		expect(mark(reference)).toMatch(/^2[\w-]+\.125050KES[\w-]{4}\.[\w-]{16}$/);
		expect(read(url(mark(reference)))).toMatchObject({ orderReference: reference });
	});

	it('tells payments without an order apart by their key, and shows nothing of it', () => {
		const value = mark(null);
		expect(value).toMatch(/^0[\w-]{12}\.125050KES[\w-]{4}\.[\w-]{16}$/);
		expect(mark(null, '1250.5', 'KES', 'another')).not.toBe(value);
		expect(mark(null)).toBe(value);
		expect(read(url(value))).toEqual({
			kind: 'valid',
			orderReference: null,
			asked: { amount: 1250.5, currency: 'KES' },
		});
	});

	it.each([
		['of 128 characters', 'x'.repeat(128), true],
		['of 129 characters', 'x'.repeat(129), false],
		['of 64 characters of two bytes', 'é'.repeat(64), true],
		['of 65 characters of two bytes', 'é'.repeat(65), false],
		['that ends with half a character', 'A\ud800', false],
		['that begins with half a character', '\ud800A', false],
		['that is empty', '', false],
	])('never cuts an order %s', (_, reference, carried) => {
		expect(isCarried(reference)).toBe(carried);
		expect(read(url(mark(reference)))).toMatchObject({
			kind: 'valid',
			orderReference: carried ? reference : null,
		});
	});

	it("leaves room in 255 characters for n8n's address, a token and an order of 32 characters", () => {
		const address = `https://automation.amina-shop.example.com/webhook/${'0'.repeat(36)}/callback?token=${'t'.repeat(32)}`;
		for (const reference of ['o'.repeat(32), 'o/'.repeat(16), `INV 2026/11 ${'é'.repeat(20)}`]) {
			expect(withMark(address, mark(reference, '999999.99')).length).toBeLessThanOrEqual(
				LONGEST_SAFE_URL,
			);
		}
	});
});

describe('an address', () => {
	it.each([
		['', '?upo=m'],
		['?a=1', '?a=1&upo=m'],
		['?a=1#part', '?a=1&upo=m#part'],
		['?upo=old&a=1', '?a=1&upo=m'],
		['?upo=1&upo=2', '?upo=m'],
		['?%75po=old', '?upo=m'],
		['?upo[]=old&upo[0]=x', '?upo=m'],
		['?upon=1&xupo=2&UPO=3', '?upon=1&xupo=2&UPO=3&upo=m'],
	])('gets one mark: %s', (end, expected) => {
		expect(withMark(HOOK + end, 'm')).toBe(HOOK + expected);
	});

	it('without a mark says nothing', () => {
		for (const end of ['', '?', '?a=1', '?upon=1', '#?upo=1', '/upo=1'])
			expect(read(HOOK + end)).toEqual({ kind: 'absent' });
	});

	it('may be a path only, and hold other parameters', () => {
		expect(read(`/webhook/pay?token=t&upo=${mark('A-1')}&x=%zz`)).toMatchObject({
			kind: 'valid',
			orderReference: 'A-1',
		});
	});
});

describe('a mark is not believed', () => {
	const good = mark('A-1');
	const reencoded = (character: string) =>
		good.replace(character, `%${character.charCodeAt(0).toString(16)}`);
	const [text, code] = [good.slice(0, -17), good.slice(-16)];

	it.each([
		['with another order', `${text.replace('A-1', 'A-2')}.${code}`],
		['with another amount', `${text.replace('125050', '25050')}.${code}`],
		['with another currency', `${text.replace('KES', 'TZS')}.${code}`],
		['of another node', `${text.slice(0, -4)}${text.endsWith('AAAA') ? 'BBBB' : 'AAAA'}.${code}`],
		['of another kind', `2${text.slice(1)}.${code}`],
		['without an order of the kind that has none', `0${text.slice(1)}.${code}`],
		['with another code', `${text}.${'A'.repeat(16)}`],
		['with the code of another', `${text}.${mark('A-2').slice(-16)}`],
		['without a code', text],
		['with an empty code', `${text}.`],
		['cut by one character', good.slice(0, -1)],
		['with one character more', `${good}A`],
		['in front of something', `x${good}`],
		['with a line behind it', `${good}\n`],
		['with padding', `${good}=`],
		['with another =', `${good}=x`],
		['with an escaped point', reencoded('.')],
		['with an escaped letter', reencoded('A')],
		['with an escaped dash', reencoded('-')],
		['in another case', good.toLowerCase()],
		['of a kind that does not exist', `3${good.slice(1)}`],
		['with a leading zero', good.replace('.125050', '.0125050')],
		['empty', ''],
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
		['beside a list', `?upo=${good}&upo[]=x`],
		['as a list', `?upo[]=${good}`],
		['under an escaped name', `?%75po=${good}`],
		['without a value', '?upo'],
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
		fc.assert(
			fc.property(
				order,
				amount,
				fc.nat(),
				fc.constantFrom(...'ABCabc019-_.=&%+/ é'),
				(reference, asked, at, character) => {
					const value = mark(reference, asked);
					const index = at % value.length;
					fc.pre(value[index] !== character && character !== '&');
					const changed = value.slice(0, index) + character + value.slice(index + 1);
					expect(read(`${HOOK}?upo=${changed}`)).toEqual(INVALID);
				},
			),
			{ numRuns: 2000 },
		);
	});
});

describe('after the secret key was changed', () => {
	const good = mark('A-1');
	const changed = account({ secretKey: 'sk-new' });

	it('a code of the previous key still counts', () => {
		const reading = readMark({ ...changed, previousSecretKey: SECRET }, url(good));
		expect(reading).toMatchObject({ kind: 'valid', orderReference: 'A-1' });
	});

	it.each([undefined, null, '', 'sk-other'])('not with %j for the previous key', (previous) => {
		const reading = readMark({ ...changed, previousSecretKey: previous }, url(good));
		expect(reading).toEqual(INVALID);
	});

	it('nothing is written with the previous key', () => {
		const payment = { orderReference: 'A-1', amount: '1250.5', currency: 'KES' };
		const written = writeMark(
			{ ...changed, previousSecretKey: SECRET },
			payment,
			{ key: KEY, by: 'orderReference' },
			MAKER,
		);
		expect(written).toBe(writeMark(changed, payment, { key: KEY, by: 'orderReference' }, MAKER));
		expect(written).not.toBe(good);
	});

	it('a code of the previous key does not count for another account', () => {
		const other = { ...account({ clientId: 'client-2' }), previousSecretKey: SECRET };
		expect(readMark(other, url(good))).toEqual(INVALID);
	});
});
