import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import type { Integration } from '../../sandbox/index.mts';

export interface Payment {
	ref: string;
	amount: number;
	currency: string;
}

export interface Service {
	url: string;
	integration: Integration;
	/** Makes payments that have succeeded. */
	payments: (count: number) => Promise<Payment[]>;
	stop: () => Promise<void>;
}

export async function startService(): Promise<Service> {
	const child = fork(fileURLToPath(new URL('./service.mts', import.meta.url)));
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
		async payments(count) {
			const answer = next();
			child.send(count);
			return (await answer)[0] as Payment[];
		},
		async stop() {
			child.kill('SIGKILL');
			await ended;
		},
	};
}
