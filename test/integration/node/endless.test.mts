import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

import type { INodeParameters } from 'n8n-workflow';

import { COLLECT, demoCredential, pressTest, runPayments } from '../../helpers/payments.mts';
import { closing } from '../../helpers/throughout.mts';

const MB = 1024 * 1024;
const PIECE = Buffer.alloc(64 * 1024, ' ');

/** A server that counts its connections, and how many were open at the same time. */
interface Hostile {
	url: string;
	open(): number;
	mostOpen(): number;
	requests(): number;
	close(): Promise<void>;
}

async function startHostile(answer: (response: ServerResponse) => unknown): Promise<Hostile> {
	const sockets = new Set<Socket>();
	let requests = 0;
	let most = 0;
	const server = createServer((request, response) => {
		requests++;
		request.resume().on('end', () => {
			void Promise.resolve(answer(response)).catch(() => undefined);
		});
	});
	server.on('connection', (socket: Socket) => {
		sockets.add(socket);
		// The end of the one before may be on its way.
		setTimeout(() => (most = Math.max(most, sockets.size)), 50);
		socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
	});
	await once(server.listen(0, '127.0.0.1'), 'listening');
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		open: () => sockets.size,
		mostOpen: () => most,
		requests: () => requests,
		async close() {
			sockets.forEach((socket) => socket.destroy());
			await new Promise((done) => server.close(done));
		},
	};
}

/** As fast as it is read. */
async function flood(response: ServerResponse): Promise<void> {
	response.writeHead(200, { 'content-type': 'application/json' });
	response.write('{"success":true,"message":"');
	while (!response.destroyed) {
		if (!response.write(PIECE)) await Promise.race([once(response, 'drain'), sleep(100)]);
	}
}

/** A little now and then: the connection is never silent, and no limit on the size is reached. */
async function drip(response: ServerResponse): Promise<void> {
	response.writeHead(200, { 'content-type': 'application/json' });
	for (; !response.destroyed; await sleep(50)) response.write(' ');
}

/** A beginning, and then silence: there is no further piece that could end the reading. */
function stall(response: ServerResponse): void {
	response.writeHead(200, { 'content-type': 'application/json' });
	response.write('{"success":');
}

/** Each byte is a piece of its own, and holds what it came with. */
async function crumbs(response: ServerResponse): Promise<void> {
	response.socket?.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
	const many = Buffer.from('1\r\n \r\n'.repeat(10_000));
	const { socket } = response;
	while (socket && !socket.destroyed) {
		if (!socket.write(many)) await Promise.race([once(socket, 'drain'), sleep(100)]);
	}
}

/** Some 2.5 MB that become 2.5 GB. */
const bomb = (() => {
	const block = gzipSync(Buffer.alloc(50 * MB, ' '));
	return Buffer.concat([gzipSync('{"success":true,"message":"'), ...Array<Buffer>(50).fill(block)]);
})();
const explode = (response: ServerResponse) =>
	response
		.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
		.end(bomb);

const CREATE = { ...COLLECT, amount: '={{ 10 + $itemIndex }}' };
const LIST: INodeParameters = { resource: 'paymentLink', operation: 'getAll', returnAll: true };

const run = async (url: string, parameters: INodeParameters, options = {}, rows = 1) =>
	await runPayments(
		{ ...parameters, options: { timeoutSeconds: 1, ...options } },
		{
			credential: demoCredential(url, { listAuthentication: 'none' }),
			items: Array.from({ length: rows }, () => ({})),
			onError: 'continueErrorOutput',
		},
	);

/** How many megabytes more than before there were at any time, until a while after the work. */
async function growthOf(work: () => Promise<unknown>): Promise<number> {
	const before = process.memoryUsage().rss;
	let most = before;
	const sample = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 10);
	await work();
	await sleep(1000);
	clearInterval(sample);
	return (most - before) / MB;
}

const opened = closing();
const serve = async (answer: Parameters<typeof startHostile>[0]) =>
	opened(await startHostile(answer));

jest.setTimeout(60_000);

beforeAll(async () => {
	// What is loaded with the first run is no growth.
	const ordinary = await startHostile((response) => response.end('{"success":true,"data":[]}'));
	await run(ordinary.url, CREATE);
	await run(ordinary.url, LIST);
	await ordinary.close();
});

it.each([
	['never ends', flood, CREATE],
	['never ends, in single bytes', crumbs, CREATE],
	['never ends', flood, LIST],
	['is 2.5 GB when unpacked', explode, LIST],
])('a reply that %s does not fill the memory (%#)', async (_, answer, parameters) => {
	const server = await serve(answer);
	// Time enough for a list to become too long: what is not answered in time is asked again.
	const timeoutSeconds = parameters === LIST ? 20 : 1;
	const growth = await growthOf(async () => await run(server.url, parameters, { timeoutSeconds }));
	expect(server.requests()).toBe(1);
	expect(server.open()).toBe(0);
	expect(growth).toBeLessThan(50);
});

it.each([
	['drips', drip],
	['stalls', stall],
	['floods', flood],
])('a reply that %s has ended when the node has, and a lane has one request', async (_, answer) => {
	const hostile = await serve(answer);
	const { failedJson } = await run(hostile.url, CREATE, { concurrency: 1 }, 3);
	expect(failedJson.map(({ error }) => error)).toMatchObject(Array(3).fill({ outcome: 'unknown' }));
	expect(hostile.requests()).toBe(3);
	expect(hostile.mostOpen()).toBeLessThanOrEqual(1);
	await sleep(100);
	expect(hostile.open()).toBe(0);
});

it('a list may be longer than other replies', async () => {
	const entries = Array.from({ length: 20_000 }, (_, id) => ({ id, text: 'x'.repeat(300) }));
	const long = JSON.stringify({ success: true, data: entries });
	expect(long.length).toBeGreaterThan(5 * MB);
	const hostile = await serve((response) => response.end(long));
	const { successJson } = await run(hostile.url, LIST, { timeoutSeconds: 20 });
	expect(successJson).toHaveLength(20_000);
});

it('the test of a credential ends, though n8n would read on', async () => {
	const hostile = await serve(drip);
	const { status } = await pressTest(demoCredential(hostile.url));
	expect(status).toBe('Error');
	await sleep(100);
	expect(hostile.open()).toBe(0);
});
