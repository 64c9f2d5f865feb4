import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

import type { ListedExecution } from '../../../host/n8n/client.mts';
import type { SavedWorkflow } from '../../../host/n8n/index.mts';
import { call } from '../../../host/shared/http.mts';
import { until } from '../../../host/shared/until.mts';
import { COLLECT, transactionOf, type WaitingDemo } from '../../e2e/host/waitingSupport.mts';
import { NODE_TYPE, place, to } from '../../e2e/host/support.mts';
import { tell } from './settings.mts';

export interface Night {
	sleepers: number;
	/** How often n8n is killed while they wake up. */
	kills: number;
	/** Of those, so many are never paid. */
	neverPaid: number;
}

export interface Morning {
	/** Requests to the service that were open while all slept. */
	openRequests: number;
	/** How often the service took each order, where that is not once. */
	notOnce: string[];
	/** Executions that ended otherwise than their payment, or more than once. */
	wrong: string[];
	states: Record<string, number>;
	/** Executions that ran when n8n was killed, and were retried. */
	retried: number;
}

const PATIENCE = { seconds: 1200, everyMs: 1000 };
const AT_ONCE = 10;

/** Many executions sleep on one n8n, and wake up in any order while it is killed again and again. */
export async function sleepThrough(demo: WaitingDemo, night: Night): Promise<Morning> {
	const { sleepers, kills, neverPaid } = night;
	const orders = Array.from({ length: sleepers }, (_, index) => `N-${process.pid}-${index}`);
	const workflow = await saveCheckout(demo);
	await startAll(demo, orders);
	await statuses(demo, workflow, (all) => all.length === sleepers && isAll(all, 'waiting'));
	tell(`${sleepers} executions sleep`);
	const openRequests = await connectionsTo(demo);

	const ends = new Map<string, 'success' | 'failed' | 'timedOut'>();
	const awake = [...orders].sort(() => Math.random() - 0.5);
	for (const order of awake.splice(0, neverPaid)) ends.set(order, 'timedOut');
	for (let part = 0; part <= kills; part++) {
		const group = awake.splice(0, Math.ceil(awake.length / (kills - part + 1)));
		const settling = group.map(async (order, index) => {
			await wait(index * 50);
			const status = Math.random() < 0.7 ? 'success' : 'failed';
			ends.set(order, status);
			demo.sandbox.settle(transactionOf(demo, order).ref, status);
		});
		if (part < kills) {
			// In the middle of it.
			await wait(group.length * 25);
			await demo.kill();
			await Promise.all(settling);
			await demo.start();
			tell(`killed and started again: ${part + 1} of ${kills}`);
		}
		await Promise.all(settling);
	}
	const all = await statuses(demo, workflow, (each) => !each.some(isUnderWay));
	return {
		openRequests,
		notOnce: orders.filter((order) => demo.sandbox.state.ledger.of(order).length !== 1),
		...(await audit(demo, all, ends)),
	};
}

async function saveCheckout(demo: WaitingDemo): Promise<SavedWorkflow> {
	const { id, name, type } = demo.credential;
	const { client } = demo.host();
	const workflow = await client.createWorkflow({
		name: 'Checkout',
		nodes: [
			{
				...place('Order', 'n8n-nodes-base.webhook', { path: 'checkout', httpMethod: 'POST' }),
				typeVersion: 2,
				webhookId: 'checkout',
			},
			{
				...place('Node', NODE_TYPE, {
					...COLLECT,
					amount: '={{ $json.body.amount }}',
					mobile: '0712345678',
					orderReference: '={{ $json.body.order }}',
					waitLimitMinutes: 8,
				}),
				credentials: { [type]: { id, name } },
			},
			place('End', 'n8n-nodes-base.noOp'),
		],
		connections: { Order: { main: [to('Node')] }, Node: { main: [to('End')] } },
	});
	await client.publish(workflow);
	return workflow;
}

async function startAll(demo: WaitingDemo, orders: readonly string[]): Promise<void> {
	const url = `${demo.host().url}/webhook/checkout`;
	const waiting = [...orders];
	const lane = async () => {
		for (let order = waiting.shift(); order !== undefined; order = waiting.shift()) {
			const body = { order, amount: 100 + orders.indexOf(order) };
			await until('the order to be taken', async () => {
				const { status } = await call(url, { method: 'POST', body });
				return status === 200 ? true : undefined;
			});
		}
	};
	await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

const isAll = (all: readonly ListedExecution[], status: string) =>
	all.every((each) => each.status === status);

const isUnderWay = ({ status }: ListedExecution) =>
	['new', 'running', 'waiting', 'unknown'].includes(status);

async function statuses(
	demo: WaitingDemo,
	workflow: SavedWorkflow,
	isEnough: (all: ListedExecution[]) => boolean,
): Promise<ListedExecution[]> {
	return await until(
		'the executions',
		async () => {
			const all = await demo.host().client.executions(workflow);
			return isEnough(all) ? all : undefined;
		},
		PATIENCE,
	);
}

/** Established connections of n8n to the service, by the kernel's own list. */
async function connectionsTo({ host, sandbox }: WaitingDemo): Promise<number> {
	const port = sandbox.port.toString(16).toUpperCase().padStart(4, '0');
	const table = await readFile(`/proc/${host().pid}/net/tcp`, 'utf8');
	const established = table.split('\n').map((line) => line.trim().split(/\s+/));
	return established.filter(([, , remote, state]) => remote?.endsWith(`:${port}`) && state === '01')
		.length;
}

async function audit(
	demo: WaitingDemo,
	all: readonly ListedExecution[],
	ends: ReadonlyMap<string, string>,
): Promise<Pick<Morning, 'wrong' | 'states' | 'retried'>> {
	const wrong: string[] = [];
	const states: Record<string, number> = {};
	const seen = new Set<string>();
	let retried = 0;
	for (const { id } of all) {
		const { client } = demo.host();
		const first = await client.finished(id);
		// It had woken up and was running when n8n was killed: retried, it must end like the others.
		const isCrashed = first.status === 'crashed';
		if (isCrashed) retried++;
		const run = isCrashed ? await client.retry(id) : first;
		const items = run.json('End');
		const [item] = items;
		const order = String(item?.orderReference);
		const state = String(item?.state);
		states[state] = (states[state] ?? 0) + 1;
		const isOnce = run.tasks('End').length === 1 && items.length === 1 && !seen.has(order);
		seen.add(order);
		// A callback that the service gave up leaves a payment timed out, and never otherwise wrong.
		const isRight = state === ends.get(order) || state === 'timedOut';
		if (!isOnce || !isRight || run.status !== 'success') {
			wrong.push(
				`execution ${id} (${run.status}), order ${order}: ${state}, not ${ends.get(order)}`,
			);
		}
	}
	return { wrong, states, retried };
}
