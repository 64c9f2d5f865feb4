import { CredentialTestContext } from 'n8n-core';
import type { IWorkflowExecuteAdditionalData } from 'n8n-workflow';

import { UnifiedPaymentsApi } from '../../../credentials/UnifiedPaymentsApi.credentials.ts';
import { UnifiedPayments } from '../../../nodes/UnifiedPayments/UnifiedPayments.node.ts';
import { testCredential } from '../../../host/engine/index.mts';
import { demoCredential, startTapped, type TappedSandbox } from '../../helpers/payments.mts';
import { json, startWire } from '../../helpers/wire.mts';

/** Presses "Test" on the credential, as the server does. */
const press = async (data: ReturnType<typeof demoCredential>) =>
	await testCredential(new UnifiedPaymentsApi(), data, [new UnifiedPayments()]);

describe('the test of the credential', () => {
	let service: TappedSandbox;

	beforeAll(async () => {
		service = await startTapped();
	});

	afterAll(async () => {
		await service.close();
	});

	beforeEach(() => {
		service.tap.received.length = 0;
	});

	it('has no other way to send than the one it uses', () => {
		const { helpers } = new CredentialTestContext({} as IWorkflowExecuteAdditionalData);
		// If `httpRequest` ever comes, take it, and write docs/decisions/0002 again.
		expect(Object.keys(helpers).filter((name) => /request/i.test(name))).toEqual(['request']);
	});

	it('sends a real signed balance request', async () => {
		expect(await press(service.credential())).toEqual({
			status: 'OK',
			message: 'The service accepted the credential',
		});
		expect(service.tap.received).toMatchObject([
			{
				method: 'POST',
				path: '/api/v3/get-unified-balance',
				headers: { accept: 'application/json' },
				json: { params: {} },
			},
		]);
		expect(service.sandbox.state.requests[0]!.verdict).toMatchObject({ ok: true });
	});

	it.each([
		['wrong-key', /Request was not verified/],
		['demo-secret-key ', /Request was not verified/],
	])("shows the service's own words for the secret %j", async (secretKey, words) => {
		const result = await press(service.credential({ secretKey }));
		expect(result.status).toBe('Error');
		expect(result.message).toMatch(words);
		expect(result.message).toMatch(/Check the credential's 'Secret Key'/);
	});

	it('says in its first words that the secret key is wrong', async () => {
		const result = await press(service.credential({ secretKey: 'wrong-key' }));
		expect(result.message).toMatch(/^Wrong 'Secret Key' or 'Client ID'/);
		const byService = { signatureSource: 'endpoint', secretKey: 'wrong-key' };
		expect((await press(service.credential(byService))).message).toMatch(/^Wrong 'Secret Key'/);
	});

	it.each([
		['sender', 'demo shop'],
		['signatureTemplate', '{params}'],
	])(
		'says in its first words that the secret key is right, and where to look: %s',
		async (field, value) => {
			const result = await press(service.credential({ [field]: value }));
			expect(result.message).toMatch(/^'Client ID' and 'Secret Key' are right: it is 'Sender'/);
			expect(result.message).not.toContain("Check the credential's");
		},
	);

	it('blames nothing in particular when the token endpoint cannot be asked', async () => {
		const wire = await startWire(({ path }, response) =>
			path.includes('balance')
				? json(response, 200, { success: false, message: 'Request was not verified.' })
				: json(response, 404, 'no such page'),
		);
		const result = await press(demoCredential(wire.url));
		await wire.close();
		expect(result.message).toMatch(/^The service declined the test request/);
	});

	it('verifies client id and secret at the token endpoint when signatures come from the service', async () => {
		const credential = service.credential({ signatureSource: 'endpoint' });
		expect(await press(credential)).toMatchObject({ status: 'OK' });
		expect(service.tap.received).toMatchObject([
			{
				path: '/api/integration/get-token',
				json: { client_id: 'demo-client', secret_key: 'demo-secret-key' },
			},
		]);
		expect(await press({ ...credential, secretKey: 'wrong' })).toMatchObject({ status: 'Error' });
	});

	it('works with every algorithm and encoding', async () => {
		for (const algorithm of ['sha256', 'sha384', 'sha512'] as const) {
			for (const encoding of ['hex', 'base64'] as const) {
				const template = '{params}/{salt}/{timestamp}/{client_id}{sender}';
				const own = await startTapped({
					integrations: [
						{
							id: 'x',
							title: 'X',
							clientId: 'x',
							secretKey: 'k',
							signature: { algorithm, encoding, template },
						},
					],
				});
				const result = await press({
					...own.credential(),
					clientId: 'x',
					sender: 'X',
					secretKey: 'k',
					signatureTemplate: template,
					signatureAlgorithm: algorithm,
					signatureEncoding: encoding,
				});
				await own.close();
				expect(result).toMatchObject({ status: 'OK' });
			}
		}
	});

	it.each([
		['an empty Base URL', { baseUrl: '' }, /'Base URL' is empty/],
		[
			'a Base URL without a scheme',
			{ baseUrl: 'payments.example.com' },
			/'Base URL' is not a plain http/,
		],
		['an unknown placeholder', { signatureTemplate: '{x}' }, /unknown placeholder \{x\}/],
		['nobody at the address', { baseUrl: 'http://127.0.0.1:9' }, /nothing was sent.*ECONNREFUSED/],
	])('explains %s', async (_, changes, words) => {
		const result = await press(service.credential(changes));
		expect(result.status).toBe('Error');
		expect(result.message).toMatch(words);
	});
});

it.each([
	[
		'success as the text false',
		200,
		{ success: 'false', message: 'User not found.' },
		/User not found\./,
	],
	['success false', 200, { success: false, message: 'User not found.' }, /User not found\./],
	[
		'403',
		403,
		{ success: false, message: 'Client id not matched' },
		/Client id not matched.*HTTP 403/,
	],
	['401', 401, { success: false, message: 'Who?' }, /Who\?.*HTTP 401/],
	['HTML', 200, '<h1>', /could not be read/],
])('a reply with %s is a failed test', async (_, status, body, words) => {
	const wire = await startWire((__, response) => json(response, status, body));
	const result = await press(demoCredential(wire.url, { secretKey: 'canary-secret' }));
	await wire.close();
	// A plain no is followed by a question to the token endpoint.
	expect(wire.received).toHaveLength(typeof body === 'string' ? 1 : 2);
	expect(result.status).toBe('Error');
	expect(result.message).toMatch(words);
	expect(result.message).not.toContain('canary');
});

it('a redirect is not followed with the signed body', async () => {
	const other = await startWire((_, response) => json(response, 200, { success: true }));
	const wire = await startWire((_, response) => {
		response.writeHead(307, { location: other.url });
		response.end();
	});
	const result = await press(demoCredential(wire.url));
	await wire.close();
	await other.close();
	expect(other.received).toHaveLength(0);
	expect(result).toMatchObject({
		status: 'Error',
		message: expect.stringMatching(/another address/),
	});
});

it('a host that cannot send is no reason to throw', async () => {
	const { testCredential: test } = new UnifiedPayments().methods.credentialTest;
	const run = async (send: object, data?: ReturnType<typeof demoCredential>) =>
		await test.call({ helpers: send } as never, { id: '', name: '', type: '', data });
	expect(await run({ request: undefined }, demoCredential('http://127.0.0.1:9'))).toMatchObject({
		status: 'Error',
	});
	expect(await run({})).toMatchObject({
		status: 'Error',
		message: "The credential's 'Base URL' is empty",
	});
});
