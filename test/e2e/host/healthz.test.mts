import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

import { call } from '../../../dev/host/shared/http.mts';
import { until } from '../../../dev/host/shared/until.mts';
import { watching } from './hostLoad.mts';
import { place, to } from './support.mts';
import { TRIGGER, TRIGGER_TYPE } from './triggerSupport.mts';
import {
	asleep,
	dataOf,
	ended,
	newOrder,
	saveWaiting,
	sleepInWaitNode,
	startSleeping,
	statusOf,
	transactionOf,
	useWaitingDemo,
} from './waitingSupport.mts';

const demo = useWaitingDemo({
	mode: 'rich',
	callbackRetry: { attempts: 6, firstDelayMs: 500 },
	callbackTimeoutMs: 20_000,
});

const KB = 1024;
const MB = 1024 * KB;
const ROUNDS = 3;
/** By so much n8n may be held longer than by its own Webhook node with the same bytes. */
const MAX_MS = 250;
/** A phone whose customer takes a long time. */
const SLOW = '254712990303';

const post = async (url: string, body: unknown) => await call(url, { method: 'POST', body });

/** A workflow that begins with n8n's own Webhook node, and one that begins with ours. */
let webhook: string;
let trigger: string;
beforeAll(async () => {
	const { client, url } = demo().host();
	const { id, name, type } = demo().credential;
	const first = [
		{
			...place('Webhook', 'n8n-nodes-base.webhook', { path: 'control', httpMethod: 'POST' }),
			webhookId: 'control',
		},
		{
			...place(TRIGGER, TRIGGER_TYPE),
			webhookId: 'callbacks',
			credentials: { [type]: { id, name } },
		},
	];
	for (const node of first) {
		const workflow = await client.createWorkflow({
			name: node.name,
			nodes: [{ ...node, typeVersion: 2 }, place('End', 'n8n-nodes-base.noOp')],
			connections: { [node.name]: { main: [to('End')] } },
		});
		await client.publish(workflow);
	}
	webhook = `${url}/webhook/control`;
	trigger = `${url}/webhook/callbacks/webhook`;
	for (const address of [webhook, trigger]) {
		await until('the endpoint', async () =>
			(await post(address, {})).status === 404 ? undefined : true,
		);
	}
}, 60_000);

/** The shortest of several: the machine does other things as well. */
async function heldBy(work: () => Promise<unknown>): Promise<number> {
	let least = Infinity;
	for (let round = 0; round < ROUNDS; round++) {
		const { held } = await watching(demo().host(), async () => {
			await work();
			// What goes on after the answer counts as well.
			await pause(300);
		});
		least = Math.min(least, held);
	}
	return least;
}

/** Others use the machine, too, so a comparison that fails is made again. What holds n8n fails each time. */
const TRIES = 4;

async function expectNoLonger(
	work: () => Promise<unknown>,
	control: () => Promise<unknown>,
): Promise<void> {
	let longer = Infinity;
	for (let tries = 0; tries < TRIES && longer > MAX_MS; tries++) {
		longer = (await heldBy(work)) - (await heldBy(control));
	}
	expect(longer).toBeLessThanOrEqual(MAX_MS);
}

const expectShort = async (bytes: unknown, work: () => Promise<unknown>) =>
	await expectNoLonger(work, async () => expect((await post(webhook, bytes)).status).toBe(200));

/** What patterns were slow at, as long as the limits let it through. */
const HOSTILE: Record<string, object> = {
	'an endless event': { event: `payment${'.'.repeat(250 * KB)}\n` },
	'an endless amount': { amount: `1.${'0'.repeat(250 * KB)}1` },
	'a text that looks like a secret': { note: `a=${'.'.repeat(250 * KB)}x` },
	'a text in a text': {
		note: JSON.stringify(JSON.stringify({ a: `a=${'.'.repeat(120 * KB)}"\\` })),
	},
	'many names': { data: Array.from({ length: 8_000 }, (_, n) => ({ ref: `TX-${n}` })) },
};

it.each(Object.entries(HOSTILE))('the trigger: %s', async (_, hostile) => {
	const order = newOrder();
	await startSleeping(demo(), { rows: [{ amount: 10, order, mobile: SLOW }] });
	const body = { ref: transactionOf(demo(), order).ref, ...hostile };
	await expectShort(body, async () => await post(trigger, body));
});

describe('the address of a sleeping execution', () => {
	let url: string;
	let id: string;
	let ref: string;
	beforeAll(async () => {
		const order = newOrder();
		id = await startSleeping(demo(), { rows: [{ amount: 10, order, mobile: SLOW }] });
		({ callback_url: url, ref } = transactionOf(demo(), order));
	}, 60_000);

	it.each(Object.entries(HOSTILE))('%s', async (_, hostile) => {
		const body = { ref, ...hostile };
		await expectShort(body, async () => await post(url, body));
		expect(await statusOf(demo(), id)).toBe('waiting');
	});

	it('does not read 15 MB', async () => {
		const large = { note: `a=${'.'.repeat(15 * MB)}x` };
		const send = async () => expect((await post(url, large)).status).toBe(413);
		await expectShort(large, send);
	});
});

/** A service that answers as it likes, and the connections that are open to it. */
async function startService(answer: (response: ServerResponse) => void) {
	const sockets = new Set<Socket>();
	const server = createServer((request, response) => {
		request.resume().on('end', () => answer(response));
	});
	server.on('connection', (socket: Socket) => {
		sockets.add(socket);
		socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
	});
	await once(server.listen(0, '127.0.0.1'), 'listening');
	return {
		credential: await demo().saveCredential({
			baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		}),
		open: () => sockets.size,
		close() {
			server.closeAllConnections();
			server.close();
		},
	};
}

