import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const MAIN = join(process.cwd(), 'dev/simulator/main.mts');

/** In a process of its own, because the simulator has its own time. */
export async function simulate(...options: string[]): Promise<{ code: number; told: string }> {
	const child = spawn(process.execPath, ['--import', 'tsx', MAIN, ...options]);
	let told = '';
	child.stdout.on('data', (chunk: Buffer) => (told += chunk.toString()));
	const [code] = (await once(child, 'close')) as [number];
	return { code, told };
}
