import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { SavedWorkflow } from '../../../host/n8n/index.mts';
import { readExample, triggerUrl } from '../../../host/demo/examples.mts';
import { isAtLeast, N8N_VERSION } from '../../../host/n8n/release.mts';
import { call } from '../../../host/shared/http.mts';
import { until } from '../../../host/shared/until.mts';
import { place, runNode, seenDuring, to } from './support.mts';
import { TOKEN } from '../../../host/slack/index.mts';
import { Assistant } from './standins/assistant.mts';
import { useStage, withNode } from './standins/stage.mts';

const stage = useStage();

const post = async (url: string, body: unknown = {}) => await call(url, { method: 'POST', body });

/** Activates a workflow, and waits until its endpoint is there. */
async function activated(workflow: SavedWorkflow, probe: number): Promise<string> {
	const { client, url } = stage().host;
	await client.activate(workflow);
	const endpoint = triggerUrl(url, await client.workflow(workflow))!;
	await until(`an answer of ${endpoint}`, async () => {
		// Something that starts no execution.
		const { status } = await call(endpoint, { method: 'POST' });
		return status === probe ? true : undefined;
	});
	return endpoint;
}

describe('Status alerts to Slack', () => {
	let endpoint: string;
	beforeAll(async () => {
		const workflow = await stage().importExample('status-alerts-to-slack.json');
		endpoint = await activated(workflow, 415);
	});

	/** Creates a collection that calls back to the trigger; its reference. */
	async function collect(amount: number, order: string): Promise<string> {
		const execution = await runNode(stage(), {
			resource: 'collection',
			operation: 'create',
			country: 'KE',
			amount: String(amount),
			mobile: '0712 345678',
			callbackUrl: endpoint,
			orderReference: order,
		});
		return String(execution.json('Success')[0]?.reference);
	}

	test('payments are told with amount, customer, state and order', async () => {
		const { slack } = stage();
		const paid = await collect(990200, 'S-1');
		await slack.messages('#payments', 1);
		const failed = await collect(990401, 'S-2');
		const [first, second] = await slack.messages('#payments', 2);

		expect(first).toContain(
			':white_check_mark: Paid: *990200 KES* for order *S-1*, by 254712345678',
		);
		expect(first).toContain('State: success');
		expect(first).toContain(`Reference: ${paid}`);
		expect(second).toContain(':x: Failed: *990401 KES* for order *S-2*, by 254712345678');
		expect(second).toContain('State: failed, The customer has insufficient funds');
		expect(second).toContain(`Reference: ${failed}`);
		expect(slack.calls.map(({ authorization }) => authorization)).toEqual([
			`Bearer ${TOKEN}`,
			`Bearer ${TOKEN}`,
		]);
		expect(slack.posted('#security')).toEqual([]);
	});

	test('what is not true goes to the security channel, with the reason', async () => {
		const { slack, sandbox } = stage();
		const told = slack.posted('#payments').length;
		const { ref, currency } = sandbox.state.transactions[0]!;
		const forged = [
			{ ref: 'CO-made-up', status: 'success', amount: '5000.00', currency: 'KES' },
			{ ref, status: 'success', amount: '1.00', currency },
			{ ref: '<!channel> <https://evil.example|renew>', status: 'success' },
		];
		for (const [index, body] of forged.entries()) {
			expect((await post(endpoint, body)).status).toBe(200);
			await slack.messages('#security', index + 1);
		}

		const [unknown, altered, markup] = slack.posted('#security');
		expect(unknown).toContain('The service knows no payin "CO-made-up"');
		expect(unknown).toContain('What to do: If you do not know this payment');
		expect(unknown).toContain('Later: it may still become true');
		expect(unknown).toContain('Reason: not_found');
		expect(unknown).toContain('Claimed reference: CO-made-up');
		expect(altered).toContain('The callback states "1.00" as amount');
		expect(altered).toContain('Later: it will not become true by itself');
		expect(altered).toContain('Reason: amount_mismatch');
		expect(markup).toContain(
			'Claimed reference: &lt;!channel&gt; &lt;https://evil.example|renew&gt;',
		);
		expect(markup).not.toMatch(/[<>]/);
		expect(slack.posted('#payments')).toHaveLength(told);
	});
});