type Service = Awaited<ReturnType<typeof startService>>;

/** One payment that the service is asked for, until the execution has ended. */
async function collectFrom({ credential }: Service, amount: unknown = 10) {
	const workflow = await saveWaiting(demo(), {
		rows: [{ amount: amount as string, order: newOrder() }],
		credential,
		parameters: { operation: 'create', options: { timeoutSeconds: 2 } },
		settings: { onError: 'continueErrorOutput' },
	});
	return await demo().host().client.run(workflow, 'Start');
}

const json = (response: ServerResponse, body: unknown) =>
	response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));

it.each([`a=${'.'.repeat(3 * MB)}x`, `a=${'\\"'.repeat(MB)}x`])(
	'a reply with a message of megabytes (%#)',
	async (message) => {
		const reply = { success: false, message, data: { ref: message.slice(0, 900 * KB) } };
		const service = await startService((response) => json(response, reply));
		await expectShort(reply, async () => await collectFrom(service));
		service.close();
	},
);

it('a cell that is longer than any amount', async () => {
	const cell = `1.${'0'.repeat(32_700)}1`;
	const service = await startService((response) => json(response, { success: false }));
	await expectShort({ cell }, async () => await collectFrom(service, cell));
	service.close();
});

/** As fast as it is read. */
async function flood(response: ServerResponse): Promise<void> {
	response.writeHead(200, { 'content-type': 'application/json' });
	const piece = Buffer.alloc(64 * KB, ' ');
	while (!response.destroyed) {
		if (!response.write(piece)) await Promise.race([once(response, 'drain'), pause(100)]);
	}
}

/** Half a megabyte that becomes half a gigabyte. */
const BOMB = gzipSync(Buffer.alloc(500 * MB, ' '));
const explode = (response: ServerResponse) =>
	response.writeHead(200, { 'content-encoding': 'gzip' }).end(BOMB);

it.each([
	['never ends', (response: ServerResponse) => void flood(response)],
	['is half a gigabyte when unpacked', explode],
])('a reply that %s takes little memory, and leaves no connection open', async (_, answer) => {
	const usual = await startService((response) => json(response, { success: false }));
	await collectFrom(usual);
	usual.close();
	const service = await startService(answer);
	// Once: what was taken the first time is there the second time.
	const { megabytes } = await watching(demo().host(), async () => {
		const execution = await collectFrom(service);
		expect(execution.json('Failed')).toMatchObject([{ error: { outcome: 'unknown' } }]);
		await pause(1_000);
	});
	expect(megabytes).toBeLessThanOrEqual(50);
	await until('no connection', async () => (service.open() === 0 ? true : undefined), {
		seconds: 5,
	});
	service.close();
});

/** What n8n itself takes to load an execution for each call is seen at its own Wait node. */
const asideOf = async (id: string) =>
	(await dataOf(demo(), id)).executionData?.nodeExecutionStack[0]?.data.main?.[0] ?? [];

it('a genuine callback is heard within two seconds among twenty that are not true', async () => {
	const orders = [newOrder(), newOrder()];
	const id = await startSleeping(demo(), {
		rows: orders.map((order) => ({ amount: 10, order, mobile: SLOW })),
	});
	const [lied, paid] = orders.map((order) => transactionOf(demo(), order));
	const lie = (n: number) => ({ ref: `TX-${n}`, status: 'success' });
	const twenty = async (url: string) =>
		await Promise.all(Array.from({ length: 20 }, async (_, n) => await post(url, lie(n))));
	const wait = await sleepInWaitNode(demo(), await asideOf(id));
	const control = await watching(demo().host(), async () => await twenty(wait));

	const lies = twenty(lied!.callback_url);
	demo().sandbox.settle(paid!.ref, 'success');
	const callback = demo().sandbox.state.callbacks.find((each) => each.reference === paid!.ref);
	const answer = await until('its answer', async () => callback?.attempts[0]);
	expect(answer).toMatchObject({ status: 200 });
	expect(answer.durationMs).toBeLessThan(2_000 + control.ms);
	expect((await lies).map(({ status }) => status)).toEqual(Array(20).fill(503));
	await expectNoLonger(
		async () => await twenty(lied!.callback_url),
		async () => await twenty(wait),
	);
	demo().sandbox.settle(lied!.ref, 'success');
	expect((await ended(demo(), id)).json('Success')).toHaveLength(2);
});

it('forty payments of one execution at the same time are all heard', async () => {
	const orders = Array.from({ length: 40 }, newOrder);
	const rows = orders.map((order) => ({ amount: 10, order, mobile: SLOW }));
	const workflow = await saveWaiting(demo(), {
		rows,
		parameters: { options: { concurrency: 20 } },
	});
	const id = await demo().host().client.start(workflow, 'Start');
	await asleep(demo(), id);
	const references = orders.map((order) => transactionOf(demo(), order).ref);
	const own = await watching(demo().host(), async () => {
		for (const reference of references) demo().sandbox.settle(reference, 'success');
		expect((await ended(demo(), id)).json('Success')).toHaveLength(40);
	});
	expect(own.megabytes).toBeLessThanOrEqual(200);
	const told = demo().sandbox.state.callbacks.filter(({ reference }) =>
		references.includes(reference),
	);
	// A few wait for their turn. Those who came again may have found that it goes on already.
	expect(told).toHaveLength(orders.length);
	const first = told.map(({ attempts }) => attempts[0]?.status);
	expect(first.filter((status) => status === 200).length).toBeGreaterThanOrEqual(20);
	expect([200, 409, 503]).toEqual(expect.arrayContaining(first));
});
