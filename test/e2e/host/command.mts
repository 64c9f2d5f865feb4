import { spawn } from 'node:child_process';

import { call } from '../../../dev/host/shared/http.mts';
import { until } from '../../../dev/host/shared/until.mts';

export interface Command {
	output: () => string;
	/** Resolves when the command has printed this. */
	says: (words: string) => Promise<void>;
	/** Its exit code. */
	ended: Promise<number | null>;
	kill: (signal: NodeJS.Signals) => void;
	/** Resolves when nobody answers at the address any more. */
	gone: (url: string) => Promise<void>;
}

const running = new Set<() => void>();
afterEach(() => {
	for (const end of running) end();
});

/** What `npm start` runs, as a process of its own. */
export function startCommand(args: string[]): Command {
	const child = spawn(process.execPath, ['--import', 'tsx', 'dev/host/demo/main.mts', ...args], {
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	const end = () => child.kill('SIGKILL');
	running.add(end);
	let output = '';
	const listeners = new Set<() => void>();
	const read = (chunk: Buffer) => {
		output += chunk.toString();
		for (const listener of listeners) listener();
	};
	child.stdout.on('data', read);
	child.stderr.on('data', read);
	const ended = new Promise<number | null>((resolve) =>
		child.once('exit', (code) => {
			running.delete(end);
			resolve(code);
		}),
	);
	const says = async (words: string) =>
		await new Promise<void>((resolve, reject) => {
			const look = () => {
				if (output.includes(words)) resolve();
			};
			listeners.add(look);
			look();
			void ended.then(() => reject(new Error(`It ended without saying '${words}':\n${output}`)));
		});
	return {
		output: () => output,
		says,
		ended,
		kill: (signal) => child.kill(signal),
		gone: async (url) => {
			await until(`silence at ${url}`, async () => ((await answersAt(url)) ? undefined : true));
		},
	};
}

export const answersAt = async (url: string): Promise<boolean> =>
	await call(url).then(
		() => true,
		() => false,
	);
