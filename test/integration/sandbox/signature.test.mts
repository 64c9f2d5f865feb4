import { createHash, createHmac } from 'node:crypto';
import { DEMO_INTEGRATIONS, type Verdict } from '../../../sandbox/index.mts';
import { resolveOptions } from '../../../sandbox/options.mts';
import { COLLECTION, defaultOf, PATHS, seal, send, signed, start } from './client.mts';
import { throughout } from '../../helpers/throughout.mts';

const NOW = 1_700_000_000;

const sandbox = throughout(async () => await start({ clock: () => NOW * 1000 }));

const hmac = (text: string, key = 'demo-secret-key', algorithm = 'sha256') =>
	createHmac(algorithm, key).update(text);

/** Posts a balance request whose envelope is given field by field. */
async function post(fields: object, params = '{"currency":"KES"}') {
	const body = JSON.stringify({
		client_id: 'demo-client',
		sender: 'Demo Shop',
		timestamp: NOW,
		salt: 'pepper',
		...fields,
	});
	return send(sandbox, PATHS.balance, `${body.slice(0, -1)},"params":${params}}`);
}

const verdict = (): Verdict | null => sandbox.state.requests[0]?.verdict ?? null;
const TEXT = (params: string) => `demo-client|Demo Shop|${NOW}|pepper|${params}`;

describe('the default recipe', () => {
	it('has a vector that openssl gives too', async () => {
		// printf %s 'demo-client|Demo Shop|1700000000|pepper|{"currency":"KES"}' | openssl dgst -sha256 -hmac demo-secret-key
		const signature = '11f1573be91bfaad8df1895bbfaa093b27353d3012d01a767706822eeeec3d37';
		expect((await post({ signature })).json).toMatchObject({ success: 'true' });
		expect(verdict()).toEqual({
			ok: true,
			reason: null,
			explanation: null,
			expectedText: TEXT('{"currency":"KES"}'),
			receivedText: TEXT('{"currency":"KES"}'),
			comparison: [{ same: TEXT('{"currency":"KES"}') }],
			expectedSignature: signature,
			receivedSignature: signature,
		});
	});

	it.each([
		['spaces', '{ "currency" :\t"KES"\n}'],
		['escapes', '{"currency":"\\u004bES"}'],
		['an escaped key', '{"curr\\u0065ncy":"KES"}'],
		['a number with an exponent', '{"wallet_account":1.001e3}'],
		['a repeated key', '{"currency":"XOF","currency":"KES"}'],
		['raw non-ASCII text', '{"currency":"₦"}'],
		['a lone surrogate', '{"currency":"\\ud800"}'],
		['brackets and quotes in a string', '{"currency":"}]\\"{\\\\"}'],
		['nothing', '{}'],
	])('signs the text of params as it was sent: %s', async (_, params) => {
		const right = hmac(TEXT(params)).digest('hex');
		expect((await post({ signature: right }, params)).json).toMatchObject({ success: 'true' });
		expect(verdict()?.expectedText).toBe(TEXT(params));
		// The same value written differently must not pass, or a client could sign another text than it sends.
		const rewritten = JSON.stringify(JSON.parse(params));
		if (rewritten === params) return;
		const reply = await post({ signature: hmac(TEXT(rewritten)).digest('hex') }, params);
		expect(reply.json).toMatchObject({ success: 'false' });
	});

	it('takes the members of the envelope in any order, and the last of repeated ones', async () => {
		const params = '{"currency":"KES"}';
		const signature = hmac(TEXT(params)).digest('hex');
		const body = `{"params":{"currency":"no"},"sender":"Demo Shop" , "par\\u0061ms":${params},"salt":"pepper","signature":"${signature}","timestamp":${NOW},"client_id":"demo-client"}`;
		expect((await send(sandbox, PATHS.balance, body)).json).toMatchObject({ success: 'true' });
	});

	it('does not let text move between neighbouring fields', async () => {
		const signature = hmac(TEXT('{}')).digest('hex');
		const reply = await post({ signature, salt: 'pepper|', sender: 'Demo Shop' }, '{}');
		expect(reply.json).toMatchObject({ success: 'false' });
	});

	it('takes a placeholder in a value for the text it is', async () => {
		const signature = hmac(`demo-client|Demo Shop|${NOW}|{params}$&|{}`).digest('hex');
		expect((await post({ signature, salt: '{params}$&' }, '{}')).json).toMatchObject({
			success: 'true',
		});
	});
});

