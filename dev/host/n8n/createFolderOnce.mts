import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { withLock } from './lock.mts';

/**
 * Creates a folder that is either complete or not there. One process fills it while others wait, and
 * what an interrupted process left behind is removed.
 */
export async function createFolderOnce(
	folder: string,
	fill: (unfinished: string) => Promise<void>,
	onWait?: () => void,
): Promise<void> {
	if (existsSync(folder)) return;
	const create = async () => {
		if (existsSync(folder)) return;
		await mkdir(dirname(folder), { recursive: true });
		await removeUnfinished(folder);
		const unfinished = await mkdtemp(`${folder}.unfinished-`);
		try {
			await fill(unfinished);
			await rename(unfinished, folder);
		} finally {
			await rm(unfinished, { recursive: true, force: true, maxRetries: 3 });
		}
	};
	await withLock(folder, create, onWait);
}

async function removeUnfinished(folder: string): Promise<void> {
	const names = await readdir(dirname(folder));
	const unfinished = names.filter((name) => name.startsWith(`${basename(folder)}.unfinished-`));
	for (const name of unfinished) {
		await rm(join(dirname(folder), name), { recursive: true, force: true, maxRetries: 3 });
	}
}
