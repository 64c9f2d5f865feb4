import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { cacheFolder } from './cache.mts';
import { run } from './run.mts';

export const N8N_VERSION = '2.41.0';

/** n8n 2.41 asks for Node 24, whatever runs this project. */
export const NODE_VERSION = '24';

// Newer releases of linkedom ask for a package that is not in the registry.
const OVERRIDES = { linkedom: '0.18.10' };

export interface Installation {
	/** The Node binary that runs n8n. */
	node: string;
	/** n8n's own entry script. */
	n8n: string;
}

/** Whether a start would be quick. */
export const isInstalled = (version = N8N_VERSION): boolean =>
	existsSync(join(cacheFolder(), `n8n-${version}`, 'node_modules', 'n8n', 'bin', 'n8n'));

type Report = (line: string) => void;

/** n8n and the Node it needs, from the cache or installed into it. Minutes the first time. */
export async function install(
	version = N8N_VERSION,
	report: Report = () => {},
): Promise<Installation> {
	const node = join(cacheFolder(), `node-${NODE_VERSION}`);
	const n8n = join(cacheFolder(), `n8n-${version}`);
	const installation = {
		node: join(node, 'node_modules', 'node', 'bin', 'node'),
		n8n: join(n8n, 'node_modules', 'n8n', 'bin', 'n8n'),
	};
	if (!existsSync(installation.node)) {
		report(`Installing Node ${NODE_VERSION} into ${node}`);
		await whole(node, async (folder) => {
			// This package fetches the binary of the machine's kind in its install script.
			await npm(folder, 'install', '--ignore-scripts=false', `node@${NODE_VERSION}`);
		});
	}
	if (!existsSync(installation.n8n)) {
		report(`Installing n8n ${version} into ${n8n}; this takes several minutes, once per machine`);
		await whole(n8n, async (folder) => {
			await writeFile(
				join(folder, 'package.json'),
				JSON.stringify({ private: true, dependencies: { n8n: version }, overrides: OVERRIDES }),
			);
			await npm(folder, 'install', '--ignore-scripts');
			await npm(folder, 'rebuild', '--ignore-scripts=false', 'sqlite3');
		});
	}
	return installation;
}

const npm = async (cwd: string, ...args: string[]) =>
	await run('npm', [...args, '--no-audit', '--no-fund'], { cwd });

/** Fills a folder beside its place and moves it there when it is complete. */
async function whole(folder: string, fill: (folder: string) => Promise<void>): Promise<void> {
	const partial = `${folder}.${process.pid}`;
	await mkdir(partial, { recursive: true });
	try {
		await writeFile(join(partial, 'package.json'), JSON.stringify({ private: true }));
		await fill(partial);
		await rename(partial, folder);
	} catch (error) {
		// Another run may have been quicker; then there is nothing left to do.
		if (!existsSync(join(folder, 'node_modules'))) throw error;
	} finally {
		await rm(partial, { recursive: true, force: true });
	}
}
