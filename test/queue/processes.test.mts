import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

import { call } from '../../dev/host/shared/http.mts';
import { until } from '../../dev/host/shared/until.mts';
import { publishTrigger, sendCallback } from '../helpers/soak/callbacks.mts';
import { endOf } from '../helpers/soak/server.mts';
import { COLLECTIONS_PATH, goodSheet } from '../helpers/soak/sheet.mts';
import { tell } from '../helpers/soak/settings.mts';
import { COLLECT } from '../e2e/host/waitingSupport.mts';
import { place, saveNode } from '../e2e/host/support.mts';
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
		const { host, queue, sandbox } = demo();
		const workflow = await publishTrigger(demo(), 'processes');
		const { ref } = sandbox.addPayout({ status: 'success' });
		// Only the processor takes them, whoever asks.
		const atMain = await call(`${queue.main().url}/webhook/processes/webhook`, { method: 'POST' });
		expect(atMain.status).toBe(404);
		expect((await sendCallback(demo(), 'processes', 'webhook', { ref })).status).toBe(200);
		const [execution] = await until('the execution', async () => {
			const all = await host.client.executions(workflow);
			return all.length > 0 ? all : undefined;
		});
		const run = await host.client.finished(execution!.id);
		expect(run.json('Callback')).toMatchObject([{ verified: 'confirmed', transaction: { ref } }]);
		expect(await workerOf(demo(), run.id)).toBeDefined();
		expect(queue.main().log()).not.toContain('Worker started execution');
	});

	it('a callback whose worker dies is not acknowledged at the address that answers at the end', async () => {
		const { host, sandbox } = demo();
		// n8n waits within the execution for less than about a minute.
		const slow = { ...place('Callback', 'n8n-nodes-base.wait', { amount: 20 }), typeVersion: 1.1 };
		const workflow = await publishTrigger(demo(), 'at-the-end', slow);
		const { ref } = sandbox.addPayout({ status: 'success' });
		const send = async () => await sendCallback(demo(), 'at-the-end', 'finished', { ref });
		const newest = async (count: number) =>
			await until(`execution ${count}`, async () => {
				const all = await host.client.executions(workflow);
				return all.length === count ? all.at(-1)!.id : undefined;
			});
		const isStored = async (id: string) =>
			(await host.client.get<{ data: string }>(`/rest/executions/${id}`)).data.includes(ref);

		const answer = send();
		const first = await newest(1);
		const worker = await workerOf(demo(), first);
		expect(await isStored(first)).toBe(true);
		await worker.kill();
		const replaced = replaceWorker(demo(), worker);
		expect((await answer).status).toBe(500);
		// What n8n had stored, it has emptied: at the usual address this callback would be lost.
		expect(await isStored(first)).toBe(false);
		await replaced;

		expect((await send()).status).toBe(200);
		const run = await host.client.finished(await newest(2));
		expect(run.json('Callback')).toMatchObject([{ verified: 'confirmed', transaction: { ref } }]);
	});

	it('collections that sleep go on although the main process is killed and started again', async () => {
		const { host, queue, sandbox } = demo();
		const rows = ['Q-1', 'Q-2'].map((order, index) => ({ order, amount: 100 + index }));
		const workflow = await saveNode(demo(), COLLECT, { rows });
		const execution = await host.client.start(workflow, 'Start');
		const statusNow = async () =>
			(await host.client.get<{ status: string }>(`/rest/executions/${execution}`)).status;
		await until('it to sleep', async () => ((await statusNow()) === 'waiting' ? true : undefined));
		const before = queue.main().pid;
		const restarted = queue.restartMain('kill');
		const [first, second] = ['Q-1', 'Q-2'].map(
			(order) =>
				sandbox.state.transactions.find((each) => each.third_party_reference_1 === order)!.ref,
		);
		// One is paid while the main process is down, the other afterwards.
		sandbox.settle(first!, { status: 'success' });
		await restarted;
		expect(queue.main().pid).not.toBe(before);
		expect(await statusNow()).toBe('waiting');
		sandbox.settle(second!, { status: 'failed', failureCode: 'WRONG_PIN' });
		await until('its end', async () => ((await statusNow()) === 'success' ? true : undefined));
		const run = await host.client.finished(execution);
		expect(run.json('Success')).toMatchObject([
			{ orderReference: 'Q-1', state: 'success' },
			{ orderReference: 'Q-2', state: 'failed' },
		]);
		expect(Object.values(taken(demo()))).toEqual([1, 1]);
	});
});

describe('a sheet of which a worker is taken away in the middle', () => {
	const ROWS = 400;
	const LANES = 5;
	/** Claims settle there, so this many rows are claimed ahead. */
	const AHEAD = 100;
	const AFTERWARDS_MS = 5000;
	/** A worker that stands still for so long while it claims knows that it did. */
	const PAUSE_MS = 11_000;

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
		expect(said.unknown).toBeLessThanOrEqual(AHEAD + LANES * 2);
	});

	it('paused: the next run takes over, and when the worker goes on nothing is sent twice', async () => {
		const rows = goodSheet(ROWS, 12);
		const workflow = await saveCollections(demo(), rows);
		const { client } = demo().host;
		demo().sandbox.faults.add({ kind: 'latency', delayMs: 5000, route: CREATE });
		const arrived = countArrivals();
		const id = await client.start(workflow, 'Start');
		const worker = await workerOf(demo(), id);
		// All lanes wait for the service then. It may just be claiming the rows after them.
		await until('a row on each lane', async () => (arrived() >= LANES ? true : undefined));
		signal(worker, 'SIGSTOP');
		const rested = wait(PAUSE_MS);
		try {
			demo().sandbox.faults.clear();
			expect(['error', 'crashed']).toContain((await endOf(client, id)).status);
			const second = await endOf(client, await client.start(workflow, 'Start'));
			const said = outcomes(second.json('Node'));
			tell(`while a worker was paused: ${JSON.stringify(said)}`);
			expect(second.status).toBe('success');
			// Of each lane a row was on its way, and more were claimed, or about to be. On a slow machine
			// some were answered before.
			const { accepted: sent = 0, unknown = 0, duplicate = 0 } = said;
			expect(sent + unknown + duplicate).toBe(rows.length);
			expect(sent).toBeGreaterThan(0);
			await rested;
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
