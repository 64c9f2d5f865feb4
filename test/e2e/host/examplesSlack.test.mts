import type { IDataObject } from 'n8n-workflow';

import type { SavedWorkflow } from '../../../host/n8n/index.mts';
import { triggerUrl } from '../../../host/demo/examples.mts';
import { call } from '../../../host/shared/http.mts';
import { until } from '../../../host/shared/until.mts';
import { place, runNode, to } from './support.mts';
import { TOKEN } from '../../../host/slack/index.mts';
import { useStage } from './standins/stage.mts';

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
