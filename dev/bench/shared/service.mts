import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import type { Integration } from '../../sandbox/index.mts';

export interface Service {
	url: string;
	integration: Integration;
	/** What the process answers to a message. */
	ask: <T>(message: unknown) => Promise<T>;
	stop: () => Promise<void>;
}

/** A sandbox in a process of its own: a module that tells where it is, and then answers messages. */
export async function startService(module: URL, ...args: string[]): Promise<Service> {
	const child = fork(fileURLToPath(module), args);
	const ended = once(child, 'exit');
	const next = async () => {
		const died = ended.then(() => {
			throw new Error('The sandbox has ended');
		});
		return (await Promise.race([once(child, 'message'), died])) as unknown[];
	};
	const [started] = (await next()) as [Pick<Service, 'url' | 'integration'>];
	return {
		...started,
		async ask<T>(message: unknown) {
			const answer = next();
			child.send(message as string);
			return (await answer)[0] as T;
		},
		async stop() {
			child.kill('SIGKILL');
			await ended;
		},
	};
}
