import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

import { call } from '../../host/shared/http.mts';
import { until } from '../../host/shared/until.mts';
import { endOf } from '../helpers/soak/server.mts';
import { COLLECTIONS_PATH, goodSheet } from '../helpers/soak/sheet.mts';
import { tell } from '../helpers/soak/settings.mts';
import { COLLECT } from '../e2e/host/waitingSupport.mts';
import { NODE_TYPE, place, to } from '../e2e/host/support.mts';
import { TRIGGER_TYPE } from '../e2e/host/triggerSupport.mts';
import {
	outcomes,
	replaceWorker,
	saveCollections,
	signal,
	taken,
	twice,
	useQueue,
	workerOf,
} from './support.mts';

const demo = useQueue();

beforeEach(() => demo().sandbox.reset());
afterEach(() => demo().sandbox.faults.clear());

const accepted = () => demo().sandbox.state.ledger.accepted;

const CREATE = 'collection.create';

/** Counts requests as they come, long before the sandbox answers them. */
function countArrivals(): () => number {
	let count = 0;
	subscribe('http.server.request.start', (message) => {
		const { request } = message as { request: IncomingMessage };
		if (request.url === COLLECTIONS_PATH) count++;
	});
	return () => count;
}

describe('each process does its own work', () => {
	it('a callback comes in by the webhook processor, and is confirmed on a worker', async () => {
		const { host, queue, sandbox, credential } = demo();
		const { id, name, type } = credential;
		const workflow = await host.client.createWorkflow({
			name: 'Callbacks',
			nodes: [
				{
					...place('Trigger', TRIGGER_TYPE, { options: { transactionType: 'payout' } }),
					typeVersion: 2,
					webhookId: 'processes',
					credentials: { [type]: { id, name } },
				},
				place('Callback', 'n8n-nodes-base.noOp'),
			],
			connections: { Trigger: { main: [to('Callback')] } },
		});
		await host.client.publish(workflow);
		const { ref } = sandbox.addPayout({ status: 'success' });
		const path = '/webhook/processes/webhook';
		const send = async (base: string) =>
			(await call(`${base}${path}`, { method: 'POST', body: { ref } })).status;
		await until('the endpoint', async () =>
			(await call(`${host.url}${path}`, { method: 'POST' })).status === 404 ? undefined : true,
		);
		// Only the processor takes them, whoever asks.
		expect([await send(queue.main().url), await send(queue.webhook.url)]).toEqual([404, 200]);
		const [execution] = await until('the execution', async () => {
			const all = await host.client.executions(workflow);
			return all.length > 0 ? all : undefined;
		});
		const run = await host.client.finished(execution!.id);
		expect(run.json('Callback')).toMatchObject([{ verified: 'confirmed', transaction: { ref } }]);
		expect(await workerOf(demo(), run.id)).toBeDefined();
		expect(queue.main().log()).not.toContain('Worker started execution');
	});

	it('collections that sleep go on although the main process is killed and started again', async () => {
		const { host, queue, sandbox, credential } = demo();
		const { id, name, type } = credential;
		const rows = ['Q-1', 'Q-2'].map((order, index) => ({ json: { order, amount: 100 + index } }));
		const workflow = await host.client.createWorkflow({
			name: 'Create and wait',
			nodes: [
				place('Start', 'n8n-nodes-base.manualTrigger'),
				{ ...place('Node', NODE_TYPE, COLLECT), credentials: { [type]: { id, name } } },
				place('Success', 'n8n-nodes-base.noOp'),
			],
			connections: { Start: { main: [to('Node')] }, Node: { main: [to('Success')] } },
			pinData: { Start: rows },
		});
		const execution = await host.client.start(workflow, 'Start');
		const statusNow = async () =>
			(await host.client.get<{ status: string }>(`/rest/executions/${execution}`)).status;
		await until('it to sleep', async () => ((await statusNow()) === 'waiting' ? true : undefined));
		const before = queue.main().pid;
		const restarted = queue.restartMain('kill');
		const refs = ['Q-1', 'Q-2'].map(
			(order) =>
				sandbox.state.transactions.find((each) => each.third_party_reference_1 === order)!.ref,
		);
		// One is paid while the main process is down, the other afterwards.
		sandbox.settle(refs[0]!, { status: 'success' });
		await restarted;
		expect(queue.main().pid).not.toBe(before);
		expect(await statusNow()).toBe('waiting');
		sandbox.settle(refs[1]!, { status: 'failed', failureCode: 'WRONG_PIN' });
		await until('its end', async () => ((await statusNow()) === 'success' ? true : undefined));
		const run = await host.client.finished(execution);
		expect(run.json('Success').map(({ orderReference, state }) => [orderReference, state])).toEqual(
			[
				['Q-1', 'success'],
				['Q-2', 'failed'],
			],
		);
		expect(Object.values(taken(demo()))).toEqual([1, 1]);
	});
});

