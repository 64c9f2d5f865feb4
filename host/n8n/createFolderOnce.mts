import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { locked } from './lock.mts';

/**
 * Makes a folder that is either complete or not there. One process makes it while others wait; what
 * an interrupted one left behind is removed by the next.
 */
export async function makeOnce(
	folder: string,
	make: (unfinished: string) => Promise<void>,
	waiting?: () => void,
): Promise<void> {
	if (existsSync(folder)) return;
	const makeHere = async () => {
		if (existsSync(folder)) return;
		await mkdir(dirname(folder), { recursive: true });
		await sweep(folder);
		const unfinished = await mkdtemp(`${folder}.unfinished-`);
		try {
			await make(unfinished);
			await rename(unfinished, folder);
		} finally {
			await rm(unfinished, { recursive: true, force: true, maxRetries: 3 });
		}
	};
	await locked(folder, makeHere, waiting);
}

async function sweep(folder: string): Promise<void> {
	const names = await readdir(dirname(folder));
	const left = names.filter((name) => name.startsWith(`${basename(folder)}.unfinished-`));
	for (const name of left) {
		await rm(join(dirname(folder), name), { recursive: true, force: true, maxRetries: 3 });
	}
}
