import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';

import { closer, listen } from '../shared/listen.mts';

export interface Proxy {
	url: string;
	/** What it was asked to connect to, in order. */
	asked: string[];
	close: () => Promise<void>;
}

/** A proxy for HTTPS that leads the named hosts to a port of this machine, and all others to themselves. */
export async function startProxy(detours: Readonly<Record<string, number>>): Promise<Proxy> {
	const asked: string[] = [];
	const server = createServer((_, response) => response.writeHead(501).end());
	const tunnels = new Set<Socket>();
	server.on('connect', (request, client: Socket, head: Buffer) => {
		const target = request.url ?? '';
		asked.push(target);
		const { hostname, port } = new URL(`http://${target}`);
		const detour = detours[target];
		const there =
			detour === undefined ? connect(Number(port || 80), hostname) : connect(detour, '127.0.0.1');
		for (const socket of [client, there]) {
			tunnels.add(socket);
			socket.once('close', () => tunnels.delete(socket));
		}
		there.once('connect', () => {
			client.write('HTTP/1.1 200 Connection established\r\n\r\n');
			there.write(head);
			there.pipe(client).pipe(there);
		});
		there.on('error', () => client.destroy());
		client.on('error', () => there.destroy());
	});
	const close = closer(server);
	const port = await listen(server);
	return {
		url: `http://127.0.0.1:${port}`,
		asked,
		close: async () => {
			for (const socket of tunnels) socket.destroy();
			await close();
		},
	};
}
