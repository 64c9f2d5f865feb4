import type { INodeParameters } from 'n8n-workflow';

import type { SavedWorkflow } from '../../../dev/host/n8n/index.mts';
import { readExample, triggerUrl } from '../../../dev/host/demo/examples.mts';
import { isAtLeast, N8N_VERSION } from '../../../dev/host/n8n/release.mts';
import { call } from '../../../dev/host/shared/http.mts';
import { until } from '../../../dev/host/shared/until.mts';
import { place, runNode, seenDuring, to } from './support.mts';
import { TOKEN } from '../../../dev/host/slack/index.mts';
import { Assistant } from './standins/assistant.mts';
import { editTable } from './standins/tables.mts';
import { useStage, withNode } from './standins/stage.mts';

const stage = useStage();

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

test('Status alerts to Slack: payments are told to the team, and what is not true to security', async () => {
	const { slack, sandbox, host, importExample } = stage();
	const workflow = await importExample('status-alerts-to-slack.json');
	await host.client.activate(workflow);
	const callbackUrl = triggerUrl(host.url, await host.client.workflow(workflow))!;
	// Something that starts no execution.
	await until('the endpoint', async () =>
		(await call(callbackUrl, { method: 'POST' })).status === 415 ? true : undefined,
	);
	await collect(990200, { callbackUrl, orderReference: 'S-1' });
	await slack.messages('#payments', 1);
	await collect(990401, { callbackUrl, orderReference: 'S-2' });
	const [first, second] = await slack.messages('#payments', 2);

	expect(first).toContain(':white_check_mark: Paid: *990200 KES* for order *S-1*, by 254712345678');
	expect(first).toContain('State: success');
	expect(second).toContain(':x: Failed: *990401 KES* for order *S-2*, by 254712345678');
	expect(second).toContain('State: failed, The customer has insufficient funds');
	expect(slack.calls[0]!.authorization).toBe(`Bearer ${TOKEN}`);
	expect(slack.posted('#security')).toEqual([]);

	const { ref, currency } = sandbox.state.transactions[0]!;
	const forged = [
		{ ref: 'CO-made-up', status: 'success', amount: '5000.00', currency: 'KES' },
		{ ref, status: 'success', amount: '1.00', currency },
	];
	for (const [index, body] of forged.entries()) {
		expect((await post(callbackUrl, body)).status).toBe(200);
		await slack.messages('#security', index + 1);
	}
	const [unknown, altered] = slack.posted('#security');
	expect(unknown).toContain('The service knows no payin "CO-made-up"');
	expect(unknown).toContain('Reason: not_found');
	expect(altered).toContain('The callback states "1.00" as amount');
	expect(altered).toContain('Reason: amount_mismatch');
	expect(slack.posted('#payments')).toHaveLength(2);
});

test('Balance watch: a wallet is told once while it stays low, and anew after it recovered', async () => {
	const { sandbox, slack, host, importExample } = stage();
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
		slack.posted('#payments').filter((text) => text.includes(`Wallet ${wallet().wallet_account} `));
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
		await assistant.use('Propose_collection', proposal('Z-2', { amount: 'more' }));
		await assistant.use('Propose_collection', proposal('Z-3'));
		expect(await decide('Send them')).toContain('250 KES in 1 row\n');
		const [sent, wrong] = await proposals();
		expect(wrong).toMatchObject({
			state: 'not_sent',
			message: expect.stringContaining('more') as string,
		});
		expect(sent).toMatchObject({ state: 'accepted' });
		const looked = await assistant.use('Look_up_transaction', { reference: sent!.reference! });
		expect(looked).toContain('"amount":250');
		expect(taken()).toEqual({ 'Z-3': 1 });
	});

	test('asked 200 times, nothing moves; approved, exactly the rows of the question are sent, each once', async () => {
		const before = taken();
		let left = 200;
		const lane = async () => {
			while (left > 0) await assistant.use('Propose_collection', proposal(`M-${left--}`));
		};
		const requests = await seenDuring(stage(), async () => {
			await Promise.all(Array.from({ length: 4 }, lane));
		});
		expect(requests).toEqual([]);
		expect(await proposals()).toEqual(
			Array(50).fill(expect.objectContaining({ state: 'proposed' })),
		);

		const question = await decide('Send them');
		const shown = [...question.matchAll(/order (M-\d+)/g)].map(([, order]) => order!);
		expect(shown).toHaveLength(10);
		expect(question).toContain('2500 KES in 10 rows');
		const sent = Object.fromEntries(shown.map((order) => [order, 1]));
		expect(taken()).toEqual({ ...before, ...sent });
	});

	test('a row that is changed after the question, and none of them is sent; declined, neither', async () => {
		const before = taken();
		let changed = '';
		const question = await decide('Send them', async () => {
			changed = /order (M-\d+)/.exec(stage().slack.posted('#approvals').at(-1)!)![1]!;
			await editTable(stage().host, 'Proposed collections', ['order', changed], {
				mobile: '0733 999999',
			});
		});
		const declined = await decide('Do not send');

		expect(taken()).toEqual(before);
		expect(question).toContain(`order ${changed}`);
		expect(declined).not.toContain(`order ${changed}`);
	});
});
