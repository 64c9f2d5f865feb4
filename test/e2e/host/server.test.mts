import type { INode } from 'n8n-workflow';

import { sandboxCredential } from '../../../host/demo/sandboxCredential.mts';
import { call } from '../../../host/shared/http.mts';
import { until } from '../../../host/shared/until.mts';
import {
	NODE_TYPE,
	PACKAGE,
	place,
	runNode,
	saveNode,
	seenDuring,
	to,
	useDemo,
} from './support.mts';
import { TRIGGER_TYPE } from './triggerSupport.mts';

const demo = useDemo();

beforeEach(() => demo().sandbox.reset());

test('the packed package is loaded as a node and as a tool, with icons that are served, codex and schemas', async () => {
	const { client, url } = demo().host;
	const types = await client.allNodeTypes();
	const names = types.map(({ name }) => name).filter((name) => name.startsWith(PACKAGE));
	expect(names).toEqual(expect.arrayContaining([NODE_TYPE, `${NODE_TYPE}Tool`, TRIGGER_TYPE]));

	for (const { iconUrl, codex } of await client.nodeTypes(NODE_TYPE, TRIGGER_TYPE)) {
		const { light, dark } = iconUrl as { light: string; dark: string };
		expect(light).not.toBe(dark);
		for (const path of [light, dark]) {
			const { headers, text } = await call(`${url}/${path}`);
			expect([headers['content-type'], text]).toEqual([
				'image/svg+xml',
				expect.stringContaining('<svg'),
			]);
		}
		expect(codex?.categories).toContain('Finance & Accounting');
	}
	const schema = await client.outputSchema(NODE_TYPE, '2.0.0', 'collection', 'create');
	expect(schema).toMatchObject({ type: 'object', properties: expect.any(Object) as object });
});

test("the credential passes its test, or fails it with the service's own message", async () => {
	const { host, credential, sandbox } = demo();
	const right = sandboxCredential(sandbox);
	const wrong = { ...right, secretKey: 'not the key' };
	const tests: Array<[object, string, string[]]> = [
		[right, 'OK', ['/api/v3/get-unified-balance']],
		// After a plain no, the token tells which field is wrong.
		[wrong, 'Error', ['/api/v3/get-unified-balance', '/api/integration/get-token']],
		[{ ...right, signatureSource: 'endpoint' }, 'OK', ['/api/integration/get-token']],
	];
	for (const [data, status, paths] of tests) {
		let message = '';
		const seen = await seenDuring(demo(), async () => {
			const result = await host.client.testCredential(credential, { ...data });
			expect(result.status).toBe(status);
			({ message } = result);
		});
		expect(seen.map(({ path }) => path)).toEqual(paths);
		if (status === 'OK') continue;
		expect(message).toContain(seen[0]?.message);
		expect(message).toMatch(/^Wrong 'Secret Key' or 'Client ID'/);
		expect(message).not.toContain('not the key');
	}
});

test('the built-in HTTP Request node sends a signed request, once, also when the answer is a 401', async () => {
	const { host, credential, sandbox } = demo();
	const { id, name, type } = credential;
	const request: INode = {
		...place('Request', 'n8n-nodes-base.httpRequest', {
			method: 'POST',
			url: `${sandbox.url}/api/v3/get-unified-balance`,
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
	const seen = await seenDuring(demo(), async () => {
		const run = await host.client.run(workflow, 'Start');
		expect(run.json('Request')).toMatchObject([{ data: expect.anything() as object }]);
	});
	expect(seen.map(({ verdict }) => verdict?.ok)).toEqual([true]);

	sandbox.faults.add({ route: '/api/v3/get-unified-balance', kind: 'html', status: 401 });
	const refused = await seenDuring(demo(), async () => {
		expect((await host.client.run(workflow, 'Start')).status).toBe('error');
	});
	expect(refused).toHaveLength(1);
});

const link = {
	resource: 'paymentLink',
	operation: 'create',
	country: 'KE',
	amount: '={{ $json.amount }}',
	businessName: 'Demo Shop',
	itemName: '={{ $json.order }}',
	orderReference: '={{ $json.order }}',
	callbackUrl: 'https://shop.example.com/paid',
};

const orders = (count: number) =>
	Array.from({ length: count }, (_, i) => ({ order: `order ${i + 1}`, amount: 100 + i }));

test('the error output gets the bad rows with their own fields, the success output the good ones', async () => {
	const rows = [100, -5, 300].map((amount, index) => ({ order: `A-${index + 1}`, amount }));
	const run = await runNode(demo(), link, { rows, onError: 'continueErrorOutput' });

	expect(run.json('Success').map(({ outcome }) => outcome)).toEqual(['accepted', 'accepted']);
	expect(run.outputs('Success').map(({ pairedItem }) => pairedItem)).toMatchObject([
		{ item: 0 },
		{ item: 1 },
	]);
	expect(run.json('Failed')).toMatchObject([
		{ order: 'A-2', amount: -5, error: { message: expect.stringContaining('row 2') as string } },
	]);
});

test('Retry On Fail sends no row twice, not even one whose answer was lost', async () => {
	const { sandbox } = demo();
	sandbox.faults.add({ route: '/api/v3/payment-link-api/create', kind: 'reset-after', nth: 1 });
	sandbox.faults.add({ route: '/api/payment-link-api/list', kind: 'server-error' });
	const seen = await seenDuring(demo(), async () => {
		const run = await runNode(demo(), link, {
			rows: orders(5),
			onError: 'continueErrorOutput',
			retryOnFail: true,
			maxTries: 3,
			waitBetweenTries: 10,
		});

		expect(run.json('Success')).toHaveLength(4);
		expect(run.json('Failed')).toMatchObject([
			{ order: expect.stringMatching(/^order/) as string },
		]);
	});

	expect(seen.filter(({ path }) => path.endsWith('/create'))).toHaveLength(5);
	expect(sandbox.state.ledger.accepted).toBe(5);
});

test('cancelling an execution stops the sending', async () => {
	const { host, sandbox } = demo();
	const rows = orders(100);
	const workflow = await saveNode(demo(), { ...link, options: { requestsPerSecond: 5 } }, { rows });
	const id = await host.client.start(workflow, 'Start');
	await until('the first links', async () =>
		sandbox.state.ledger.accepted > 1 ? true : undefined,
	);
	await host.client.cancel(id);
	const run = await host.client.finished(id);

	expect(run.status).toBe('canceled');
	expect(sandbox.state.ledger.accepted).toBeLessThan(rows.length / 2);
});
