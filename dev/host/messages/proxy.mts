import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';

import { close, listen } from '../shared/listen.mts';

interface Proxy {
	url: string;
	close: () => Promise<void>;
}

/** A proxy for HTTPS that sends some hosts to a port of this machine and leaves all others alone. */
export async function startProxy(hosts: readonly string[], localPort: number): Promise<Proxy> {
	const server = createServer((_, response) => response.writeHead(501).end());
	const tunnels = new Set<Socket>();
	server.on('connect', (request, client: Socket, head: Buffer) => {
		const { hostname, port } = new URL(`http://${request.url ?? ''}`);
		const target = hosts.includes(hostname)
			? connect(localPort, '127.0.0.1')
			: connect(Number(port || 80), hostname);
		for (const socket of [client, target]) {
			tunnels.add(socket);
			socket.once('close', () => tunnels.delete(socket));
		}
		target.once('connect', () => {
			client.write('HTTP/1.1 200 Connection established\r\n\r\n');
			target.write(head);
			target.pipe(client).pipe(target);
		});
		target.on('error', () => client.destroy());
		client.on('error', () => target.destroy());
	});
	const port = await listen(server);
	return {
		url: `http://127.0.0.1:${port}`,
		close: async () => {
			for (const socket of tunnels) socket.destroy();
			await close(server);
		},
	};
}
