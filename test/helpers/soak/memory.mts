import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface MemoryRun {
	node: 'ours' | 'naive';
	rows: number;
	/** The naive node has none: it sends all at once. */
	lanes: number;
	/** Size of a logo that all rows share; 0 for rows without one. */
	logoBytes: number;
}

/** Growth over a process that has done the same with few rows. */
export interface Memory {
	accepted: number;
	/** The most that was in use at any moment, without garbage. */
	peakMb: number;
	/** What was still in use when all was done; the output is part of it. */
	keptMb: number;
}

/** Takes everything and keeps nothing, or it would be the one that needs the memory. */
async function startSink() {
	const server = createServer((incoming, response) => {
		incoming.resume();
		incoming.once('end', () => {
			response.writeHead(200, { 'content-type': 'application/json' });
			response.end('{"success":true,"message":"ok","data":{}}');
		});
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return { url: `http://127.0.0.1:${port}`, close: () => void server.close() };
}

const CHILD = join(process.cwd(), 'test', 'helpers', 'soak', 'memory-child.mts');

/** Runs a sheet in a process of its own, against a service in this one. */
export async function measureMemory(run: MemoryRun): Promise<Memory> {
	const sink = await startSink();
	try {
		const settings = JSON.stringify({ ...run, url: sink.url });
		const args = ['--expose-gc', '--max-old-space-size=4096', '--import', 'tsx', CHILD, settings];
		const { stdout } = await promisify(execFile)(process.execPath, args);
		return JSON.parse(stdout) as Memory;
	} finally {
		sink.close();
	}
}
