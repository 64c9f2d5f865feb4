import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Runs the work under a lock. The lock is a local socket that only one process can listen on, so the
 * system releases it however its owner ends. The next process connects and waits for the connection
 * to close.
 */
export async function withLock<T>(
	name: string,
	work: () => Promise<T>,
	onWait: () => void = () => {},
): Promise<T> {
	for (;;) {
		const lock = await tryLock(name);
		if (lock === undefined) {
			onWait();
			await untilReleased(name);
			continue;
		}
		try {
			return await work();
		} finally {
			await lock.release();
		}
	}
}

interface Lock {
	release: () => Promise<void>;
}

/** The lock, or undefined when another process or another part of this one has it. */
export async function tryLock(name: string): Promise<Lock | undefined> {
	const address = addressOf(name);
	const server = (await listen(address)) ?? (await listenAfterCrash(address));
	if (server === undefined) return undefined;
	const waiting = new Set<{ destroy: () => void }>();
	server.on('connection', (socket) => {
		waiting.add(socket);
		// A process that stops waiting must not stop the owner of the lock.
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

function addressOf(name: string): string {
	const hash = createHash('sha256').update(name).digest('hex').slice(0, 16);
	const address = `unified-payments-${hash}`;
	if (process.platform === 'linux') return `\0${address}`;
	if (process.platform === 'win32') return `\\\\.\\pipe\\${address}`;
	return join(tmpdir(), `${address}.sock`);
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

/** On systems where sockets are files, a crash leaves a file that nobody listens on. */
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

async function untilReleased(name: string): Promise<void> {
	const socket = connect(addressOf(name));
	socket.on('error', () => {});
	await new Promise<void>((resolve) => socket.once('close', () => resolve()));
}
