import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

/** A port that nobody listens on at this moment. */
export async function freePort(): Promise<number> {
	return await listenOn(0);
}

/** Throws, with words that help, when somebody listens on the port. */
export async function demandFree(port: number, what: string, flag: string): Promise<void> {
	try {
		await listenOn(port);
	} catch (error) {
		const { code, message } = error as NodeJS.ErrnoException;
		const reason = code === 'EADDRINUSE' ? 'is in use' : `cannot be used (${message})`;
		throw new Error(
			`Port ${port}, meant for ${what}, ${reason}. Choose another one: npm start -- ${flag} ${port + 10}`,
		);
	}
}

async function listenOn(wanted: number): Promise<number> {
	const server = createServer();
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(wanted, '127.0.0.1', resolve);
	});
	const { port } = server.address() as AddressInfo;
	await new Promise((resolve) => server.close(resolve));
	return port;
}
