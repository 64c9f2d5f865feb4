import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { cacheFolder } from './cacheFolder.mts';

/** The release of n8n that this project is developed on. */
export const N8N_VERSION = '2.41.0';

/** From this one on, n8n is an image for Docker and no package that npm could install. */
const FIRST_NOT_ON_NPM = 3;

export const notOnNpm = (version: string): string =>
	`n8n ${version} cannot be installed from npm: it is not there. n8n 3 and newer is released for Docker only.
Run it in Docker (deploy/README.md says how), then: npm start -- --n8n-url http://localhost:5678`;

/** What npm installs from one folder in dev/host/n8n/releases. */
export interface PinnedRelease {
	/** Where package.json and package-lock.json are. */
	source: string;
	/** Where it is installed. Another lock file means another folder. */
	folder: string;
	/** What the lock file puts directly below node_modules. */
	packages: string[];
	/** `config` in package.json. */
	config: Record<string, string>;
}

/** The release to run: `N8N_HOST_VERSION`, or else the one this project is developed on. */
export const chosenVersion = (): string => process.env.N8N_HOST_VERSION || N8N_VERSION;

/** For what older releases do not have. */
export const isAtLeast = (version: string): boolean =>
	chosenVersion().localeCompare(version, 'en', { numeric: true }) >= 0;

/** How n8n runs: as one process, or with `N8N_HOST_MODE=queue` as several. */
export const chosenMode = (): 'regular' | 'queue' =>
	process.env.N8N_HOST_MODE === 'queue' ? 'queue' : 'regular';

/** `name` is a folder in dev/host/n8n/releases: a release of n8n, or `node`. */
export function pinnedRelease(name: string): PinnedRelease {
	const source = join(process.cwd(), 'dev', 'host', 'n8n', 'releases', name);
	const lock = read(source, 'package-lock.json');
	const { config = {} } = JSON.parse(read(source, 'package.json')) as Partial<PinnedRelease>;
	const digest = createHash('sha256').update(lock).digest('hex').slice(0, 8);
	const { packages } = JSON.parse(lock) as { packages: Record<string, { optional?: boolean }> };
	return {
		source,
		config,
		folder: join(cacheFolder(), `${name === 'node' ? name : `n8n-${name}`}-${digest}`),
		// Optional packages may be for other kinds of machines.
		packages: Object.keys(packages).filter(
			(path) => path.lastIndexOf('node_modules/') === 0 && !packages[path]?.optional,
		),
	};
}

function read(source: string, name: string): string {
	try {
		return readFileSync(join(source, name), 'utf8');
	} catch {
		const { major } = /n8n.releases.(?<major>\d+)\./.exec(source)?.groups ?? {};
		if (Number(major) >= FIRST_NOT_ON_NPM) throw new Error(notOnNpm(basename(source)));
		throw new Error(`${join(source, name)} is missing: this release of n8n is not pinned.`);
	}
}
