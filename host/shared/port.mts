import { createServer } from 'node:http';

import { close, listen } from './listen.mts';

/** A port that nobody listens on at this moment. */
export async function freePort(): Promise<number> {
	return await tryPort(0);
}

/** Throws when the port is in use, and says how to choose another one. */
export async function requireFreePort(port: number, what: string, flag: string): Promise<void> {
	try {
		await tryPort(port);
	} catch (error) {
		const { code, message } = error as NodeJS.ErrnoException;
		const reason = code === 'EADDRINUSE' ? 'is in use' : `cannot be used (${message})`;
		throw new Error(
			`Port ${port}, meant for ${what}, ${reason}. Choose another one: npm start -- ${flag} ${port + 10}`,
		);
	}
}

async function tryPort(wanted: number): Promise<number> {
	const server = createServer();
	const port = await listen(server, wanted);
	await close(server);
	return port;
}
