// Also for an n8n of any release that is running somewhere, with the package in it:
// N8N_URL=http://localhost:5678 N8N_API_KEY=… npm run test:e2e
// An n8n in a container reaches the sandbox by SANDBOX_URL, e.g. http://host.docker.internal:5680.
import { randomUUID } from 'node:crypto';

import type { INode } from 'n8n-workflow';

import { sandboxCredentialForApi } from '../../../dev/host/demo/sandboxCredential.mts';
import { buildIfStale, startHost } from '../../../dev/host/n8n/index.mts';
import { PublicApi } from '../../../dev/host/n8n/publicApi.mts';
import { call } from '../../../dev/host/shared/http.mts';
import { until } from '../../../dev/host/shared/until.mts';
import { startSandbox } from '../../../dev/sandbox/index.mts';
import { throughout } from '../../helpers/throughout.mts';

jest.setTimeout(300_000);

const { N8N_URL, N8N_API_KEY = '', SANDBOX_URL } = process.env;

/** The n8n that is running, or one that is started for this test. */
async function openN8n() {
	if (N8N_URL !== undefined)
		return { api: new PublicApi(N8N_URL, N8N_API_KEY), close: async () => {} };
	await buildIfStale();
	const host = await startHost();
	const all = await host.client.get<string[]>('/rest/api-keys/scopes');
	const scopes = all.filter((scope) => /^(credential|workflow):/.test(scope));
	const key = { label: 'Smoke', expiresAt: null, scopes };
	const { rawApiKey } = await host.client.post<{ rawApiKey: string }>('/rest/api-keys', key);
	return { api: new PublicApi(host.url, rawApiKey), close: async () => await host.stop() };
}

const n8n = throughout(openN8n);
const sandbox = throughout(
	async () =>
		await startSandbox(
			SANDBOX_URL === undefined
				? {}
				: { host: '0.0.0.0', port: Number(new URL(SANDBOX_URL).port), publicUrl: SANDBOX_URL },
		),
);

const node = (own: Partial<INode> & Pick<INode, 'name' | 'type'>): INode => ({
	id: own.name,
	typeVersion: 2,
	position: [0, 0],
	parameters: {},
	...own,
});

test('a workflow of this n8n makes a link', async () => {
	const { api } = n8n;
	const unifiedPaymentsApi = await api.createCredential(
		`Smoke ${randomUUID()}`,
		'unifiedPaymentsApi',
		sandboxCredentialForApi(sandbox),
	);
	const [path, order] = [randomUUID(), `SMOKE-${randomUUID()}`];
	const workflow = await api.createWorkflow({
		name: 'Smoke',
		nodes: [
			node({
				name: 'Webhook',
				type: 'n8n-nodes-base.webhook',
				webhookId: path,
				parameters: { path, httpMethod: 'POST', responseMode: 'lastNode' },
			}),
			node({
				name: 'Link',
				type: 'n8n-nodes-unified-payments.unifiedPayments',
				credentials: { unifiedPaymentsApi },
				parameters: {
					resource: 'paymentLink',
					operation: 'create',
					country: '1',
					amount: '80',
					businessName: 'Smoke',
					itemName: 'Smoke',
					orderReference: order,
					callbackUrl: 'https://example.com/paid',
				},
			}),
		],
		connections: { Webhook: { main: [[{ node: 'Link', type: 'main', index: 0 }]] } },
	});
	try {
		await api.activate(workflow);
		const reply = await until('the webhook is there', async () => {
			const answered = await call(`${api.url}/webhook/${path}`, { method: 'POST', body: {} });
			return answered.status === 404 ? undefined : answered;
		});
		expect(JSON.parse(reply.text)).toMatchObject({
			outcome: 'accepted',
			orderReference: order,
			link: expect.stringContaining('/pay/') as unknown,
		});
		expect(sandbox.state.ledger.accepted).toBe(1);
	} finally {
		await api.deleteWorkflow(workflow);
	}
});
