import { spawn } from 'node:child_process';

interface RunOptions {
	cwd: string;
	/** Ends the command early. */
	signal?: AbortSignal;
}

/** Runs a command and returns what it printed; an error has the end of the output in it. */
export async function run(command: string, args: string[], options: RunOptions): Promise<string> {
	const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
	let stdout = '';
	let both = '';
	child.stdout.on('data', (chunk: Buffer) => {
		stdout += chunk.toString();
		both += chunk.toString();
	});
	child.stderr.on('data', (chunk: Buffer) => (both += chunk.toString()));
	return await new Promise((resolve, reject) => {
		child.once('error', reject);
		child.once('close', (code) => {
			if (code === 0) resolve(stdout);
			else
				reject(new Error(`${command} ${args.join(' ')} ended with ${code}:\n${both.slice(-4000)}`));
		});
	});
}
