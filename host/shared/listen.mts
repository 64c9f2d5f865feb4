import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** Listens on this machine, on a free port unless told. */
export async function listen(server: Server, port = 0): Promise<number> {
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, '127.0.0.1', resolve);
	});
	return (server.address() as AddressInfo).port;
}

/** Closes it, and what is still connected to it, too. */
export function closer(server: Server): () => Promise<void> {
	const open = new Set<Socket>();
	server.on('connection', (socket: Socket) => {
		open.add(socket);
		socket.once('close', () => open.delete(socket));
	});
	return async () => {
		const closed = new Promise<void>((resolve) => server.close(() => resolve()));
		for (const socket of open) socket.destroy();
		await closed;
	};
}

export async function readText(request: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks).toString();
}
