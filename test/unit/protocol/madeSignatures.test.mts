import { randomBytes } from 'node:crypto';

import { rememberSignature } from '../../../nodes/UnifiedPayments/protocol/madeSignatures.ts';
import {
	fresh,
	openEnvelope,
	seal,
	SIGNATURE_DEFAULTS,
	withSignature,
} from '../../../nodes/UnifiedPayments/protocol/signing.ts';
import { Redactor } from '../../../nodes/UnifiedPayments/transport/redact.ts';

const IDENTITY = { clientId: 'client', sender: 'Shop', secretKey: 'a secret key of the service' };

const redactor = new Redactor();
redactor.add([IDENTITY.secretKey]);

/** Seals a request, as the credential does, and gives its signature. */
function sent(algorithm: 'sha256' | 'sha384' | 'sha512', encoding: 'hex' | 'base64'): string {
	const recipe = { ...SIGNATURE_DEFAULTS, algorithm, encoding };
	const body = seal(IDENTITY, recipe, '{}', fresh(Date.now()));
	return (JSON.parse(body) as { signature: string }).signature;
}

describe('a signature that the service says back', () => {
	it.each([
		['sha256', 'hex'],
		['sha384', 'hex'],
		['sha512', 'hex'],
		['sha256', 'base64'],
		['sha384', 'base64'],
		['sha512', 'base64'],
	] as const)('is masked in data, wherever it stands: %s, %s', (algorithm, encoding) => {
		const signature = sent(algorithm, encoding);
		const echoed = {
			checksum: signature,
			note: `Checked ${signature}, as it was sent`,
			nested: [{ hash: `sha=${signature}` }],
			url: `https://example.com/?s=${encodeURIComponent(signature)}&a=b`,
			body: encodeURIComponent(JSON.stringify({ signature, params: {} })),
			json: JSON.stringify({ checksum: signature }).replaceAll('/', '\\/'),
		};
		expect(redactor.deep(echoed)).toEqual({
			checksum: '***',
			note: 'Checked ***, as it was sent',
			nested: [{ hash: 'sha=***' }],
			url: 'https://example.com/?s=***&a=b',
			body: '%7B%22signature%22%3A%22***%22%2C%22params%22%3A%7B%7D%7D',
			json: '{"checksum":"***"}',
		});
	});

	it('is masked in capitals, and where another follows', () => {
		const [one, two] = [sent('sha256', 'hex'), sent('sha256', 'hex')];
		expect(redactor.deep({ checksum: one.toUpperCase() })).toEqual({ checksum: '***' });
		expect(redactor.deep({ both: one + two })).toEqual({ both: '******' });
	});

	it('is masked when the signing endpoint made it', () => {
		const signature = randomBytes(32).toString('base64');
		withSignature(IDENTITY, '{}', fresh(Date.now()), signature);
		expect(redactor.deep({ checksum: signature })).toEqual({ checksum: '***' });
	});

	it.each([
		['short', randomBytes(16).toString('hex')],
		['of the kind for addresses', `-_${randomBytes(40).toString('base64url')}_-`],
		['of several parts', [24, 12, 24].map((n) => randomBytes(n).toString('base64url')).join('.')],
	])('is masked in a sentence when it is %s', (_, signature) => {
		rememberSignature(signature);
		expect(redactor.deep(`Got ${signature} from you`)).toBe('Got *** from you');
	});
});

it('what merely looks like a signature stays whole in data', () => {
	const reference = randomBytes(32).toString('hex');
	const own = sent('sha256', 'hex');
	const alike = own.slice(0, 40) + reference.slice(0, 24);
	expect(redactor.deep({ reference, alike })).toEqual({ reference, alike });
});

it('a body that somebody else wrote is not remembered', () => {
	const signature = randomBytes(32).toString('hex');
	const foreign = `{"client_id":"client","sender":"Shop","timestamp":1,"salt":"s","signature":"${signature}","params":{}}`;
	expect(openEnvelope(IDENTITY, foreign)).not.toBeNull();
	expect(redactor.deep({ signature: 'x', hash: signature })).toEqual({
		signature: '***',
		hash: signature,
	});
});

it('is masked in an address with small letters, and in a run of 16 KB but in no file', () => {
	const signature = `a+/${randomBytes(30).toString('base64')}+/a`;
	rememberSignature(signature);
	const escaped = encodeURIComponent(signature).replaceAll('%2B', '%2b').replaceAll('%2F', '%2f');
	expect(redactor.deep({ url: `x=${escaped}` })).toEqual({ url: 'x=***' });
	expect(redactor.deep(signature.replaceAll('/', '\\/'))).toBe('***');
	const before = '0'.repeat(16 * 1024 - signature.length);
	expect(redactor.deep(before + signature)).toBe(`${before}***`);
	expect(redactor.deep(`0${before}${signature}`)).toBe(`0${before}${signature}`);
});

it('the last 2,500 are remembered, and no more than 5,000', () => {
	const send = (): string => {
		const signature = `ab${randomBytes(31).toString('hex')}`;
		rememberSignature(signature);
		return signature;
	};
	const isRemembered = (signature: string) => redactor.deep(signature) === '***';
	// The older half was just forgotten, and the newer half is empty.
	const earlier = send();
	for (let others = 0; others < 5000 && isRemembered(earlier); others++) send();

	const first = send();
	for (let others = 1; others < 4999; others++) send();
	expect(isRemembered(first)).toBe(true);
	const last = send();
	expect([first, last].map(isRemembered)).toEqual([false, true]);
});

it('a short one is remembered, but not half a character or a few letters', () => {
	const short = randomBytes(8).toString('hex');
	for (const each of ['short', short, `${'a'.repeat(60)}\ud800`]) rememberSignature(each);
	const text = `${'short'.repeat(20)} ${'a'.repeat(60)}`;
	expect(redactor.deep(`${text} ${'1'.repeat(40)}${short}`)).toBe(`${text} ${'1'.repeat(40)}***`);
});
