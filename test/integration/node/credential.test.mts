import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { demoCredential, pressTest, usePayments } from '../../helpers/payments.mts';
import { closing } from '../../helpers/throughout.mts';
import { json, startStranger, startWire } from '../../helpers/wire.mts';

const { credential, sandbox, tap } = usePayments({ isTapped: true });
const opened = closing();
const serve = async (answer: Parameters<typeof startWire>[0]) => opened(await startWire(answer));

type Changes = ICredentialDataDecryptedObject;

/** As n8n says it. */
const OK = { status: 'OK', message: 'Connection successful!' };
const DECLINED = /^The service declined the test\. .*'Diagnose'/;
const NOT_THE_SERVICE = /^The answer is not that of the service\./;

it('the test of the credential sends a real signed balance request', async () => {
	expect(await pressTest(credential())).toEqual(OK);
	expect(tap.received).toMatchObject([
		{ method: 'POST', path: '/api/v3/get-unified-balance', json: { params: {} } },
	]);
	expect(sandbox.state.requests[0]!.verdict).toMatchObject({ ok: true });
	expect(tap.received[0]!.text).not.toContain('demo-secret-key');
	expect(Object.keys(tap.received[0]!.headers)).not.toContain('x-whole-body');
});

it.each([
	{ clientId: ' demo-client\n' },
	{ baseUrl: 'slash' },
	{ signatureSource: 'endpoint', clientId: ' demo-client ' },
] as Changes[])('what people paste does no harm: %j', async (changes) => {
	const given = changes.baseUrl === 'slash' ? { baseUrl: ` ${tap.url}// ` } : changes;
	expect(await pressTest(credential(given))).toEqual(OK);
});

it.each([
	{ secretKey: 'wrong-key' },
	{ secretKey: 'demo-secret-key ' },
	{ sender: 'demo shop' },
	{ clientId: 'other' },
	{ signatureTemplate: '{params}' },
	{ signatureSource: 'endpoint', secretKey: 'wrong' },
] as Changes[])('what is wrong is told: %j', async (changes) => {
	const { status, message } = await pressTest(credential(changes));
	expect(status).toBe('Error');
	expect(message).toMatch(DECLINED);
});

describe('where signatures come from the service', () => {
	const signatureSource = 'endpoint';

	it('the token endpoint is asked, with the key in the own request of the test', async () => {
		expect(await pressTest(credential({ signatureSource }))).toEqual(OK);
		expect(tap.received).toMatchObject([
			{
				path: '/api/integration/get-token',
				json: { client_id: 'demo-client', secret_key: 'demo-secret-key' },
			},
		]);
	});

	it('it is asked at the auth URL', async () => {
		const auth = await serve((_, response) => json(response, 200, { success: true }));
		expect(await pressTest(credential({ signatureSource, authUrl: auth.url }))).toEqual(OK);
		expect(auth.received).toMatchObject([{ path: '/api/integration/get-token' }]);
		expect(tap.received).toEqual([]);
	});
});

it.each([
	['an empty Base URL', { baseUrl: '' }, /./],
	['one without a scheme', { baseUrl: 'pay.example.com' }, /'Base URL' is not a plain http/],
	['an unknown placeholder', { signatureTemplate: '{x}' }, /unknown placeholder \{x\}/],
	['nobody at the address', { baseUrl: 'http://127.0.0.1:9' }, /ECONNREFUSED/],
])('%s is an error', async (_, changes, words) => {
	const { status, message } = await pressTest(credential(changes));
	expect(status).toBe('Error');
	expect(message).toMatch(words);
	expect(tap.received).toEqual([]);
});

const no = (success: unknown) => ({ success, message: 'No. canary-secret' });

it.each([
	[200, no(false), DECLINED],
	[200, no('false'), DECLINED],
	[401, no(false), DECLINED],
	[403, no(false), DECLINED],
	[500, no(false), DECLINED],
	[200, '<h1>', NOT_THE_SERVICE],
	[401, '', NOT_THE_SERVICE],
	[502, '<h1>', NOT_THE_SERVICE],
	[200, { message: 'canary-secret' }, NOT_THE_SERVICE],
])('a reply with %i and %j is a failed test, sent once', async (status, body, words) => {
	const wire = await serve((_, response) => json(response, status, body));
	const result = await pressTest(demoCredential(wire.url, { secretKey: 'canary-secret' }));
	expect(wire.received).toHaveLength(1);
	expect(result.status).toBe('Error');
	expect(result.message).toMatch(words);
	expect(result.message).not.toContain('canary');
});

it.each(['local', 'endpoint'])(
	'a redirect is not followed, with signatures from %s',
	async (signatureSource) => {
		const other = opened(await startStranger());
		const wire = await serve((_, response) => {
			response.writeHead(307, { location: other.url }).end();
		});
		const { status } = await pressTest(demoCredential(wire.url, { signatureSource }));
		expect(other.seen()).toEqual({ connections: 0, bytes: 0 });
		expect(status).toBe('Error');
	},
);
