import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

import type { Host } from '../../../dev/host/n8n/index.mts';
import { call } from '../../../dev/host/shared/http.mts';

/** What something took of n8n. */
export interface Load {
	ms: number;
	/** CPU time of its process, in milliseconds. */
	cpu: number;
	/** How much more it had in memory at most. */
	megabytes: number;
	/** The longest that `/healthz` was not answered, in milliseconds, and what 19 of 20 are below. */
	held: number;
	usuallyHeld: number;
}

type Watched = Pick<Host, 'url' | 'pid'>;

const procOf = ({ pid }: Watched, file: string) => readFileSync(`/proc/${pid}/${file}`, 'utf8');

const megabytesOf = (host: Watched): number =>
	Number(/VmRSS:\s+(\d+)/.exec(procOf(host, 'status'))?.[1]) / 1024;

/** Linux counts in hundredths of a second. */
function cpuOf(host: Watched): number {
	const [, afterName = ''] = procOf(host, 'stat').split(') ');
	const [user, system] = afterName.split(' ').slice(11, 13);
	return (Number(user) + Number(system)) * 10;
}

/** Watches n8n while something is done, as somebody does who asks it every 20 ms how it is. */
export async function watching<T>(
	host: Watched,
	work: () => Promise<T>,
): Promise<Load & { result: T }> {
	const [start, cpu, used] = [Date.now(), cpuOf(host), megabytesOf(host)];
	let [most, isDone] = [used, false];
	const answered: number[] = [];
	const watch = (async () => {
		while (!isDone) {
			const asked = performance.now();
			await call(`${host.url}/healthz`);
			answered.push(performance.now() - asked);
			most = Math.max(most, megabytesOf(host));
			await pause(20);
		}
	})();
	try {
		const result = await work();
		const ms = Date.now() - start;
		isDone = true;
		await watch;
		answered.sort((a, b) => a - b);
		const at = (part: number) => Math.round(answered[Math.ceil(part * answered.length) - 1] ?? 0);
		return {
			result,
			ms,
			cpu: cpuOf(host) - cpu,
			megabytes: Math.round(most - used),
			held: at(1),
			usuallyHeld: at(0.95),
		};
	} finally {
		isDone = true;
	}
}