describe('a recipe of its own', () => {
	it.each(['sha256', 'sha384', 'sha512'] as const)('%s, hex and base64', async (algorithm) => {
		for (const encoding of ['hex', 'base64'] as const) {
			const own = await start({
				clock: () => NOW * 1000,
				integrations: [
					{
						id: 'own',
						title: 'Own',
						clientId: 'c',
						secretKey: 'k',
						signature: { template: '{params}#{timestamp}{salt}', algorithm, encoding },
					},
				],
			});
			const signature = hmac(`{}#${NOW}s`, 'k', algorithm).digest(encoding);
			const body = `{"client_id":"c","sender":"Own","timestamp":${NOW},"salt":"s","signature":"${signature}","params":{}}`;
			expect((await send(own, PATHS.balance, body)).json).toMatchObject({ success: 'true' });
			await own.close();
		}
	});

	it('does not accept the key of another integration', async () => {
		const [first, second] = sandbox.integrations;
		if (first === undefined || second === undefined) throw new Error('two are needed');
		const mixed = { ...second, secretKey: first.secretKey };
		const body = seal(mixed, '{}', { timestamp: NOW });
		expect((await send(sandbox, PATHS.balance, body)).json).toMatchObject({ success: 'false' });
	});
});

describe('the envelope', () => {
	const good = { signature: hmac(TEXT('{}')).digest('hex') };

	it.each([
		['no client_id', { client_id: undefined }, /client_id: Required/],
		['no sender', { sender: undefined }, /sender: Required/],
		['no timestamp', { timestamp: undefined }, /timestamp: Required/],
		['no salt', { salt: undefined }, /salt: Required/],
		['no signature', { signature: undefined }, /signature: Required/],
		['a timestamp as text', { timestamp: String(NOW) }, /timestamp: Expected number/],
		['a fraction of a second', { timestamp: NOW + 0.5 }, /timestamp: Expected integer/],
		['a number as salt', { salt: 1 }, /salt: Expected string/],
		['null', { client_id: null }, /client_id: Expected string/],
		['a further field', { extra: 1 }, /extra/],
	])('is refused with %s', async (_, fields, explanation) => {
		const reply = await post({ ...good, ...fields }, '{}');
		expect(reply.json).toEqual({
			success: 'false',
			message: 'Request was not verified..',
			data: [],
		});
		expect(verdict()).toMatchObject({ ok: false, reason: 'malformed_envelope' });
		expect(verdict()?.explanation).toMatch(explanation);
	});

	it.each(['null', '[]', '"x"', '1'])('is refused with params %s', async (params) => {
		const signature = hmac(TEXT(params)).digest('hex');
		const reply = await post({ signature }, params);
		expect(reply.json).toMatchObject({ success: 'false' });
		expect(verdict()?.explanation).toMatch(/params: Expected object/);
	});

	it.each([
		[-300, 'true'],
		[300, 'true'],
		[-301, 'false'],
		[301, 'false'],
	])('with a clock off by %i s: %s', async (off, success) => {
		const timestamp = NOW + off;
		const signature = hmac(`demo-client|Demo Shop|${timestamp}|pepper|{}`).digest('hex');
		expect((await post({ timestamp, signature }, '{}')).json).toMatchObject({ success });
	});

	it('can be given more time', async () => {
		const lax = await start({ timestampToleranceSeconds: 10 ** 9 });
		const reply = await signed(lax, PATHS.collection, COLLECTION);
		expect(reply.json).toMatchObject({ success: true });
		const body = seal(defaultOf(lax), JSON.stringify(COLLECTION), { timestamp: NOW });
		// Only the clock is forgiven: the signature was made for another timestamp.
		expect((await send(lax, PATHS.collection, body)).json).toMatchObject({ success: false });
		expect(lax.state.requests[0]?.verdict?.reason).toBe('signature_mismatch');
		await lax.close();
	});
});

