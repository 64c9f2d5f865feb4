import { existsSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';

import { makeOnce } from './createFolderOnce.mts';
import { packagesIn, withProgress } from './progress.mts';
import type { Report } from './progress.mts';
import { chosenVersion, pinned } from './release.mts';
import type { Pinned } from './release.mts';
import { run } from './run.mts';

/** n8n 2.41 asks for Node 24, whatever runs this project. */
const NODE_MAJOR = '24';

export interface Installation {
	/** The Node binary that runs n8n. */
	node: string;
	/** n8n's own entry script. */
	n8n: string;
	/** Settings that only this release of n8n knows. */
	env: Record<string, string>;
}

export interface InstallOptions {
	version?: string;
	report?: Report;
	signal?: AbortSignal;
}

/** Whether a start would be quick. */
export const isInstalled = (version = chosenVersion()): boolean =>
	existsSync(pinned(version).folder);

/** n8n and the Node it needs, from the cache or installed into it. Minutes the first time. */
export async function install({
	version = chosenVersion(),
	report = () => {},
	signal,
}: InstallOptions = {}): Promise<Installation> {
	const n8n = pinned(version);
	const node = await nodeBinary(report, signal);
	const waiting = () => report('Another run is installing n8n; waiting for it');
	await makeOnce(
		n8n.folder,
		async (folder) => {
			report(`Installing n8n ${version} into ${n8n.folder}`);
			report('  about 3 GB and 5 to 20 minutes, once per machine; what was loaded is kept');
			const unpacking = packages(n8n, folder, ['--ignore-scripts'], signal);
			await withProgress(unpacking, packagesIn(folder, n8n.packages), report);
			report('  building its database driver, one to three minutes');
			await npm(folder, ['rebuild', '--ignore-scripts=false', 'sqlite3'], signal);
		},
		waiting,
	);
	return { node, n8n: join(n8n.folder, 'node_modules', 'n8n', 'bin', 'n8n'), env: n8n.config };
}

/** The Node that runs this when it will do, else one from the registry. */
async function nodeBinary(report: Report, signal?: AbortSignal): Promise<string> {
	if (process.versions.node.startsWith(`${NODE_MAJOR}.`)) return process.execPath;
	const node = pinned('node');
	await makeOnce(node.folder, async (folder) => {
		report(`Installing Node ${NODE_MAJOR}, which n8n needs, into ${node.folder}`);
		// This package fetches the binary of the machine's kind in its install script.
		await packages(node, folder, ['--ignore-scripts=false'], signal);
	});
	return join(node.folder, 'node_modules', 'node', 'bin', 'node');
}

async function packages({ source }: Pinned, folder: string, args: string[], signal?: AbortSignal) {
	for (const name of ['package.json', 'package-lock.json']) {
		await copyFile(join(source, name), join(folder, name));
	}
	await npm(folder, ['ci', ...args], signal);
}

const npm = async (cwd: string, args: string[], signal?: AbortSignal) =>
	await run('npm', [...args, '--no-audit', '--no-fund'], { cwd, signal });