describe('a sheet of which a worker is taken away in the middle', () => {
	const ROWS = 200;
	const LANES = 5;
	const AFTERWARDS_MS = 5000;

	it('killed: the execution ends, and the next one sends the rest on another worker', async () => {
		const workflow = await saveCollections(demo(), goodSheet(ROWS, 11), { requestsPerSecond: 50 });
		const { client } = demo().host;
		const id = await client.start(workflow, 'Start');
		const worker = await workerOf(demo(), id);
		await until('forty rows', async () => (accepted() >= 40 ? true : undefined));
		await worker.kill();
		const replaced = replaceWorker(demo(), worker);
		const killed = await endOf(client, id);
		expect(['error', 'crashed']).toContain(killed.status);
		await replaced;
		const before = accepted();
		const again = await endOf(client, await client.start(workflow, 'Start'));
		const said = outcomes(again.json('Node'));
		tell(`killed with ${before} taken: ${JSON.stringify(said)}`);
		expect(twice(demo())).toEqual([]);
		expect(accepted() - before).toBeGreaterThan(ROWS / 2);
		// Of what was claimed when the worker was killed, nobody knows; of all else everything.
		const known = (said.accepted ?? 0) + (said.duplicate ?? 0);
		expect(known + (said.unknown ?? 0)).toBe(ROWS);
		expect(known).toBeLessThanOrEqual(accepted());
		expect(said.unknown).toBeLessThanOrEqual(LANES * 4);
	});

	it('paused: the next run takes over, and when the worker goes on nothing is sent twice', async () => {
		const rows = goodSheet(60, 12);
		const workflow = await saveCollections(demo(), rows);
		const { client } = demo().host;
		demo().sandbox.faults.add({ kind: 'latency', delayMs: 5000, route: CREATE });
		const arrived = countArrivals();
		const id = await client.start(workflow, 'Start');
		const worker = await workerOf(demo(), id);
		// All lanes wait for the service then, and nothing is being written.
		await until('a row on each lane', async () => (arrived() >= LANES ? true : undefined));
		signal(worker, 'SIGSTOP');
		try {
			demo().sandbox.faults.clear();
			expect(['error', 'crashed']).toContain((await endOf(client, id)).status);
			const second = await endOf(client, await client.start(workflow, 'Start'));
			const said = outcomes(second.json('Node'));
			tell(`while a worker was paused: ${JSON.stringify(said)}`);
			expect(second.status).toBe('success');
			// A row of each lane was on its way, and one more claimed.
			expect(said).toEqual({ accepted: rows.length - 2 * LANES, unknown: 2 * LANES });
		} finally {
			signal(worker, 'SIGCONT');
		}
		// It may go on with what it had claimed, although n8n has given up its execution.
		await wait(AFTERWARDS_MS);
		tell(`after it went on, the service has ${accepted()} of ${rows.length}`);
		const third = await endOf(client, await client.start(workflow, 'Start'));
		expect(twice(demo())).toEqual([]);
		expect(outcomes(third.json('Node')).rejected).toBeUndefined();
	});
});