describe('Balance watch', () => {
	const BALANCE = 'balance-watch.json';
	const about = (wallet: number) =>
		stage()
			.slack.posted('#payments')
			.filter((text) => text.includes(`Wallet ${wallet} `));

	test('by hand, the wallets below their limit are told', async () => {
		const { host, importExample, slack } = stage();
		const execution = await host.client.run(await importExample(BALANCE), 'Every hour');

		expect(execution.failure).toBeUndefined();
		expect(execution.json('Not reported yet').map(({ currency }) => currency)).toEqual(['UGX']);
		expect(await slack.messages('#payments')).toContainEqual(
			expect.stringContaining('holds only *10000 UGX*, less than 150000 UGX'),
		);
	});

	test('by itself, a wallet is told once while it stays low, and anew after it recovered', async () => {
		const { sandbox, importExample } = stage();
		// In place of the hour that nobody wants to wait for; the rest is as imported.
		const clock = {
			...place('Now', 'n8n-nodes-base.webhook', {
				httpMethod: 'POST',
				path: 'now',
				responseMode: 'onReceived',
				options: {},
			}),
			typeVersion: 2,
			webhookId: 'examples-now',
		};
		const workflow = await importExample(BALANCE, (imported) => ({
			...imported,
			nodes: [...imported.nodes, clock],
			connections: { ...imported.connections, Now: { main: [to('Limits')] } },
		}));
		await stage().host.client.activate(workflow);
		const wallet = walletOf('KES');
		const start = about(wallet).length;
		const told = () => about(wallet).length - start;
		const tick = async () => await runOnce(workflow, `${stage().host.url}/webhook/now`);

		await tick();
		expect(told()).toBe(0);
		sandbox.addPayout({ currency: 'KES', amount: balanceOf('KES') - 4000 });
		await tick();
		await tick();
		await tick();
		if (process.env.N8N_HOST_MODE === 'queue') {
			// n8n 2.41 gives a worker no memory of the workflow; no message is lost by that.
			expect(told()).toBe(3);
			return;
		}
		expect(told()).toBe(1);

		await deposit('KES');
		await tick();
		sandbox.addPayout({ currency: 'KES', amount: balanceOf('KES') - 3000 });
		await tick();
		await tick();
		expect(told()).toBe(2);
		const words = /holds only \*-?[\d.]+ KES\*, less than 5000 KES/;
		expect(about(wallet).slice(start)).toEqual(Array(2).fill(expect.stringMatching(words)));
	});

	const wallets = () => stage().sandbox.state.wallets.filter((one) => one.integration === 'demo');
	const walletIn = (currency: string) => wallets().find((one) => one.currency === currency)!;
	const walletOf = (currency: string) => walletIn(currency).wallet_account;
	const balanceOf = (currency: string) => walletIn(currency).balance;

	async function deposit(currency: string): Promise<void> {
		const before = balanceOf(currency);
		await runNode(stage(), {
			resource: 'collection',
			operation: 'create',
			country: 'KE',
			amount: '990200',
			mobile: '0712 345678',
			options: { onDuplicate: 'sendAnyway' },
		});
		await until('the deposit', async () => (balanceOf(currency) > before ? true : undefined));
	}

	/** Starts it, and waits until n8n has saved what it remembers. */
	async function runOnce({ id }: SavedWorkflow, url: string): Promise<void> {
		const before = (await ended(id)).length;
		await until('the start of a run', async () =>
			(await post(url)).status === 200 ? true : undefined,
		);
		const runs = await until('the end of a run', async () => {
			const now = await ended(id);
			return now.length > before ? now : undefined;
		});
		expect(runs.map(({ status }) => status)).toEqual(runs.map(() => 'success'));
	}

	async function ended(workflowId: string): Promise<IDataObject[]> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		const { results } = await stage().host.client.get<{ results: IDataObject[] }>(
			`/rest/executions?filter=${filter}`,
		);
		return results.filter(({ status }) => !['new', 'running'].includes(String(status)));
	}
});

// Version 2 of the MCP Server Trigger came after the first releases of n8n 2.
const newest = isAtLeast(N8N_VERSION) ? describe : describe.skip;

