import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';

import { chosenVersion } from '../../host/n8n/release.mts';

export const say = (line = '') => console.log(line);

/** What the figures of a report depend on. */
export const machine = () => ({
	at: new Date().toISOString(),
	n8n: chosenVersion(),
	platform: process.platform,
	cores: cpus().length,
	cpu: cpus()[0]?.model ?? null,
});

/** Saves reports/<name>.json. */
export async function save(name: string, report: object): Promise<void> {
	const file = join('reports', `${name}.json`);
	await mkdir('reports', { recursive: true });
	await writeFile(file, JSON.stringify(report, null, '\t'));
	say(`\nAll figures: ${file}`);
}

/** Runs a benchmark with the options of the command line; null stands for a wish for help. */
export async function command<T>(
	readOptions: (args: string[]) => T | null,
	usage: string,
	main: (options: T) => Promise<void>,
): Promise<void> {
	try {
		const options = readOptions(process.argv.slice(2));
		if (options === null) say(usage);
		else await main(options);
	} catch (error) {
		console.error((error as Error).message);
		process.exitCode = 2;
	}
}