describe('the explanation of a failed signature', () => {
	const params = '{"b":1,"a":"x/é"}';
	const hex = (text: string, key?: string, algorithm?: string) =>
		hmac(text, key, algorithm).digest('hex');

	it.each<[string, string, RegExp]>([
		['base64 instead of hex', hmac(TEXT(params)).digest('base64'), /bytes are right/],
		['uppercase hex', hex(TEXT(params)).toUpperCase(), /bytes are right.*lowercase/],
		['another algorithm', hex(TEXT(params), undefined, 'sha512'), /made with sha512/],
		[
			'the key of another integration',
			hex(TEXT(params), 'second-secret-key'),
			/secret key of "Second Shop"/,
		],
		['the client id as key', hex(TEXT(params), 'demo-client'), /client id was used as the key/],
		['a key with a newline', hex(TEXT(params), 'demo-secret-key\n'), /newline at its end/],
		['a newline at the end', hex(`${TEXT(params)}\n`), /newline at the end of the text/],
		['a plain hash', createHash('sha256').update(TEXT(params)).digest('hex'), /plain hash/],
		[
			'milliseconds in the text',
			hex(TEXT(params).replace(String(NOW), `${NOW}000`)),
			/milliseconds/,
		],
		['a later timestamp', hex(TEXT(params).replace(String(NOW), String(NOW + 1))), /1 s later/],
		['params with spaces', hex(TEXT('{"b": 1, "a": "x/é"}')), /space after commas/],
		['sorted keys', hex(TEXT('{"a":"x/é","b":1}')), /sorted keys/],
		['PHP', hex(TEXT('{"b":1,"a":"x\\/\\u00e9"}')), /PHP/],
		['indented params', hex(TEXT('{\n  "b": 1,\n  "a": "x/é"\n}')), /indented by 2 spaces/],
		[
			'another order',
			hex(`demo-client|Demo Shop|pepper|${NOW}|${params}`),
			/"\{client_id\}\|\{sender\}\|\{salt\}\|\{timestamp\}\|\{params\}"/,
		],
		[
			'no separators',
			hex(`demo-clientDemo Shop${NOW}pepper${params}`),
			/template "\{client_id\}\{sender\}/,
		],
		['params alone', hex(params), /\{params\} alone/],
		['nothing known', 'f'.repeat(64), /not an HMAC of the expected text/],
		['nothing', '', /empty/],
	])('%s', async (_, signature, explanation) => {
		await post({ signature }, params);
		expect(verdict()).toMatchObject({
			ok: false,
			reason: 'signature_mismatch',
			expectedSignature: hex(TEXT(params)),
			receivedSignature: signature,
		});
		expect(verdict()?.explanation).toMatch(explanation);
	});

	it.each<[string, object, string, RegExp]>([
		['a sender in another case', { sender: 'demo shop ' }, 'unknown_sender', /case or spaces/],
		[
			'another sender',
			{ sender: 'Shop' },
			'unknown_sender',
			/must be the integration's title: "Demo Shop"/,
		],
		[
			'an unknown sender and client',
			{ sender: 'Shop', client_id: 'x' },
			'unknown_sender',
			/No integration has the title/,
		],
		[
			'another client id',
			{ client_id: 'x' },
			'client_id_mismatch',
			/has the client id "demo-client"/,
		],
		['milliseconds', { timestamp: NOW * 1000 }, 'timestamp_out_of_tolerance', /milliseconds/],
		['a slow clock', { timestamp: NOW - 3600 }, 'timestamp_out_of_tolerance', /3600 s behind/],
		['a fast clock', { timestamp: NOW + 3600 }, 'timestamp_out_of_tolerance', /3600 s ahead/],
	])('%s', async (_, fields, reason, explanation) => {
		await post({ signature: 'x', ...fields }, params);
		expect(verdict()).toMatchObject({ ok: false, reason });
		expect(verdict()?.explanation).toMatch(explanation);
	});

	it('shows the expected text next to the received one, with the difference', async () => {
		await post({ signature: 'x', client_id: 'x' }, params);
		expect(verdict()).toMatchObject({
			expectedText: TEXT(params),
			receivedText: TEXT(params).replace('demo-client', 'x'),
			comparison: [
				{ expected: 'demo-client', received: 'x' },
				{ same: TEXT(params).slice('demo-client'.length) },
			],
		});
	});

	it('cuts long texts and shows no secret', async () => {
		const logo = 'A'.repeat(400_000);
		await post({ signature: 'f'.repeat(64) }, JSON.stringify({ logo }));
		expect(verdict()?.expectedText?.length).toBeLessThan(5000);
		const log = JSON.stringify(sandbox.state.requests);
		for (const { secretKey } of sandbox.integrations) expect(log).not.toContain(secretKey);
	});
});

