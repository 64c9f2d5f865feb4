import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import type { INode, INodeParameters, INodeTypeDescription } from 'n8n-workflow';

import { triggerUrl } from '../../../dev/host/demo/examples.mts';
import type { NewWorkflow } from '../../../dev/host/n8n/index.mts';
import { isAtLeast, N8N_VERSION } from '../../../dev/host/n8n/release.mts';
import { call } from '../../../dev/host/shared/http.mts';
import { until } from '../../../dev/host/shared/until.mts';
import { findDescription, findProblems } from '../../helpers/parameters.mts';
import { place, runNode, to } from './support.mts';
import { useStage } from './standins/stage.mts';

const stage = useStage();

const FILES = readdirSync('examples').filter((file) => file.endsWith('.json'));

const post = async (url: string, body: unknown = {}) => await call(url, { method: 'POST', body });

/** A collection of the sandbox's own account. */
const collect = async (amount: number, more: INodeParameters) =>
	await runNode(stage(), {
		resource: 'collection',
		operation: 'create',
		country: 'KE',
		amount: String(amount),
		mobile: '0712 345678',
		...more,
	});

test('Google Sheets to payment links: between reading and writing, all of it runs', async () => {
	const customer = { First: '', Country: 'KE', Amount: 80, Business: 'Shop', Item: 'Tea' };
	const rows = [
		{ row_number: 2, Order: 'G-1', ...customer, link: 'https://pay.example/1' },
		{ row_number: 3, Order: 'G-2', ...customer, link: '' },
		{ row_number: 4, Order: 'G-3', ...customer, Amount: '', link: '' },
		{ row_number: 5, Order: ' ', ...customer, link: '' },
	];
	const { host, importExample } = stage();
	const workflow = await importExample('google-sheets-to-payment-links.json', (imported) => ({
		...imported,
		pinData: {
			'Read customers': rows.map((json) => ({ json })),
			'Write back': [{ json: {} }],
		},
	}));
	const execution = await host.client.run(workflow, 'Start');

	expect(execution.failure).toBeUndefined();
	expect(execution.json('Link')).toEqual([
		expect.objectContaining({
			Order: 'G-2',
			outcome: 'accepted',
			link: expect.stringContaining('/pay/') as string,
		}),
	]);
	expect(execution.json('Reason')).toEqual([
		expect.objectContaining({ Order: 'G-3', outcome: 'not_sent' }),
	]);
});

test('Status alerts to Slack: payments are told to the team, and what is not true to security', async () => {
	const { messages, sandbox, host, example } = stage();
	const workflow = example('Status alerts to Slack');
	await host.client.activate(workflow);
	const callbackUrl = triggerUrl(host.url, await host.client.workflow(workflow))!;
	// Something that starts no execution.
	await until('the endpoint', async () =>
		(await call(callbackUrl, { method: 'POST' })).status === 415 ? true : undefined,
	);
	await collect(990200, { callbackUrl, orderReference: 'S-1' });
	await messages.arrived('#payments', 1);
	await collect(990401, { callbackUrl, orderReference: 'S-2' });
	const [first, second] = await messages.arrived('#payments', 2);

	expect(first).toContain(':white_check_mark: Paid: *990200 KES* for order *S-1*, by 254712345678');
	expect(second).toContain(':x: Failed: *990401 KES* for order *S-2*, by 254712345678');
	expect(messages.to('#security')).toEqual([]);

	const { ref, currency } = sandbox.state.transactions[0]!;
	const forged = [
		{ ref: 'CO-made-up', status: 'success', amount: '5000.00', currency: 'KES' },
		{ ref, status: 'success', amount: '1.00', currency },
	];
	for (const [index, body] of forged.entries()) {
		await post(callbackUrl, body);
		await messages.arrived('#security', index + 1);
	}
	const [unknown, altered] = messages.to('#security');
	expect(unknown).toContain('Reason: not_found');
	expect(altered).toContain('Reason: amount_mismatch');
	expect(messages.to('#payments')).toHaveLength(2);
});

test('Balance watch: a wallet is told once while it stays low, and anew after it recovered', async () => {
	const { sandbox, messages, host, importExample } = stage();
	// In place of the hour that nobody wants to wait for; the rest is as imported.
	const clock = {
		...place('Now', 'n8n-nodes-base.webhook', { httpMethod: 'POST', path: 'now' }),
		typeVersion: 2,
		webhookId: 'examples-now',
	};
	const workflow = await importExample('balance-watch.json', (imported) => ({
		...imported,
		nodes: [...imported.nodes, clock],
		connections: { ...imported.connections, Now: { main: [to('Limits')] } },
	}));
	await host.client.activate(workflow);
	const wallet = () =>
		sandbox.state.wallets.find((one) => one.integration === 'demo' && one.currency === 'KES')!;
	const low = (left: number) =>
		sandbox.addPayout({ currency: 'KES', amount: wallet().balance - left });
	const told = () =>
		messages.to('#payments').filter((text) => text.includes(`Wallet ${wallet().wallet_account} `));
	/** Starts it, and waits until n8n has saved what it remembers. */
	const tick = async () => {
		const before = (await host.client.executions(workflow)).length;
		await until('the start of a run', async () =>
			(await post(`${host.url}/webhook/now`)).status === 200 ? true : undefined,
		);
		await until('the end of a run', async () => {
			const runs = await host.client.executions(workflow);
			const ended = runs.filter(({ status }) => status === 'success');
			return ended.length > before ? true : undefined;
		});
	};

	await tick();
	expect(told()).toEqual([]);
	low(4000);
	for (let hour = 0; hour < 3; hour++) await tick();
	if (process.env.N8N_HOST_MODE === 'queue') {
		// n8n 2.41 gives a worker no memory of the workflow; no message is lost by that.
		expect(told()).toHaveLength(3);
		return;
	}
	expect(told()).toHaveLength(1);

	const before = wallet().balance;
	await collect(990200, { options: { onDuplicate: 'sendAnyway' } });
	await until('the deposit', async () => (wallet().balance > before ? true : undefined));
	await tick();
	low(3000);
	await tick();
	await tick();
	const words = /holds only \*-?[\d.]+ KES\*, less than 5000 KES/;
	expect(told()).toEqual(Array(2).fill(expect.stringMatching(words)));
});

describe('the parameters of every node', () => {
	let types: INodeTypeDescription[];
	beforeAll(async () => (types = await stage().host.client.allNodeTypes()));

	const nodesOf = (file: string) =>
		(JSON.parse(readFileSync(join('examples', file), 'utf8')) as NewWorkflow).nodes;

	function problemsOf(node: INode): string[] {
		const description = findDescription(node, types);
		if (description === undefined) return [`${node.name}: no ${node.type} ${node.typeVersion}`];
		return findProblems(node, description);
	}

	// Older releases lack some of the nodes; what the examples need is in docs/examples.md.
	const newest = isAtLeast(N8N_VERSION) ? test : test.skip;

	newest.each(FILES)('%s: this n8n knows them all', (file) => {
		expect(nodesOf(file).flatMap(problemsOf)).toEqual([]);
	});

	newest('under a wrong name, one is found', () => {
		for (const node of FILES.flatMap(nodesOf)) {
			const parameters = { ...node.parameters, misspelt: true };
			expect(problemsOf({ ...node, parameters })).toContain(`${node.name}: there is no 'misspelt'`);
		}
	});
});
