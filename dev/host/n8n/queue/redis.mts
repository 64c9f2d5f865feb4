import { execFileSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { connect } from 'node:net';

import { freePort } from '../../shared/port.mts';
import { until } from '../../shared/until.mts';
import { startGuarded } from './guarded.mts';

const PROGRAM = 'redis-server';

export function hasRedis(): boolean {
	try {
		execFileSync(PROGRAM, ['--version'], { stdio: 'ignore' });
		return true;
	} catch {
		return false;
	}
}

export interface Redis {
	port: number;
	/** Its processes are all below this one. */
	pid: number | undefined;
	stop(): Promise<void>;
}

/** A private Redis on a free port. What it stores stays in the folder, for the next start there. */
export async function startRedis(folder: string): Promise<Redis> {
	await mkdir(folder, { recursive: true });
	const port = await freePort();
	const server = startGuarded({
		command: PROGRAM,
		args: [
			...['--port', String(port), '--bind', '127.0.0.1', '--dir', folder],
			...['--save', '', '--appendonly', 'yes'],
		],
		cwd: folder,
		endedBy: 'TERM',
	});
	await until('Redis', async () => ((await answers(port)) ? true : undefined)).catch(
		async ({ message }: Error) => {
			await server.stop();
			throw new Error(`${message}\n${server.log().slice(-2000)}`);
		},
	);
	return { port, pid: server.pid, stop: server.stop };
}

/** It answers with an error while it is still reading its file. */
async function answers(port: number): Promise<boolean> {
	return await new Promise((resolve) => {
		const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
		socket.once('error', () => resolve(false));
		socket.once('data', (data) => {
			resolve(data.toString().startsWith('+PONG'));
			socket.destroy();
		});
	});
}
