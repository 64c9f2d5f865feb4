import { randomInt } from 'node:crypto';
import { createServer } from 'node:http';

import { close, listen } from './listen.mts';

/** Unless told otherwise, systems give ports from 32768 on to connections, so one of those may be taken a moment later. */
const FIRST = 20_000;
const COUNT = 12_000;
/** Processes that start at the same time begin in different places. */
let next = randomInt(COUNT);

/** A port that nobody listens on, and that no connection gets until somebody does. */
export async function freePort(): Promise<number> {
	for (let tries = 1; ; tries++) {
		next = (next + 1) % COUNT;
		try {
			return await tryPort(FIRST + next);
		} catch (error) {
			if (tries === COUNT) throw error;
		}
	}
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