newest('Payments for an assistant', () => {
	const ASSISTANT = 'payments-for-an-assistant.json';
	const TOKEN_OF_ASSISTANT = 'token-of-the-assistant';
	let workflow: SavedWorkflow;
	let assistant: Assistant;

	beforeAll(async () => {
		const { host, credentials, sandbox } = stage();
		sandbox.reset();
		const bearer = await host.client.createCredential('Assistant', 'httpBearerAuth', {
			token: TOKEN_OF_ASSISTANT,
		});
		const example = await readExample(ASSISTANT, [...credentials, bearer]);
		const sending = withNode(example, 'Collect', (node) => {
			const options = { ...(node.parameters.options as INodeParameters), dryRun: false };
			return { ...node, parameters: { ...node.parameters, options } };
		});
		workflow = await host.client.createWorkflow(sending);
		await host.client.run(workflow, 'Set up');
		await host.client.publish(workflow);
		assistant = new Assistant(`${host.url}/mcp/payments-for-an-assistant`, TOKEN_OF_ASSISTANT);
		await until('the assistant to be let in', async () =>
			(await assistant.connect()) === 200 ? true : undefined,
		);
	});

	const taken = () => stage().sandbox.state.ledger.countBy('third_party_reference_1');
	const proposal = (order: string, more: Record<string, string> = {}) => ({
		...{ order, country: 'Kenya', mobile: '0712 345678', amount: '250', why: 'It was delivered' },
		...more,
	});
	const proposals = async () =>
		JSON.parse(await assistant.use('See_proposals')) as Array<Record<string, string>>;

	/** The question of the next hour; the person answers it after `meanwhile`. */
	async function decide(label: string, meanwhile = async () => {}): Promise<string> {
		const { host, slack } = stage();
		const before = slack.posted('#approvals').length;
		const { id, status } = await host.client.run(workflow, 'Every hour');
		expect(status).toBe('waiting');
		const [question] = (await slack.messages('#approvals', before + 1)).slice(-1);
		await meanwhile();
		const { url } = slack.buttons('#approvals').find((button) => button.label === label)!;
		// n8n takes others for previews.
		const headers = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0' };
		expect((await call(url, { headers })).status).toBe(200);
		await until('the end', async () =>
			(await host.client.finished(id)).status === 'waiting' ? undefined : true,
		);
		expect((await host.client.finished(id)).status).toBe('success');
		return question!;
	}

	/** What somebody does in the table. */
	async function edit(order: string, cells: Record<string, string>): Promise<void> {
		const { client } = stage().host;
		const schema = Object.keys(cells).map((id) => ({
			...{ id, displayName: id, type: 'string', required: false, defaultMatch: false },
			...{ display: true, canBeUsedToMatch: true },
		}));
		const table = {
			...place('Table', 'n8n-nodes-base.dataTable', {
				resource: 'row',
				operation: 'update',
				dataTableId: { __rl: true, mode: 'name', value: 'Proposed collections' },
				matchType: 'allConditions',
				filters: { conditions: [{ keyName: 'order', condition: 'eq', keyValue: order }] },
				columns: { mappingMode: 'defineBelow', value: cells, matchingColumns: [], schema },
			}),
			typeVersion: 1.1,
		};
		const saved = await client.createWorkflow({
			name: 'Edit',
			nodes: [place('Start', 'n8n-nodes-base.manualTrigger'), table],
			connections: { Start: { main: [to('Table')] } },
		});
		expect((await client.run(saved, 'Start')).json('Table')).toHaveLength(1);
	}

	test('nobody else gets in, and looking things up is free', async () => {
		const stranger = new Assistant(`${stage().host.url}/mcp/payments-for-an-assistant`, 'guess');

		expect(await stranger.connect()).toBe(403);
		expect((await assistant.tools()).sort()).toEqual([
			'Get_balances',
			'Look_up_transaction',
			'Propose_collection',
			'See_proposals',
		]);
		expect(await assistant.use('Get_balances', { currency: 'KES' })).toContain('"balance":10000');
	});

	test('what became of a proposal is there to see, with the reason', async () => {
		await assistant.use('Propose_collection', proposal('Z-1', { amount: 'all of it' }));
		const { host, slack } = stage();
		const asked = slack.posted('#approvals').length;
		expect((await host.client.run(workflow, 'Every hour')).status).toBe('success');
		expect(slack.posted('#approvals')).toHaveLength(asked);

		await assistant.use('Propose_collection', proposal('Z-2', { amount: 'more' }));
		await assistant.use('Propose_collection', proposal('Z-3'));
		expect(await decide('Send them')).toContain('250 KES in 1 row\n');
		const [sent, wrong, alone] = await proposals();
		expect(alone).toMatchObject({
			state: 'declined',
			message: expect.stringContaining('all of it') as string,
		});
		expect(wrong).toMatchObject({
			state: 'not_sent',
			message: expect.stringContaining('more') as string,
		});
		expect(sent).toMatchObject({ state: 'accepted' });
		const looked = await assistant.use('Look_up_transaction', { reference: sent!.reference! });
		expect(looked).toContain('"amount":250');
		expect(taken()).toEqual({ 'Z-3': 1 });
	});

	test('asked 200 times, nothing moves', async () => {
		const before = taken();
		let left = 200;
		const lane = async () => {
			while (left > 0) await assistant.use('Propose_collection', proposal(`M-${left--}`));
		};
		const requests = await seenDuring(stage(), async () => {
			await Promise.all(Array.from({ length: 4 }, lane));
		});

		expect(requests).toEqual([]);
		expect(taken()).toEqual(before);
		expect(await proposals()).toEqual(
			Array(50).fill(expect.objectContaining({ state: 'proposed' })),
		);
	});

	test('once a person has approved, exactly the rows of the question are sent, each once', async () => {
		const before = taken();
		const question = await decide('Send them');

		const shown = [...question.matchAll(/order (M-\d+)/g)].map(([, order]) => order!);
		expect(shown).toHaveLength(10);
		expect(question).toContain('2500 KES in 10 rows');
		expect(taken()).toEqual({
			...before,
			...Object.fromEntries(shown.map((order) => [order, 1])),
		});
	});

	test('a row that is changed after the question, and none of them is sent; declined, neither', async () => {
		const before = taken();
		let changed = '';
		const question = await decide('Send them', async () => {
			changed = /order (M-\d+)/.exec(stage().slack.posted('#approvals').at(-1)!)![1]!;
			await edit(changed, { mobile: '0733 999999' });
		});
		const declined = await decide('Do not send');

		expect(taken()).toEqual(before);
		expect(question).toContain(`order ${changed}`);
		expect(declined).not.toContain(`order ${changed}`);
	});
});
