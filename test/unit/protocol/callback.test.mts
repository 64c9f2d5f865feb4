import { createHmac } from 'node:crypto';
import * as crypto from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import fc from 'fast-check';

import { carriesToken, isSignedBy } from '../../../nodes/UnifiedPayments/protocol/callback.ts';

const TOKEN = 'a-token-of-the-user';
const HEX = { algorithm: 'sha256', encoding: 'hex' } as const;

describe('the callback token', () => {
	it.each([
		['none', {}],
		['an empty one', { token: '' }],
		['a wrong one', { token: 'another-token-of-user' }],
		['a prefix', { token: TOKEN.slice(0, -1) }],
		['a longer one', { token: `${TOKEN}x` }],
		['another case', { token: TOKEN.toUpperCase() }],
		['a space behind', { token: `${TOKEN} ` }],
		['a NUL behind', { token: `${TOKEN}\0` }],
		['a list with the right one', { token: [TOKEN] }],
		['the right one twice', { token: [TOKEN, TOKEN] }],
		['an object', { token: { 0: TOKEN, toString: (): string => TOKEN } }],
		['true', { token: true }],
		['null', { token: null }],
		['another name', { Token: TOKEN, tokens: TOKEN }],
	])('is not %s', (_, query) => {
		expect(carriesToken(query, TOKEN)).toBe(false);
	});

	it('is the one of the credential', () => {
		expect(carriesToken({ token: TOKEN, other: 'x' }, TOKEN)).toBe(true);
	});

	it('is compared by digests of one length, whatever is given', () => {
		const real = createRequire(join(process.cwd(), 'package.json'))('node:crypto') as typeof crypto;
		const compared = jest.spyOn(real, 'timingSafeEqual');
		const givens = ['', 'a', TOKEN, `${TOKEN}x`, 'x'.repeat(10_000)];
		for (const given of givens) carriesToken({ token: given }, TOKEN);
		const lengths = compared.mock.calls.map((pair) =>
			pair.map((side) => (side as Buffer).byteLength),
		);
		compared.mockRestore();
		expect(lengths).toEqual(givens.map(() => [32, 32]));
	});

	it('equals itself and nothing else', () => {
		fc.assert(
			fc.property(fc.string(), fc.string(), (a, b) => carriesToken({ token: b }, a) === (a === b)),
			{ numRuns: 2000 },
		);
	});
});

describe('the signature of a callback', () => {
	const bytes = Buffer.from('{"ref":"TX-1","amount":"1500.00"}');
	const right = createHmac('sha256', 'key').update(bytes).digest('hex');

	it.each([
		['as it is', right],
		['with its algorithm before it', `sha256=${right}`],
		['with its algorithm in capitals', `SHA256=${right}`],
		['in capitals', right.toUpperCase()],
		['with spaces around', ` ${right} `],
	])('is accepted %s', (_, header) => {
		expect(isSignedBy(bytes, header, 'key', HEX)).toBe(true);
	});

	it.each([
		['missing', undefined],
		['empty', ''],
		['a prefix of it', right.slice(0, -1)],
		['by another key', createHmac('sha256', 'other').update(bytes).digest('hex')],
		['by an empty key', createHmac('sha256', '').update(bytes).digest('hex')],
		['with another algorithm named', `sha512=${right}`],
		['by another algorithm', createHmac('sha512', 'key').update(bytes).digest('hex')],
		['in base64', createHmac('sha256', 'key').update(bytes).digest('base64')],
		['a list', [right]],
		['two of them', `${right}, ${right}`],
		['a plain hash', crypto.createHash('sha256').update(bytes).digest('hex')],
	])('is refused when it is %s', (_, header) => {
		expect(isSignedBy(bytes, header, 'key', HEX)).toBe(false);
	});

	it('is over the bytes, not over what they mean', () => {
		const spaced = Buffer.from('{"ref": "TX-1", "amount": "1500.00"}');
		expect(isSignedBy(spaced, right, 'key', HEX)).toBe(false);
	});

	it.each(['sha256', 'sha384', 'sha512'] as const)('can be made with %s', (algorithm) => {
		for (const encoding of ['hex', 'base64'] as const) {
			const made = createHmac(algorithm, 'key').update(bytes).digest(encoding);
			expect(isSignedBy(bytes, made, 'key', { algorithm, encoding })).toBe(true);
		}
	});

	it('keeps the case of base64', () => {
		const how = { algorithm: 'sha256', encoding: 'base64' } as const;
		const made = createHmac('sha256', 'key').update(bytes).digest('base64');
		expect(isSignedBy(bytes, made.toLowerCase(), 'key', how)).toBe(false);
	});
});
