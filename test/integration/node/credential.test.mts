import { CredentialTestContext } from 'n8n-core';
import type { IWorkflowExecuteAdditionalData } from 'n8n-workflow';

import { UnifiedPayments } from '../../../nodes/UnifiedPayments/UnifiedPayments.node.ts';
import { demoCredential, pressTest, usePayments } from '../../helpers/payments.mts';
import { closing } from '../../helpers/throughout.mts';
import { json, startWire } from '../../helpers/wire.mts';

const { credential, sandbox, tap } = usePayments({ isTapped: true });
const opened = closing();
const serve = async (answer: Parameters<typeof startWire>[0]) => opened(await startWire(answer));

describe('the test of the credential', () => {
	it('has no other way to send than the one it uses', () => {
		const { helpers } = new CredentialTestContext({} as IWorkflowExecuteAdditionalData);
		// If `httpRequest` ever comes, take it, and write docs/decisions/0002 again.
		expect(Object.keys(helpers).filter((name) => /request/i.test(name))).toEqual(['request']);
	});

	it('sends a real signed balance request', async () => {
		expect(await pressTest(credential())).toEqual({
			status: 'OK',
			message: 'The service accepted the credential',
		});
		expect(tap.received).toMatchObject([
			{
				method: 'POST',
				path: '/api/v3/get-unified-balance',
				headers: { accept: 'application/json' },
				json: { params: {} },
			},
		]);
		expect(sandbox.state.requests[0]!.verdict).toMatchObject({ ok: true });
	});

	it.each(['wrong-key', 'demo-secret-key '])(
		"says in its first words that the secret %j is wrong, then the service's own",
		async (secretKey) => {
			const { status, message } = await pressTest(credential({ secretKey }));
			expect(status).toBe('Error');
			expect(message).toMatch(/^Wrong 'Secret Key' or 'Client ID'/);
			expect(message).toMatch(/Request was not verified/);
			expect(message).toMatch(/Check the credential's 'Secret Key'/);
		},
	);

	it.each([
		['sender', 'demo shop'],
		['signatureTemplate', '{params}'],
	])(
		'says in its first words that the secret key is right, and where to look: %s',
		async (field, value) => {
			const { message } = await pressTest(credential({ [field]: value }));
			expect(message).toMatch(/^'Client ID' and 'Secret Key' are right: it is 'Sender'/);
			expect(message).not.toContain("Check the credential's");
		},
	);

	it('blames nothing in particular when the token endpoint cannot be asked', async () => {
		const wire = await serve(({ path }, response) =>
			path.includes('balance')
				? json(response, 200, { success: false, message: 'Request was not verified.' })
				: json(response, 404, 'no such page'),
		);
		const { message } = await pressTest(demoCredential(wire.url));
		expect(message).toMatch(/^The service declined the test request/);
	});

	it('verifies client id and secret at the token endpoint when signatures come from the service', async () => {
		const signatureSource = 'endpoint';
		expect(await pressTest(credential({ signatureSource }))).toMatchObject({ status: 'OK' });
		expect(tap.received).toMatchObject([
			{
				path: '/api/integration/get-token',
				json: { client_id: 'demo-client', secret_key: 'demo-secret-key' },
			},
		]);
		const wrong = await pressTest(credential({ signatureSource, secretKey: 'wrong' }));
		expect(wrong.message).toMatch(/^Wrong 'Secret Key'/);
	});

	it.each([
		['an empty Base URL', { baseUrl: '' }, /'Base URL' is empty/],
		['one without a scheme', { baseUrl: 'pay.example.com' }, /'Base URL' is not a plain http/],
		['an unknown placeholder', { signatureTemplate: '{x}' }, /unknown placeholder \{x\}/],
		['nobody at the address', { baseUrl: 'http://127.0.0.1:9' }, /nothing was sent.*ECONNREFUSED/],
	])('explains %s', async (_, changes, words) => {
		const { status, message } = await pressTest(credential(changes));
		expect(status).toBe('Error');
		expect(message).toMatch(words);
	});
});

const no = (message: string, success: unknown = false) => ({ success, message });

it.each([
	[200, no('User not found.', 'false'), /User not found\./],
	[200, no('User not found.'), /User not found\./],
	[403, no('Client id not matched'), /Client id not matched.*HTTP 403/],
	[401, no('Who?'), /Who\?.*HTTP 401/],
	[200, '<h1>', /could not be read/],
])('a reply with %i and %j is a failed test', async (status, body, words) => {
	const wire = await serve((_, response) => json(response, status, body));
	const result = await pressTest(demoCredential(wire.url, { secretKey: 'canary-secret' }));
	// A plain no is followed by a question to the token endpoint.
	expect(wire.received).toHaveLength(typeof body === 'string' ? 1 : 2);
	expect(result.status).toBe('Error');
	expect(result.message).toMatch(words);
	expect(result.message).not.toContain('canary');
});

it('a redirect is not followed with the signed body', async () => {
	const other = await serve((_, response) => json(response, 200, { success: true }));
	const wire = await serve((_, response) => {
		response.writeHead(307, { location: other.url }).end();
	});
	const { status, message } = await pressTest(demoCredential(wire.url));
	expect(other.received).toHaveLength(0);
	expect(status).toBe('Error');
	expect(message).toMatch(/another address/);
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
