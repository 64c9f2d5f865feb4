import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A lock that the system releases when its holder dies, however it dies: a local socket that only one
 * process can listen on. Who comes second connects to it and waits for the connection to end.
 */
export async function locked<T>(
	what: string,
	work: () => Promise<T>,
	waiting: () => void = () => {},
): Promise<T> {
	for (;;) {
		const held = await tryLock(what);
		if (held === undefined) {
			waiting();
			await released(what);
			continue;
		}
		try {
			return await work();
		} finally {
			await held.release();
		}
	}
}

export interface Held {
	release: () => Promise<void>;
}

/** The lock, or undefined when another process or another part of this one has it. */
export async function tryLock(what: string): Promise<Held | undefined> {
	const address = addressOf(what);
	const server = (await listen(address)) ?? (await listenAfterCrash(address));
	if (server === undefined) return undefined;
	const waiting = new Set<{ destroy: () => void }>();
	server.on('connection', (socket) => {
		waiting.add(socket);
		// A waiter that gives up is no concern of the holder.
		socket.on('error', () => {});
		socket.once('close', () => waiting.delete(socket));
	});
	return {
		release: async () => {
			const closed = new Promise<void>((resolve) => server.close(() => resolve()));
			for (const socket of waiting) socket.destroy();
			await closed;
		},
	};
}

function addressOf(what: string): string {
	const name = `unified-payments-${createHash('sha256').update(what).digest('hex').slice(0, 16)}`;
	if (process.platform === 'linux') return `\0${name}`;
	if (process.platform === 'win32') return `\\\\.\\pipe\\${name}`;
	return join(tmpdir(), `${name}.sock`);
}

async function listen(address: string): Promise<Server | undefined> {
	const server = createServer();
	return await new Promise((resolve, reject) => {
		server.once('error', (error: NodeJS.ErrnoException) =>
			error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
		);
		server.listen(address, () => resolve(server));
	});
}

/** Where sockets are files, a crash leaves the file behind and nobody who answers. */
async function listenAfterCrash(address: string): Promise<Server | undefined> {
	if (process.platform === 'linux' || process.platform === 'win32') return undefined;
	if (await answers(address)) return undefined;
	await rm(address, { force: true });
	return await listen(address);
}

async function answers(address: string): Promise<boolean> {
	const socket = connect(address);
	return await new Promise((resolve) => {
		socket.once('connect', () => {
			socket.destroy();
			resolve(true);
		});
		socket.once('error', () => resolve(false));
	});
}

/** Resolves when the holder lets go or dies. */
async function released(what: string): Promise<void> {
	const socket = connect(addressOf(what));
	socket.on('error', () => {});
	await new Promise<void>((resolve) => socket.once('close', () => resolve()));
}
