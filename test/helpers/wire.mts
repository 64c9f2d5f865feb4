import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSocketServer, type AddressInfo } from 'node:net';

/** A request as the other side received it, byte for byte. */
export interface Received {
	method: string;
	path: string;
	headers: IncomingMessage['headers'];
	text: string;
	/** The body as JSON; undefined when it is none. */
	json: unknown;
}

export interface Wire {
	url: string;
	received: Received[];
	close(): Promise<void>;
}

type Answer = (received: Received, response: ServerResponse, nth: number) => void | Promise<void>;

/** A server that keeps what it received and answers as the test says. */
export async function startWire(answer: Answer): Promise<Wire> {
	const received: Received[] = [];
	const server = createServer((incoming, response) => {
		void read(incoming).then(async (text) => {
			const entry: Received = {
				method: incoming.method ?? '',
				path: incoming.url ?? '',
				headers: incoming.headers,
				text,
				json: parse(text),
			};
			received.push(entry);
			await answer(entry, response, received.length);
		});
	});
	// An idle connection that is closed just as it is used again would look like a fault.
	server.keepAliveTimeout = 0;
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		received,
		async close() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}

export interface Stranger {
	url: string;
	/** All that ever reached it. */
	seen(): { connections: number; bytes: number };
	close(): Promise<void>;
}

/** Another origin, where nothing may arrive. It counts whatever does, also what is no HTTP. */
export async function startStranger(): Promise<Stranger> {
	let connections = 0;
	let bytes = 0;
	const server = createSocketServer((socket) => {
		connections++;
		socket.on('data', (chunk) => {
			bytes += chunk.length;
			socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}');
		});
		socket.on('error', () => undefined);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}/elsewhere`,
		seen: () => ({ connections, bytes }),
		async close() {
			server.close();
			await once(server, 'close');
		},
	};
}

/** Stands before a service, keeps what goes through, and passes it on unchanged. */
export const startTap = async (target: string): Promise<Wire> =>
	await startWire(async ({ method, path, headers, text }, response) => {
		const outgoing = request(`${target}${path}`, { method, headers });
		outgoing.end(text);
		const [reply] = (await once(outgoing, 'response')) as [IncomingMessage];
		response.writeHead(reply.statusCode ?? 500, reply.headers);
		reply.pipe(response);
	});

export const json = (response: ServerResponse, status: number, body: unknown) => {
	response.writeHead(status, { 'content-type': 'application/json' });
	response.end(JSON.stringify(body));
};

async function read(incoming: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of incoming) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
