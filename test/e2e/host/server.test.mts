import type { INode } from 'n8n-workflow';

import { call } from '../../../dev/host/shared/http.mts';
import { NODE_TYPE, PACKAGE, place, seenDuring, to, useDemo } from './support.mts';
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