describe('another recipe', () => {
	const PARAMS = '{"wallet_account":1001,"currency":"KES"}';
	const SORTED = '{"currency":"KES","wallet_account":1001}';
	const HEX_KEY = '00112233445566778899aabbccddeeff';

	it.each([
		['sorted params', { params: 'sorted' }, `demo-client|Demo Shop|${NOW}|pepper|${SORTED}`],
		[
			'milliseconds',
			{ timestamp: 'milliseconds' },
			`demo-client|Demo Shop|${NOW}000|pepper|${PARAMS}`,
		],
		['no params', { template: '{salt}.{timestamp}' }, `pepper.${NOW}`],
		['a key of bytes', { key: 'hex' }, `demo-client|Demo Shop|${NOW}|pepper|${PARAMS}`],
	] as const)('is played: %s', async (_, signature, text) => {
		const [demo] = DEMO_INTEGRATIONS;
		const own = await start({
			clock: () => NOW * 1000,
			signature,
			integrations: [{ ...demo!, secretKey: HEX_KEY }],
		});
		const ask = async (key: string | Buffer) => {
			const signed = createHmac('sha256', key).update(text).digest('hex');
			const head = {
				client_id: 'demo-client',
				sender: 'Demo Shop',
				timestamp: NOW,
				salt: 'pepper',
			};
			const body = JSON.stringify({ ...head, signature: signed });
			return await send(own, PATHS.balance, `${body.slice(0, -1)},"params":${PARAMS}}`);
		};
		const isBytes = 'key' in signature;
		const bytes = Buffer.from(HEX_KEY, 'hex');
		expect((await ask(isBytes ? bytes : HEX_KEY)).json).toMatchObject({ success: 'true' });
		expect((await ask(isBytes ? HEX_KEY : bytes)).json).toMatchObject({ success: 'false' });
		if (isBytes) {
			const [{ verdict: refused } = { verdict: null }] = own.state.requests;
			expect(refused?.explanation).toBe(
				'The secret key was used as text; it is hexadecimal bytes.',
			);
		}
		await own.close();
	});

	it('is drawn with a seed: the same for the same, and many for many', () => {
		const drawn = (seed: number) =>
			resolveOptions({ signature: seed }).integrations.map(({ signature }) => signature);
		expect(drawn(7)).toEqual(drawn(7));
		// The others keep theirs, and a key that stands for no bytes is taken as text.
		expect(drawn(7)[1]).toEqual(drawn(8)[1]);
		const first = Array.from({ length: 200 }, (_, seed) => drawn(seed)[0]!);
		expect(new Set(first.map((each) => JSON.stringify(each))).size).toBeGreaterThan(190);
		expect(new Set(first.map(({ key }) => key))).toEqual(new Set(['text']));
	});
});
