import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Listens on this machine only, by default on a free port. */
export async function listen(server: Server, port = 0): Promise<number> {
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, '127.0.0.1', resolve);
	});
	return (server.address() as AddressInfo).port;
}

/** Closes the server together with its open connections. */
export async function close(server: Server): Promise<void> {
	const closed = new Promise<void>((resolve) => server.close(() => resolve()));
	server.closeAllConnections();
	await closed;
}
