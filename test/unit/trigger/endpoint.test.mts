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

describe('the shape of a request', () => {
	const nested = (depth: number, inner: unknown = 1): unknown => {
		let body: unknown = inner;
		for (let level = 0; level < depth; level++) body = { a: body };
		return body;
	};

	it.each([
		['a record', { ref: 'TX-1' }],
		['an empty object', {}],
		['32 levels', nested(32)],
		['a list inside', { data: [1, { a: 2 }] }],
		['a key like a hostile one', { proto: 1, Constructor: 2 }],
		['hostile words as values', { a: '__proto__' }],
	])('lets %s through', (_, body) => {
		expect(checkBody(request(body))).toBeNull();
	});

	it.each([
		['null', null, 'not_an_object'],
		['a list', [], 'not_an_object'],
		['a list of records', [{ ref: 'TX-1' }], 'not_an_object'],
		['text', 'x', 'not_an_object'],
		['a number', 1, 'not_an_object'],
		['true', true, 'not_an_object'],
		['nothing', undefined, 'not_an_object'],
		['__proto__', JSON.parse('{"__proto__":{"paid":true}}'), 'unacceptable_json'],
		['a deep __proto__', JSON.parse('{"a":[{"__proto__":1}]}'), 'unacceptable_json'],
		['constructor.prototype', { constructor: { prototype: { paid: true } } }, 'unacceptable_json'],
		['prototype', { data: { prototype: {} } }, 'unacceptable_json'],
		['33 levels', nested(33), 'unacceptable_json'],
	])('refuses %s', (_, body, reason) => {
		expect(checkBody(request(body))).toMatchObject({ accepted: false, status: 400, reason });
	});

	it.each([
		...[undefined, '', 'text/plain', 'application/xml', 'application/x-www-form-urlencoded'],
		...['multipart/form-data; boundary=x', 'application/jsonp', 'text/html; x=application/json'],
		['application/json'],
	])('refuses the content type %j', (type) => {
		const headers = type === undefined ? {} : { 'content-type': type };
		const refusal = { status: 415, reason: 'not_json' };
		expect(checkBody(request({ ref: 'TX-1' }, { headers }))).toMatchObject(refusal);
	});

	it.each(['application/json', 'Application/JSON; charset=utf-8', ' application/json ;x'])(
		'takes the content type "%s"',
		(type) =>
			expect(checkBody(request({ a: 1 }, { headers: { 'content-type': type } }))).toBeNull(),
	);

	it('refuses what is too large before it looks inside', () => {
		const bytes = Buffer.alloc(256 * 1024 + 1);
		const refusal = { status: 413, reason: 'too_large' };
		expect(checkBody(request(null, { bytes, headers: {} }))).toMatchObject(refusal);
		expect(checkBody(request({}, { bytes: Buffer.alloc(256 * 1024) }))).toBeNull();
	});

	it('refuses a body without bytes', () => {
		const refusal = { reason: 'not_an_object' };
		expect(checkBody(request({ ref: 'TX-1' }, { bytes: undefined }))).toMatchObject(refusal);
	});

	it('walks what is nested 50,000 deep without a stack', () => {
		const bytes = Buffer.alloc(1);
		const list: unknown = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000));
		for (const body of [nested(50_000), { list }]) {
			expect(checkBody(request({}, { bytes, body }))).toMatchObject({
				reason: 'unacceptable_json',
			});
		}
	});
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
			states: new Set(['success', 'failed', 'pending', 'other']),
			transactionType: 'payin',
			skipRepeats: true,
			signatureHeader: 'x-signature',
			signature: { algorithm: 'sha256', encoding: 'hex' },
		});
	});

	it.each([
		[{ verification: 'open', options: {} }, 'Verification'],
		[{ verification: true, options: {} }, 'Verification'],
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
		[[], ['failed', 'other', 'pending', 'success']],
		[['nonsense'], ['failed', 'other', 'pending', 'success']],
		['success', ['failed', 'other', 'pending', 'success']],
	])('read the states %j as %j', (states, read) => {
		expect([...readSettings({ verification: '', states, options: {} }).states]).toEqual(read);
	});

	it.each([
		[false, false],
		['false', false],
		[true, true],
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
