import { existsSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';

import { createFolderOnce } from './createFolderOnce.mts';
import { installedPackages, withProgress } from './progress.mts';
import type { Report } from './progress.mts';
import { chosenVersion, notOnNpm, pinnedRelease } from './release.mts';
import type { PinnedRelease } from './release.mts';
import { run } from './run.mts';

/** n8n 2.41 needs Node 24, whichever Node runs this project. */
const NODE_MAJOR = '24';

export interface Installation {
	/** The Node binary that runs n8n. */
	node: string;
	/** n8n's own entry script. */
	n8n: string;
	/** Settings for this release of n8n only. */
	env: Record<string, string>;
}

interface InstallOptions {
	report?: Report;
	signal?: AbortSignal;
}

export const isInstalled = (): boolean => existsSync(pinnedRelease(chosenVersion()).folder);

/** n8n and the Node it needs, from the cache or installed into it, which takes minutes. */
export async function install({
	report = () => {},
	signal,
}: InstallOptions = {}): Promise<Installation> {
	const version = chosenVersion();
	const n8n = pinnedRelease(version);
	const node = await nodeBinary(report, signal);
	await createFolderOnce(
		n8n.folder,
		async (folder) => {
			report(`Installing n8n ${version} into ${n8n.folder}`);
			report('  about 3 GB and 5 to 20 minutes, once per machine; npm keeps what it downloads');
			const installing = installPackages(n8n, folder, ['--ignore-scripts'], signal).catch(
				(error) => {
					throw isNotThere(error as Error) ? new Error(notOnNpm(version)) : error;
				},
			);
			await withProgress(installing, installedPackages(folder, n8n.packages), report);
			report('  building its database driver, one to three minutes');
			await npm(folder, ['rebuild', '--ignore-scripts=false', 'sqlite3'], signal);
		},
		() => report('Another run is installing n8n; waiting for it'),
	);
	return { node, n8n: join(n8n.folder, 'node_modules', 'n8n', 'bin', 'n8n'), env: n8n.config };
}

/** npm's words for a release of n8n itself that the registry does not have. */
const isNotThere = ({ message }: Error): boolean =>
	/\b(?:E404|ETARGET)\b/.test(message) && /\/n8n\/-\/n8n-|[ '"]n8n@/.test(message);

/** The Node that runs this if it is recent enough, otherwise one from the registry. */
async function nodeBinary(report: Report, signal?: AbortSignal): Promise<string> {
	if (process.versions.node.startsWith(`${NODE_MAJOR}.`)) return process.execPath;
	const node = pinnedRelease('node');
	await createFolderOnce(node.folder, async (folder) => {
		report(`Installing Node ${NODE_MAJOR}, which n8n needs, into ${node.folder}`);
		// This package downloads the binary for this kind of machine in its install script.
		await installPackages(node, folder, ['--ignore-scripts=false'], signal);
	});
	return join(node.folder, 'node_modules', 'node', 'bin', 'node');
}

async function installPackages(
	{ source }: PinnedRelease,
	folder: string,
	args: string[],
	signal?: AbortSignal,
): Promise<void> {
	for (const name of ['package.json', 'package-lock.json']) {
		await copyFile(join(source, name), join(folder, name));
	}
	await npm(folder, ['ci', ...args], signal);
}

const npm = async (cwd: string, args: string[], signal?: AbortSignal) =>
	await run('npm', [...args, '--no-audit', '--no-fund'], { cwd, signal });
