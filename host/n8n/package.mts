import { cp, mkdir, mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { run } from './run.mts';

/** Builds the package; what is in `dist` afterwards is what gets packed. */
export async function buildPackage(project = process.cwd()): Promise<void> {
	await run('npm', ['run', 'build'], { cwd: project });
}

const SOURCES = ['nodes', 'credentials', 'icons', 'package.json', 'tsconfig.json', 'gulpfile.js'];

/** Builds the package when a source is newer than what was built. */
export async function buildIfStale(project = process.cwd()): Promise<void> {
	const built = await newest(join(project, 'dist'));
	const changes = await Promise.all(SOURCES.map((source) => newest(join(project, source))));
	if (built < Math.max(...changes)) await buildPackage(project);
}

/** When the youngest file at or below a path was written; 0 when there is none. */
async function newest(path: string): Promise<number> {
	const found = await stat(path).catch(() => undefined);
	if (!found?.isDirectory()) return found?.mtimeMs ?? 0;
	const ages = await Promise.all((await readdir(path)).map((name) => newest(join(path, name))));
	return Math.max(0, ...ages);
}

/** Packs the package as for publishing, and returns the path of the tarball. */
export async function packPackage(folder: string, project = process.cwd()): Promise<string> {
	await mkdir(folder, { recursive: true });
	const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
	const [packed] = JSON.parse(await run('npm', args, { cwd: project })) as [{ filename: string }];
	return join(folder, packed.filename);
}

const placeOf = async (n8nFolder: string, project: string): Promise<string> => {
	const text = await readFile(join(project, 'package.json'), 'utf8');
	const { name } = JSON.parse(text) as { name: string };
	return join(n8nFolder, 'nodes', 'node_modules', name);
};

/** Puts a package that needs no build where n8n looks for community packages. */
export async function copyPackage(folder: string, n8nFolder: string): Promise<void> {
	await cp(folder, await placeOf(n8nFolder, folder), { recursive: true });
}

/** Packs the package and unpacks it where n8n looks for community packages. */
export async function installPackage(n8nFolder: string, project = process.cwd()): Promise<string> {
	const target = await placeOf(n8nFolder, project);
	const parcel = await mkdtemp(join(tmpdir(), 'unified-payments-pack-'));
	try {
		const tarball = await packPackage(parcel, project);
		// Nothing of an earlier build may stay.
		await rm(target, { recursive: true, force: true });
		await mkdir(target, { recursive: true });
		await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', target], { cwd: parcel });
	} finally {
		await rm(parcel, { recursive: true, force: true });
	}
	return target;
}
