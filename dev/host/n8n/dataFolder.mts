import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { tryLock } from './lock.mts';

/** The folder in which n8n keeps its database and settings. */
interface DataFolder {
	folder: string;
	close: () => Promise<void>;
}

/** Opens a folder that only one n8n uses at a time; without a name, a temporary one. */
export async function openDataFolder(folder?: string): Promise<DataFolder> {
	if (folder === undefined) {
		const temporary = await mkdtemp(join(tmpdir(), 'unified-payments-n8n-'));
		return {
			folder: temporary,
			close: async () => await rm(temporary, { recursive: true, force: true, maxRetries: 5 }),
		};
	}
	const lock = await tryLock(folder);
	if (lock === undefined) {
		throw new Error(
			`Another n8n is using ${folder}. Stop it, or choose another folder: npm start -- --data <folder>`,
		);
	}
	await mkdir(folder, { recursive: true });
	return { folder, close: lock.release };
}

/** Deletes what n8n stored in the folder, and nothing else that may be there. */
export async function deleteData(folder: string): Promise<void> {
	const { close } = await openDataFolder(folder);
	try {
		await rm(join(folder, '.n8n'), { recursive: true, force: true, maxRetries: 5 });
	} finally {
		await close();
	}
}
