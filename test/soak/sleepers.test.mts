import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

import type { ListedExecution } from '../../dev/host/n8n/client.mts';
import type { SavedWorkflow } from '../../dev/host/n8n/index.mts';
import { call } from '../../dev/host/shared/http.mts';
import { until } from '../../dev/host/shared/until.mts';
import { NODE_TYPE, place, to } from '../e2e/host/support.mts';
import { COLLECT, transactionOf, useWaitingDemo } from '../e2e/host/waitingSupport.mts';
import { MINUTE, setting, tell } from '../helpers/soak/settings.mts';

const SLEEPERS = setting('SLEEPERS', 200);
const KILLS = setting('SLEEPER_KILLS', 5);
const NEVER_PAID = Math.ceil(SLEEPERS / 20);
const AT_ONCE = 10;

// A service that tries for about three minutes.
const demo = useWaitingDemo({
	callbackRetry: { attempts: 60, firstDelayMs: 3_000, factor: 1 },
	callbackTimeoutMs: 30_000,
	mode: 'spec',
});

/** Called with an order, it collects, and sleeps until that is paid. */
async function publishCheckout(): Promise<SavedWorkflow> {
	const { id, name, type } = demo().credential;
	const parameters = {
		...COLLECT,
		...{ amount: '={{ $json.body.amount }}', orderReference: '={{ $json.body.order }}' },
		...{ mobile: '0712345678', waitLimitMinutes: 8 },
	};
	const path = { path: 'checkout', httpMethod: 'POST' };
	const workflow = await demo()
		.host()
		.client.createWorkflow({
			name: 'Checkout',
			nodes: [
				{
					...place('Order', 'n8n-nodes-base.webhook', path),
					typeVersion: 2,
					webhookId: 'checkout',
				},
				{ ...place('Node', NODE_TYPE, parameters), credentials: { [type]: { id, name } } },
				place('End', 'n8n-nodes-base.noOp'),
			],
			connections: { Order: { main: [to('Node')] }, Node: { main: [to('End')] } },
		});
	await demo().host().client.publish(workflow);
	return workflow;
}

const order = async (body: object) =>
	await until('the order to be taken', async () => {
		const { status } = await call(`${demo().host().url}/webhook/checkout`, {
			method: 'POST',
			body,
		});
		return status === 200 ? true : undefined;
	});

const listed = async (workflow: SavedWorkflow, isEnough: (all: ListedExecution[]) => boolean) =>
	await until(
		'the executions',
		async () => {
			const all = await demo().host().client.executions(workflow);
			return isEnough(all) ? all : undefined;
		},
		{ seconds: 1200, everyMs: 1000 },
	);

/** Established connections of n8n to the service, by the kernel's own list. */
async function openRequests(): Promise<string[]> {
	const port = demo().sandbox.port.toString(16).toUpperCase().padStart(4, '0');
	const table = await readFile(`/proc/${demo().host().pid}/net/tcp`, 'utf8');
	return table.split('\n').filter((line) => new RegExp(`:${port} 01 `).test(line));
}

/** What an execution said in the end. One that had woken up and was running at a kill is retried. */
async function endOf(id: string) {
	const { client } = demo().host();
	const first = await client.finished(id);
	const run = first.status === 'crashed' ? await client.retry(id) : first;
	const items = run.json('End');
	expect([run.status, run.tasks('End').length, items.length]).toEqual(['success', 1, 1]);
	return [String(items[0]!.orderReference), String(items[0]!.state)] as const;
}

it(
	`${SLEEPERS} executions that sleep all end once, each with its own result, over ${KILLS} kills`,
	async () => {
		const orders = Array.from({ length: SLEEPERS }, (_, index) => `N-${process.pid}-${index}`);
		const workflow = await publishCheckout();
		for (let at = 0; at < SLEEPERS; at += AT_ONCE) {
			const some = orders.slice(at, at + AT_ONCE);
			await Promise.all(some.map((one, n) => order({ order: one, amount: 100 + at + n })));
		}
		await listed(
			workflow,
			(all) => all.length === SLEEPERS && all.every(({ status }) => status === 'waiting'),
		);
		expect(await openRequests()).toEqual([]);

		const ends = new Map<string, string>();
		const awake = [...orders].sort(() => Math.random() - 0.5);
		for (const one of awake.splice(0, NEVER_PAID)) ends.set(one, 'timedOut');
		for (let part = 0; part <= KILLS; part++) {
			const group = awake.splice(0, Math.ceil(awake.length / (KILLS - part + 1)));
			const settling = group.map(async (one, index) => {
				await wait(index * 50);
				const status = Math.random() < 0.7 ? 'success' : 'failed';
				ends.set(one, status);
				demo().sandbox.settle(transactionOf(demo(), one).ref, status);
			});
			// In the middle of it.
			await wait(group.length * 25);
			if (part < KILLS) await demo().kill();
			await Promise.all(settling);
			if (part < KILLS) await demo().start();
			tell(`killed and started again: ${part} of ${KILLS}`);
		}
		const all = await listed(
			workflow,
			(each) => !each.some(({ status }) => ['new', 'running', 'waiting'].includes(status)),
		);
		const said = new Map<string, string>();
		for (const { id } of all) said.set(...(await endOf(id)));
		const timedOut = orders.filter((one) => said.get(one) === 'timedOut');
		tell(`${all.length} executions ended, ${timedOut.length} as timed out`);
		expect(said.size).toBe(all.length);
		expect(new Map([...said].sort())).toEqual(new Map([...ends].sort()));
		const { ledger } = demo().sandbox.state;
		expect(orders.filter((one) => ledger.of(one).length !== 1)).toEqual([]);
	},
	90 * MINUTE,
);
