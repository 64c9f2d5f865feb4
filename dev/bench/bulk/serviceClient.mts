import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import type { Integration } from '../../sandbox/index.mts';

/** What the service saw. */
export interface Census {
	requests: number;
	peakInFlight: number;
	accepted: number;
	/** Accepted creates of different references. */
	distinct: number;
}

export interface Service {
	url: string;
	integration: Integration;
	/** What was seen since the last census; the service forgets it then. */
	census: () => Promise<Census>;
	stop: () => Promise<void>;
}

export async function startService(latencyMs: number): Promise<Service> {
	const file = fileURLToPath(new URL('./service.mts', import.meta.url));
	const child = fork(file, [String(latencyMs)]);
	const ended = once(child, 'exit');
	const next = async () => {
		const died = ended.then(() => {
			throw new Error('The sandbox has ended');
		});
		return (await Promise.race([once(child, 'message'), died])) as unknown[];
	};
	const [started] = (await next()) as [{ url: string; integration: Integration }];
	return {
		...started,
		async census() {
			const answer = next();
			child.send('census');
			return (await answer)[0] as Census;
		},
		async stop() {
			child.kill('SIGKILL');
			await ended;
		},
	};
}
