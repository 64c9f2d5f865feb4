import { createHmac } from 'node:crypto';
import type { Sandbox, SandboxOptions } from '../../../dev/sandbox/index.mts';
import { throughout } from '../../helpers/throughout.mts';
import { PATHS, send, start } from './client.mts';

const NOW = 1_700_000_000;

const begin = (options: SandboxOptions = {}) => start({ clock: () => NOW * 1000, ...options });
const sandbox = throughout(begin);

const hmac = (text: string, key = 'demo-secret-key') => createHmac('sha256', key).update(text);
const hex = (text: string, key?: string) => hmac(text, key).digest('hex');

/** What the balance endpoint says to an envelope that is given field by field: 'true' or 'false'. */
async function post(fields: object, params = '{}', to: Sandbox = sandbox) {
	const usual = { client_id: 'demo-client', sender: 'Demo Shop', timestamp: NOW, salt: 'pepper' };
	const body = JSON.stringify({ ...usual, ...fields });
	const { json } = await send(to, PATHS.balance, `${body.slice(0, -1)},"params":${params}}`);
	return json.success;
}

const verdict = () => sandbox.state.requests[0]?.verdict;
const TEXT = (params = '{}') => `demo-client|Demo Shop|${NOW}|pepper|${params}`;

// Other recipes are played in `test/integration/node/findSignature.test.mts`.
describe('the default recipe', () => {
	it('has a vector that openssl gives too', async () => {
		// printf %s 'demo-client|Demo Shop|1700000000|pepper|{"currency":"KES"}' | openssl dgst -sha256 -hmac demo-secret-key
		const signature = '11f1573be91bfaad8df1895bbfaa093b27353d3012d01a767706822eeeec3d37';
		expect(await post({ signature }, '{"currency":"KES"}')).toBe('true');
		const expectedText = TEXT('{"currency":"KES"}');
		expect(verdict()).toMatchObject({ ok: true, expectedText, expectedSignature: signature });
	});

	it.each([
		['spaces', '{ "currency" :\t"KES"\n}'],
		['escapes', '{"currency":"\\u004bES"}'],
		['a repeated key', '{"currency":"XOF","currency":"KES"}'],
		['raw non-ASCII text', '{"currency":"₦"}'],
		['brackets and quotes in a string', '{"currency":"}]\\"{\\\\"}'],
	])('signs the text of params as it was sent: %s', async (_, params) => {
		expect(await post({ signature: hex(TEXT(params)) }, params)).toBe('true');
		// The same value written differently must not pass, or a client could sign another text than it sends.
		const rewritten = JSON.stringify(JSON.parse(params));
		if (rewritten === params) return;
		expect(await post({ signature: hex(TEXT(rewritten)) }, params)).toBe('false');
	});

	it('takes the members of the envelope in any order, and the last of repeated ones', async () => {
		const params = '{"currency":"KES"}';
		const body = `{"params":{"currency":"no"},"sender":"Demo Shop" , "par\\u0061ms":${params},"salt":"pepper","signature":"${hex(TEXT(params))}","timestamp":${NOW},"client_id":"demo-client"}`;
		expect((await send(sandbox, PATHS.balance, body)).json).toMatchObject({ success: 'true' });
	});

	it('does not let text move between fields, nor placeholders be filled in values', async () => {
		expect(await post({ signature: hex(TEXT()), salt: 'pepper|' })).toBe('false');
		const salt = '{params}$&';
		expect(await post({ signature: hex(TEXT().replace('pepper', () => salt)), salt })).toBe('true');
	});
});

describe('the envelope', () => {
	it.each([
		['no client_id', { client_id: undefined }, /client_id: Required/],
		['a timestamp as text', { timestamp: String(NOW) }, /timestamp: Expected number/],
		['a fraction of a second', { timestamp: NOW + 0.5 }, /timestamp: Expected integer/],
		['a further field', { extra: 1 }, /extra/],
	])('is refused with %s', async (_, fields, explanation) => {
		expect(await post({ signature: hex(TEXT()), ...fields })).toBe('false');
		expect(verdict()).toMatchObject({ ok: false, reason: 'malformed_envelope' });
		expect(verdict()?.explanation).toMatch(explanation);
	});

	it.each([
		[-300, 'true'],
		[300, 'true'],
		[-301, 'false'],
		[301, 'false'],
	])('with a clock off by %i s: %s', async (off, success) => {
		const timestamp = NOW + off;
		const signature = hex(TEXT().replace(String(NOW), String(timestamp)));
		expect(await post({ timestamp, signature })).toBe(success);
	});
});

const params = '{"b":1,"a":"x/é"}';
const text = TEXT(params);

it.each<[string, string, RegExp]>([
	['base64 instead of hex', hmac(text).digest('base64'), /bytes are right/],
	['another key', hex(text, 'second-secret-key'), /secret key of "Second Shop"/],
	['a newline at the end', hex(`${text}\n`), /newline at the end of the text/],
	['sorted keys', hex(TEXT('{"a":"x/é","b":1}')), /sorted keys/],
	['another order', hex(`demo-client|Demo Shop|pepper|${NOW}|${params}`), /salt\}\|\{timestamp/],
	['nothing known', 'f'.repeat(64), /not an HMAC of the expected text/],
])('explains a failed signature: %s', async (_, signature, explanation) => {
	await post({ signature }, params);
	expect(verdict()).toMatchObject({ ok: false, reason: 'signature_mismatch' });
	expect(verdict()?.explanation).toMatch(explanation);
});

it('the log of requests cuts long texts and shows no secret', async () => {
	await post({ signature: 'f'.repeat(64) }, JSON.stringify({ logo: 'A'.repeat(400_000) }));
	expect(verdict()?.expectedText?.length).toBeLessThan(5000);
	const log = JSON.stringify(sandbox.state.requests);
	for (const { secretKey } of sandbox.integrations) expect(log).not.toContain(secretKey);
});
