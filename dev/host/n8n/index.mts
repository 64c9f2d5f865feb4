/**
 * A real n8n with this package in it, for end-to-end tests, screenshots and `npm start`:
 *
 *     const host = await startHost();
 *     const credential = await host.client.createCredential('Sandbox', 'unifiedPaymentsApi', data);
 *     …
 *     await host.stop();
 *
 * The package is packed and unpacked as npm does it, so `dist` must be up to date (`buildIfStale`).
 */
import { join } from 'node:path';

import { N8nClient } from './client.mts';
import type { Login } from './client.mts';
import { openDataFolder } from './dataFolder.mts';
import { install } from './install.mts';
import { copyPackage, installPackage } from './package.mts';
import { startCluster, type Cluster, type Queue } from './queue/cluster.mts';
import { chosenMode } from './release.mts';
import { startServer } from './server.mts';
import type { Server } from './server.mts';

export { buildIfStale } from './package.mts';
export { N8nClient } from './client.mts';
export type { NewWorkflow, SavedCredential, SavedWorkflow } from './client.mts';
export type { Execution } from './execution.mts';
export { isInstalled } from './install.mts';
export { EXPRESSIONS_ON_DEMAND } from './server.mts';

/** The account of the local server. */
export const OWNER: Login = { email: 'owner@example.com', password: 'Sandbox-2026' };

export interface HostOptions {
	port?: number;
	env?: Record<string, string>;
	/** A folder that is kept; by default a temporary one. */
	data?: string;
	/** Folders of more community packages, e.g. those a benchmark compares with. */
	packages?: string[];
	/** Called when no other host uses the data, before n8n starts. */
	beforeStart?: () => Promise<void>;
	/** Told what n8n warns of. */
	warned?: (line: string) => void;
	/** Called before steps that take long. */
	report?: (line: string) => void;
	/** Ends the start early. */
	signal?: AbortSignal;
}

export interface Host {
	url: string;
	/** Signed in as the owner. */
	client: N8nClient;
	log: () => string;
	/** Resolves when n8n has ended, for whatever reason. */
	ended: Promise<void>;
	stop: () => Promise<void>;
	/** Ends n8n as `kill -9` does; the data folder is free for the next host right away. */
	kill: () => Promise<void>;
	/** The process of n8n itself. */
	pid: number | undefined;
	/** Its processes in queue mode. */
	queue?: Queue;
}

export async function startHost(options: HostOptions = {}): Promise<Host> {
	const { port, env, report, signal, warned } = options;
	const installation = await install({ report, signal });
	const data = await openDataFolder(options.data);
	let server: Server | undefined;
	const stop = async () => {
		await server?.stop();
		await data.close();
	};
	try {
		await installPackage(join(data.folder, '.n8n'));
		for (const folder of options.packages ?? []) {
			await copyPackage(folder, join(data.folder, '.n8n'));
		}
		await options.beforeStart?.();
		signal?.throwIfAborted();
		report?.('Starting n8n');
		const start = chosenMode() === 'queue' ? startCluster : startServer;
		const userFolder = data.folder;
		server = await start({ installation, userFolder, port, env, warned, signal });
		const client = new N8nClient(server.url);
		await signIn(client);
		const { url, log, ended, pid } = server;
		const kill = async () => {
			await server?.kill();
			await data.close();
		};
		const { queue } = server as Partial<Cluster>;
		return { url, client, log, ended, pid, queue, stop, kill };
	} catch (error) {
		await stop();
		throw error;
	}
}

/** Signs in as the owner, whose account is created at the first start. */
async function signIn(client: N8nClient): Promise<void> {
	if (await client.hasOwner()) await client.login(OWNER);
	else await client.setUpOwner(OWNER);
}
