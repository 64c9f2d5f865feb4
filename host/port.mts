import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

/** The wanted port when nobody listens on it at this moment, else another one. */
export async function freePort(wanted = 0): Promise<number> {
	const server = createServer();
	try {
		await new Promise<void>((resolve, reject) => {
			server.once('error', reject);
			server.listen(wanted, '127.0.0.1', resolve);
		});
	} catch (error) {
		if (wanted === 0) throw error;
		return await freePort();
	}
	const { port } = server.address() as AddressInfo;
	await new Promise((resolve) => server.close(resolve));
	return port;
}
