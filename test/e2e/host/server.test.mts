import type { INode } from 'n8n-workflow';

import { sandboxCredential } from '../../../host/demo/sandboxCredential.mts';
import { NODE_TYPE, PACKAGE, place, runNode, seenDuring, to, useDemo } from './support.mts';

const demo = useDemo();

describe('the packed package', () => {
	test('is loaded, as a node and as a tool for agents', async () => {
		const types = await demo().host.client.allNodeTypes();
		const names = types.map(({ name }) => name).filter((name) => name.startsWith(PACKAGE));

		expect(names).toEqual(expect.arrayContaining([NODE_TYPE, `${NODE_TYPE}Tool`]));
	});

	test('brings its icons and its codex', async () => {
		const [type] = await demo().host.client.nodeTypes(NODE_TYPE);

		expect(type?.iconUrl).toEqual({
			light: expect.stringContaining('.svg') as string,
			dark: expect.stringContaining('.svg') as string,
		});
		expect(type?.codex?.categories).toContain('Finance & Accounting');
	});

	test.each([
		['paymentLink', 'create'],
		['paymentLink', 'get'],
		['paymentLink', 'getAll'],
		['collection', 'create'],
		['transaction', 'get'],
		['balance', 'get'],
		['token', 'get'],
		['country', 'getAll'],
	])('serves the output schema of %s %s', async (resource, operation) => {
		const { client } = demo().host;
		const schema = await client.outputSchema(NODE_TYPE, '2.0.0', resource, operation);

		expect(schema).toMatchObject({ type: 'object', properties: expect.any(Object) as object });
	});
});

describe('the credential', () => {
	test('passes its test', async () => {
		const { host, credential, sandbox } = demo();
		const seen = await seenDuring(demo(), async () => {
			expect(
				await host.client.testCredential(credential, sandboxCredential(sandbox)),
			).toMatchObject({
				status: 'OK',
			});
		});

		expect(seen.map(({ path, verdict }) => [path, verdict?.ok])).toEqual([
			['/api/v3/get-unified-balance', true],
		]);
	});

	test("fails its test with the service's own message", async () => {
		const { host, credential, sandbox } = demo();
		const wrong = { ...sandboxCredential(sandbox), secretKey: 'not the key' };
		let message = '';
		const seen = await seenDuring(demo(), async () => {
			const result = await host.client.testCredential(credential, wrong);
			expect(result.status).toBe('Error');
			({ message } = result);
		});

		// After a plain no, the token tells which field is wrong.
		expect(seen.map(({ path }) => path)).toEqual([
			'/api/v3/get-unified-balance',
			'/api/integration/get-token',
		]);
		expect(message).toContain(seen[0]?.message);
		expect(message).toMatch(/^Wrong 'Secret Key' or 'Client ID'/);
		expect(message).not.toContain('not the key');
	});
});

describe('the credential with signatures from the endpoint', () => {
	const asksForSignatures = () => ({
		...sandboxCredential(demo().sandbox),
		signatureSource: 'endpoint',
	});

	test('is tested at the token endpoint, with the right and the wrong secret', async () => {
		const { client } = demo().host;
		const right = asksForSignatures();
		const wrong = { ...right, secretKey: 'not the key' };
		let verdicts: string[] = [];
		const seen = await seenDuring(demo(), async () => {
			const tested = [
				await client.testCredential(demo().credential, right),
				await client.testCredential(demo().credential, wrong),
			];
			verdicts = tested.map(({ status }) => status);
		});

		expect(verdicts).toEqual(['OK', 'Error']);
		expect(new Set(seen.map(({ path }) => path))).toEqual(new Set(['/api/integration/get-token']));
	});

	test('sends requests that the service itself signed', async () => {
		const { client } = demo().host;
		const type = demo().credential.type;
		const credential = await client.createCredential('Endpoint', type, asksForSignatures());
		const seen = await seenDuring(demo(), async () => {
			const balance = { resource: 'balance', operation: 'get', currency: 'KES' };
			const run = await runNode(demo(), balance, { credential });
			expect(run.json('Success')).toMatchObject([{ currency: 'KES' }]);
		});

		expect(seen.map(({ path }) => path)).toEqual([
			'/api/service-signature',
			'/api/v3/get-unified-balance',
		]);
		expect(seen.at(-1)?.verdict?.ok).toBe(true);
	});
});

describe('the built-in HTTP Request node with this credential', () => {
	const callBalance = async (path: string) => {
		const { host, credential, sandbox } = demo();
		const { id, name, type } = credential;
		const request: INode = {
			...place('Request', 'n8n-nodes-base.httpRequest', {
				method: 'POST',
				url: `${sandbox.url}${path}`,
				authentication: 'predefinedCredentialType',
				nodeCredentialType: type,
				sendBody: true,
				specifyBody: 'json',
				jsonBody: '{"currency":"KES"}',
			}),
			typeVersion: 4.2,
			credentials: { [type]: { id, name } },
		};
		const workflow = await host.client.createWorkflow({
			name: 'HTTP Request',
			nodes: [place('Start', 'n8n-nodes-base.manualTrigger'), request],
			connections: { Start: { main: [to('Request')] } },
		});
		return await host.client.run(workflow, 'Start');
	};

	test('sends a signed request', async () => {
		const seen = await seenDuring(demo(), async () => {
			const run = await callBalance('/api/v3/get-unified-balance');
			expect(run.status).toBe('success');
			expect(run.json('Request')).toMatchObject([{ data: expect.anything() as object }]);
		});

		expect(seen.map(({ verdict }) => verdict?.ok)).toEqual([true]);
	});

	test('sends once, also when the answer is a 401', async () => {
		const { sandbox } = demo();
		sandbox.faults.add({ route: '/api/v3/get-unified-balance', kind: 'html', status: 401 });
		try {
			const seen = await seenDuring(demo(), async () => {
				expect((await callBalance('/api/v3/get-unified-balance')).status).toBe('error');
			});

			expect(seen).toHaveLength(1);
		} finally {
			sandbox.faults.clear();
		}
	});
});

describe('the error output', () => {
	const rows = [
		{ order: 'A-1', amount: 100 },
		{ order: 'A-2', amount: -5 },
		{ order: 'A-3', amount: 300 },
	];
	const link = {
		resource: 'paymentLink',
		operation: 'create',
		country: 'KE',
		amount: '={{ $json.amount }}',
		businessName: 'Demo Shop',
		itemName: '={{ $json.order }}',
		callbackUrl: 'https://shop.example.com/paid',
	};

	test('gets the bad rows with their own fields, the success output gets the good ones', async () => {
		const run = await runNode(demo(), link, { rows, onError: 'continueErrorOutput' });

		expect(run.status).toBe('success');
		expect(run.json('Success').map(({ outcome }) => outcome)).toEqual(['accepted', 'accepted']);
		expect(run.outputs('Success').map(({ pairedItem }) => pairedItem)).toMatchObject([
			{ item: 0 },
			{ item: 1 },
		]);
		expect(run.json('Failed')).toMatchObject([
			{ order: 'A-2', amount: -5, error: { message: expect.stringContaining('row 2') as string } },
		]);
	});

	test('without it, a bad row stops the workflow with a message that names the row', async () => {
		const run = await runNode(demo(), link, { rows: [{ order: 'B-1', amount: -5 }] });

		expect(run.status).toBe('error');
		expect(run.error('Node')?.message).toContain('row 1');
	});
});
