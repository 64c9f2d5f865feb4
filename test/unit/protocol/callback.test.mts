import * as crypto from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { signatureRefusal } from '../../../nodes/UnifiedPayments/protocol/callback.ts';

const HEX = { algorithm: 'sha256', encoding: 'hex' } as const;
const isSignedBy = (...given: Parameters<typeof signatureRefusal>) =>
	signatureRefusal(...given) === null;

it('a signature is compared by digests of one length, whatever is given', () => {
	const real = createRequire(join(process.cwd(), 'package.json'))('node:crypto') as typeof crypto;
	const compared = jest.spyOn(real, 'timingSafeEqual');
	const givens = ['', 'a', 'x'.repeat(64), 'x'.repeat(10_000)];
	for (const given of givens) signatureRefusal(Buffer.from('{}'), given, 'key', HEX);
	const lengths = compared.mock.calls.map((pair) =>
		pair.map((side) => (side as Buffer).byteLength),
	);
	compared.mockRestore();
	expect(lengths).toEqual(givens.map(() => [32, 32]));
});

describe('the signature of a callback', () => {
	const bytes = Buffer.from('{"ref":"TX-1","amount":"1500.00"}');
	type Made = [algorithm?: string, key?: string, encoding?: 'hex' | 'base64'];
	const made = (...[algorithm = 'sha256', key = 'key', encoding = 'hex']: Made) =>
		crypto.createHmac(algorithm, key).update(bytes).digest(encoding);
	const right = made();

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
		['by another key', made('sha256', 'other')],
		['by an empty key', made('sha256', '')],
		['with another algorithm named', `sha512=${right}`],
		['by another algorithm', made('sha512')],
		['in base64', made('sha256', 'key', 'base64')],
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
			const how = { algorithm, encoding };
			expect(isSignedBy(bytes, made(algorithm, 'key', encoding), 'key', how)).toBe(true);
		}
		const small = made(algorithm, 'key', 'base64').toLowerCase();
		expect(isSignedBy(bytes, small, 'key', { algorithm, encoding: 'base64' })).toBe(false);
	});
});
