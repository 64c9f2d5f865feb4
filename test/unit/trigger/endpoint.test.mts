import { createHmac } from 'node:crypto';

import {
	checkSender,
	checkBody,
	type Incoming,
} from '../../../nodes/UnifiedPayments/trigger/endpoint/checks.ts';
import { missingIn, readSettings } from '../../../nodes/UnifiedPayments/trigger/settings.ts';

const TOKEN = 'the-token-of-this-test';
const KEY = 'the-key-of-this-test';

const request = (body: unknown, changes: Partial<Incoming> = {}): Incoming => ({
	bytes: Buffer.from(JSON.stringify(body) ?? ''),
	body,
	headers: { 'content-type': 'application/json' },
	query: { token: TOKEN },
	address: '203.0.113.7',
	url: `/webhook/hook/webhook?token=${TOKEN}`,
	isAnsweredAtTheEnd: false,
	...changes,
});

const settings = (verification: string, options: object = {}) =>
	readSettings({ verification, options });

const withToken = (callbackToken: string | null) => ({
	callbackToken,
	identity: { clientId: 'client', sender: 'Sender', secretKey: KEY },
});
const secrets = withToken(TOKEN);

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
	const sign = (body: unknown, key = KEY) => ({
		'content-type': 'application/json',
		'x-signature': createHmac('sha256', key).update(JSON.stringify(body)).digest('hex'),
	});
	const body = { ref: 'TX-1' };

	const MODES = ['confirm', 'token', 'hmac', 'none'];

	it.each(MODES)('%s demands the token when there is one', (mode) => {
		const given = request(body, { headers: sign(body), query: {} });
		const refusal = { status: 401, reason: 'invalid_token' };
		expect(checkSender(given, settings(mode), secrets)).toMatchObject(refusal);
	});

	it.each([
		['confirm', TOKEN, 'token'],
		['confirm', null, false],
		['token', TOKEN, 'token'],
		['hmac', TOKEN, 'hmac'],
		['hmac', null, 'hmac'],
		['none', TOKEN, false],
		['none', null, false],
	])('%s with the token %s proves %s', (mode, callbackToken, verified) => {
		const given = request(body, { headers: sign(body) });
		const sender = checkSender(given, settings(mode), withToken(callbackToken));
		expect(sender).toEqual({ accepted: true, verified });
	});

	it('refuses every address when the list cannot be read', () => {
		const strict = settings('confirm', { ipAllowList: '203.0.113.7, oops' });
		expect(checkSender(request(body), strict, secrets)).toMatchObject({ reason: 'not_set_up' });
	});

	it('reads the signature from the header of the setting', () => {
		const other = settings('hmac', { signatureHeader: 'X-Hub-Sig' });
		const { 'x-signature': signature } = sign(body);
		const check = (name: string) =>
			checkSender(request(body, { headers: { [name]: signature } }), other, secrets);
		expect(check('x-hub-sig')).toMatchObject({ verified: 'hmac' });
		expect(check('x-signature')).toMatchObject({ status: 401, reason: 'invalid_signature' });
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
		const none = { callbackToken: null };
		expect(missingIn(settings('token'), none)).toMatch(/no 'Callback Token'$/);
		expect(missingIn(settings('hmac'), none)).toBeNull();
		expect(missingIn(settings('none', { ipAllowList: 'x' }), none)).toMatch(/^'IP Allow List'/);
		expect(missingIn(settings('confirm'), none)).toBeNull();
		expect(missingIn(settings('none'), none)).toBeNull();
	});
});
