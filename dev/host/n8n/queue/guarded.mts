import { spawn } from 'node:child_process';

interface Service {
	command: string;
	args: string[];
	cwd: string;
	/** Who runs it; by default whoever runs this. */
	as?: { uid?: number; gid?: number };
	/** By which signal it ends in good order. */
	endedBy: 'TERM' | 'INT';
}

export interface Guarded {
	/** Of the guard, which started the service. */
	pid: number | undefined;
	/** What it printed so far. */
	log: () => string;
	stop: () => Promise<void>;
}

// Its input is a pipe from this process: it ends when we close it, and also when we are killed.
const GUARD = 'signal=$1; shift; "$@" & service=$!; cat >/dev/null; kill -$signal $service; wait';

/** Starts a service that ends together with this process, even if that is killed. */
export function startGuarded({ command, args, cwd, as, endedBy }: Service): Guarded {
	const guard = spawn('sh', ['-c', GUARD, 'guard', endedBy, command, ...args], {
		...as,
		cwd,
		stdio: ['pipe', 'pipe', 'pipe'],
		// A Ctrl+C of the terminal is for us: n8n ends first, then what it works with.
		detached: true,
	});
	let log = '';
	for (const stream of [guard.stdout, guard.stderr]) {
		stream.on('data', (chunk: Buffer) => (log += chunk.toString()));
	}
	const ended = new Promise<void>((resolve) => guard.once('close', () => resolve()));
	return {
		pid: guard.pid,
		log: () => log,
		async stop() {
			guard.stdin.end();
			await ended;
		},
	};
}
