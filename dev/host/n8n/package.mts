import { cp, mkdir, mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { withLock } from './lock.mts';
import { run } from './run.mts';

const PROJECT = process.cwd();
const SOURCES = ['nodes', 'credentials', 'icons', 'package.json', 'tsconfig.json', 'gulpfile.js'];

/** Builds the package if a source is newer than `dist`; several processes may ask for it at the same time. */
export async function buildIfStale(): Promise<void> {
	if (!(await isStale())) return;
	await withLock(join(PROJECT, 'dist'), async () => {
		if (await isStale()) await run('npm', ['run', 'build'], { cwd: PROJECT });
	});
}

async function isStale(): Promise<boolean> {
	const built = await newest(join(PROJECT, 'dist'));
	const changes = await Promise.all(SOURCES.map((source) => newest(join(PROJECT, source))));
	return built < Math.max(...changes);
}

/** When the newest file at or below a path was written; 0 when there is none. */
async function newest(path: string): Promise<number> {
	const found = await stat(path).catch(() => undefined);
	if (!found?.isDirectory()) return found?.mtimeMs ?? 0;
	const times = await Promise.all((await readdir(path)).map((name) => newest(join(path, name))));
	return Math.max(0, ...times);
}

/** Packs the package as for publishing, and returns the path of the tarball. */
export async function packPackage(folder: string): Promise<string> {
	await mkdir(folder, { recursive: true });
	const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
	const [packed] = JSON.parse(await run('npm', args, { cwd: PROJECT })) as [{ filename: string }];
	return join(folder, packed.filename);
}

/** Where n8n looks for the community package whose source is in `folder`. */
async function communityFolder(n8nFolder: string, folder: string): Promise<string> {
	const text = await readFile(join(folder, 'package.json'), 'utf8');
	const { name } = JSON.parse(text) as { name: string };
	return join(n8nFolder, 'nodes', 'node_modules', name);
}

/** Copies a community package that needs no build into n8n. */
export async function copyPackage(folder: string, n8nFolder: string): Promise<void> {
	await cp(folder, await communityFolder(n8nFolder, folder), { recursive: true });
}

/** Packs this package and unpacks it into n8n. */
export async function installPackage(n8nFolder: string): Promise<void> {
	const target = await communityFolder(n8nFolder, PROJECT);
	const temporary = await mkdtemp(join(tmpdir(), 'unified-payments-pack-'));
	try {
		const tarball = await packPackage(temporary);
		// Files of an earlier build must not stay.
		await rm(target, { recursive: true, force: true });
		await mkdir(target, { recursive: true });
		await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', target], { cwd: temporary });
	} finally {
		await rm(temporary, { recursive: true, force: true });
	}
}
