import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { tryLock } from './lock.mts';

/** Where an n8n keeps what it knows. */
export interface Data {
	folder: string;
	close: () => Promise<void>;
}

/** A folder that stays, used by one n8n at a time; or one that goes when it is closed. */
export async function openData(folder?: string): Promise<Data> {
	if (folder === undefined) {
		const passing = await mkdtemp(join(tmpdir(), 'unified-payments-n8n-'));
		return {
			folder: passing,
			close: async () => await rm(passing, { recursive: true, force: true, maxRetries: 5 }),
		};
	}
	const held = await tryLock(folder);
	if (held === undefined) {
		throw new Error(
			`Another n8n is using ${folder}. Stop it, or choose another folder: npm start -- --data <folder>`,
		);
	}
	await mkdir(folder, { recursive: true });
	return { folder, close: held.release };
}

/** Throws away what an n8n kept in a folder, and nothing else that may be there. */
export async function emptyData(folder: string): Promise<void> {
	const { close } = await openData(folder);
	try {
		await rm(join(folder, '.n8n'), { recursive: true, force: true, maxRetries: 5 });
	} finally {
		await close();
	}
}
