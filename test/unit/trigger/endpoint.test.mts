import { createHmac } from 'node:crypto';

import {
	checkSender,
	checkBody,
	type Incoming,
} from '../../../nodes/UnifiedPayments/trigger/endpoint/checks.ts';
import {
	missingIn,
	readSettings,
	type Settings,
} from '../../../nodes/UnifiedPayments/trigger/settings.ts';

const KEY = 'the-key-of-this-test';

const request = (body: unknown, changes: Partial<Incoming> = {}): Incoming => ({
	bytes: Buffer.from(JSON.stringify(body) ?? ''),
	body,
	headers: { 'content-type': 'application/json' },
	address: '203.0.113.7',
	url: '/webhook/hook/webhook',
	isAnsweredAtTheEnd: false,
	...changes,
});

const settings = (verification: string, options: object = {}) =>
	readSettings({ verification, options });

const credential = { identity: { clientId: 'client', sender: 'Sender', secretKey: KEY } };
const NOW = Date.UTC(2026, 0, 1);
const check = (given: Incoming, mark: 'valid' | 'invalid' | 'absent', read: Settings) =>
	checkSender(given, mark, read, credential, NOW);

// What a body may be is tested in protocol/body.test.mts.
it.each<[number, string, Partial<Incoming>]>([
	[413, 'too_large', { bytes: Buffer.alloc(256 * 1024 + 1) }],
	[415, 'not_json', { headers: { 'content-type': 'text/plain' } }],
	[400, 'not_an_object', { body: [{ ref: 'TX-1' }] }],
	[400, 'unacceptable_json', { body: { constructor: {} } }],
])('a request is refused with %i %s', (status, reason, changes) => {
	expect(checkBody(request({ ref: 'TX-1' }))).toBeNull();
	const refusal = { accepted: false, status, reason };
	expect(checkBody(request({ ref: 'TX-1' }, changes))).toEqual(refusal);
});

describe('the sender of a request', () => {
	const sign = (body: unknown, before = '', key = KEY) => ({
		'content-type': 'application/json',
		'x-signature': createHmac('sha256', key)
			.update(before + JSON.stringify(body))
			.digest('hex'),
	});
	const body = { ref: 'TX-1' };
	const signed = request(body, { headers: sign(body) });

	it.each([
		['confirm', 'valid', 'address'],
		['confirm', 'absent', false],
		['confirm', 'invalid', 'invalid_mark'],
		['address', 'valid', 'address'],
		['address', 'absent', 'no_mark'],
		['address', 'invalid', 'invalid_mark'],
		['hmac', 'valid', 'hmac'],
		['hmac', 'absent', 'hmac'],
		['hmac', 'invalid', 'invalid_mark'],
		['none', 'valid', 'address'],
		['none', 'absent', false],
		['none', 'invalid', 'invalid_mark'],
	] as const)('%s with a mark that is %s: %s', (mode, mark, expected) => {
		const sender = check(signed, mark, settings(mode));
		expect(sender.accepted ? sender.verified : sender.reason).toBe(expected);
		if (!sender.accepted) expect(sender.status).toBe(401);
	});

	it('refuses every address when the list cannot be read', () => {
		const strict = settings('confirm', { ipAllowList: '203.0.113.7, oops' });
		expect(check(request(body), 'valid', strict)).toMatchObject({ reason: 'not_set_up' });
	});

	it('reads the signature from the header of the setting', () => {
		const other = settings('hmac', { signatureHeader: 'X-Hub-Sig' });
		const { 'x-signature': signature } = sign(body);
		const by = (name: string) =>
			check(request(body, { headers: { [name]: signature } }), 'absent', other);
		expect(by('x-hub-sig')).toMatchObject({ verified: 'hmac' });
		expect(by('x-signature')).toMatchObject({ status: 401, reason: 'invalid_signature' });
	});

	it.each([
		[0, 'hmac'],
		[-60, 'hmac'],
		[60, 'hmac'],
		[-61, 'too_old'],
		[-86_400, 'too_old'],
		[61, 'too_new'],
	])('with a time %i s from now: %s', (seconds, expected) => {
		const timed = settings('hmac', { timestampHeader: 'X-Time', toleranceSeconds: 60 });
		const time = String(NOW / 1_000 + seconds);
		const given = (headers: object) => {
			const sender = check(request(body, { headers: { ...headers } }), 'absent', timed);
			return sender.accepted ? sender.verified : sender.reason;
		};
		expect(given({ ...sign(body, `${time}.`), 'x-time': time })).toBe(expected);
		for (const wrong of [`${time}0`, ` ${time}`, `${time}.0`, '', undefined, [time]]) {
			expect(given({ ...sign(body, `${time}.`), 'x-time': wrong })).toBe('invalid_signature');
		}
		// The body alone is not what was to be signed.
		expect(given({ ...sign(body), 'x-time': time })).toBe('invalid_signature');
	});
});

describe('settings', () => {
	it('have the defaults of the contract', () => {
		expect(readSettings({ verification: undefined, options: undefined })).toMatchObject({
			verification: 'confirm',
			states: new Set(['success', 'failed', 'pending']),
			transactionType: 'payin',
			skipRepeats: true,
			signatureHeader: 'x-signature',
			signature: { algorithm: 'sha256', encoding: 'hex' },
			timestamp: null,
		});
	});

	it('are read as expressions give them', () => {
		const options = { simplify: 'true', signatureHeader: ' X-Own ', ipAllowList: null };
		const read = readSettings({ verification: 'none', states: 'success', options });
		expect(read).toMatchObject({ simplify: true, signatureHeader: 'x-own' });
		expect(read.states.size).toBe(3);
	});

	it.each([
		[{ verification: 'open', options: {} }, 'Verification'],
		[{ verification: 'hmac', options: { signatureAlgorithm: 'md5' } }, 'Signature Algorithm'],
		[{ verification: 'hmac', options: { signatureEncoding: 'utf8' } }, 'Signature Encoding'],
		[{ verification: 'hmac', options: { signatureHeader: 'a b' } }, 'Signature Header'],
		[{ verification: 'hmac', options: { timestampHeader: 'a b' } }, 'Timestamp Header'],
		[{ verification: 'hmac', options: { toleranceSeconds: 'x' } }, 'Tolerance (Seconds)'],
		[{ verification: 'hmac', options: { toleranceSeconds: 0 } }, 'Tolerance (Seconds)'],
		[{ verification: 'confirm', options: { ipAllowList: ['1.1.1.1'] } }, 'IP Allow List'],
		[{ verification: 'confirm', options: { transactionType: 'refund' } }, 'Transaction Type'],
	])('are refused by name: %j', (raw, label) => {
		expect(() => readSettings(raw)).toThrow(`'${label}'`);
	});

	it.each([
		[['success'], ['success']],
		[[], ['failed', 'pending', 'success']],
	])('read the states %j as %j', (states, read) => {
		expect([...readSettings({ verification: '', states, options: {} }).states]).toEqual(read);
	});

	it.each([
		[false, false],
		['false', false],
		[undefined, true],
	])('read skipRepeats %j as %j', (skipRepeats, read) => {
		expect(settings('confirm', { skipRepeats }).skipRepeats).toBe(read);
	});

	it('say what is missing', () => {
		expect(missingIn(settings('none', { ipAllowList: 'x' }))).toMatch(/^'IP Allow List'/);
		expect(missingIn(settings('confirm'))).toBeNull();
	});
});
