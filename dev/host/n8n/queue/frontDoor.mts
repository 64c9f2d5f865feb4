import { createServer, request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';

import { call } from '../../shared/http.mts';
import { close, listen } from '../../shared/listen.mts';

interface Behind {
	/** Where the editor and its API are. */
	main: number;
	/** Where production webhooks, forms and executions that wait are called. */
	webhook: number;
}

export interface FrontDoor {
	url: string;
	close: () => Promise<void>;
}

/** What n8n's docs send to webhook processors; test webhooks stay with the main process. */
const FOR_PROCESSORS = /^\/(webhook|webhook-waiting|form|form-waiting|mcp)(\/|\?|$)/;

/**
 * Which processes may be called. While it starts, n8n answers everything with 200 and a line that asks
 * to wait, which a sender takes for a yes; so who could not be reached is asked first whether it is ready.
 */
function createReadiness() {
	const ready = new Set<number>();
	const ask = async (port: number): Promise<boolean> =>
		await call(`http://127.0.0.1:${port}${READY_PATH}`).then(
			({ status }) => status === 200,
			() => false,
		);
	return {
		async isReady(port: number): Promise<boolean> {
			if (!ready.has(port) && (await ask(port))) ready.add(port);
			return ready.has(port);
		},
		failed: (port: number) => void ready.delete(port),
	};
}

const READY_PATH = '/healthz/readiness';

/** One address for all processes of n8n, as a load balancer gives them. */
export async function openFrontDoor(behind: Behind, at?: number): Promise<FrontDoor> {
	const portFor = ({ url = '/' }: IncomingMessage) =>
		FOR_PROCESSORS.test(url) ? behind.webhook : behind.main;
	const forwarded = ({ headers, socket }: IncomingMessage) => ({
		...headers,
		'x-forwarded-for': socket.remoteAddress,
		'x-forwarded-host': headers.host,
		'x-forwarded-proto': 'http',
	});
	const readiness = createReadiness();
	const server = createServer(async (incoming, outgoing) => {
		const port = portFor(incoming);
		if (!(await readiness.isReady(port))) return void outgoing.writeHead(502).end();
		const onward = request({
			host: '127.0.0.1',
			port,
			method: incoming.method,
			path: incoming.url,
			headers: forwarded(incoming),
			agent: false,
		});
		onward.once('response', (reply) => {
			outgoing.writeHead(reply.statusCode ?? 502, reply.rawHeaders);
			reply.pipe(outgoing);
		});
		// As a load balancer answers for a process that is down.
		onward.on('error', () => {
			readiness.failed(port);
			if (outgoing.headersSent) outgoing.destroy();
			else outgoing.writeHead(502).end();
		});
		incoming.on('error', () => onward.destroy());
		incoming.pipe(onward);
	});
	// The editor is told the news over a web socket.
	const upgraded = new Set<Socket>();
	server.on('upgrade', (incoming, socket, head) => {
		const onward = connect(portFor(incoming), '127.0.0.1', () => {
			const lines = Object.entries(forwarded(incoming)).map(([name, value]) => `${name}: ${value}`);
			onward.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
			onward.write(head);
			onward.pipe(socket).pipe(onward);
		});
		for (const [one, other] of [
			[onward, socket as Socket],
			[socket as Socket, onward],
		] as const) {
			upgraded.add(one);
			one.on('error', () => other.destroy());
			one.once('close', () => {
				upgraded.delete(one);
				other.destroy();
			});
		}
	});
	const opened = await listen(server, at);
	return {
		url: `http://127.0.0.1:${opened}`,
		async close() {
			for (const socket of upgraded) socket.destroy();
			await close(server);
		},
	};
}
