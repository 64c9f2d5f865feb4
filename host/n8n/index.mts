/**
 * A real n8n with this package in it, for end-to-end tests, screenshots and `npm start`:
 *
 *     const host = await startHost();
 *     const credential = await host.client.createCredential('Sandbox', 'unifiedPaymentsApi', data);
 *     …
 *     await host.stop();
 *
 * The package is packed and unpacked as npm would, so `dist` must have been built before
 * (`buildPackage`).
 */
import { join } from 'node:path';

import { N8nClient } from './client.mts';
import type { Login } from './client.mts';
import { openData } from './data.mts';
import { install } from './install.mts';
import { copyPackage, installPackage } from './package.mts';
import { startServer } from './server.mts';
import type { Server } from './server.mts';

export { buildIfStale, buildPackage } from './package.mts';
export { N8nClient } from './client.mts';
export type { Login, NewWorkflow, SavedCredential, SavedWorkflow } from './client.mts';
export { Execution } from './execution.mts';
export { isInstalled } from './install.mts';
export { N8N_VERSION } from './release.mts';

/** The account of the throw-away server. */
export const OWNER: Login = { email: 'owner@example.com', password: 'Sandbox-2026' };

export interface HostOptions {
	port?: number;
	env?: Record<string, string>;
	/** A folder whose content outlives this host; a passing one unless told. */
	data?: string;
	/** Folders of further community packages, e.g. with the peers of a benchmark. */
	packages?: string[];
	/** Told about steps that take long. */
	report?: (line: string) => void;
	/** Ends the start early. */
	signal?: AbortSignal;
}

export interface Host {
	url: string;
	/** Signed in as the owner. */
	client: N8nClient;
	log: () => string;
	/** Resolves when n8n is no more, for whatever reason. */
	ended: Promise<void>;
	stop: () => Promise<void>;
	/** Ends n8n as `kill -9` does; the data folder can be used by the next host at once. */
	kill: () => Promise<void>;
	/** The process of n8n itself. */
	pid: number | undefined;
}

export async function startHost(options: HostOptions = {}): Promise<Host> {
	const { port, env, report, signal } = options;
	const installation = await install({ report, signal });
	const data = await openData(options.data);
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
		signal?.throwIfAborted();
		report?.('Starting n8n');
		server = await startServer({ installation, userFolder: data.folder, port, env, signal });
		const client = new N8nClient(server.url);
		await enter(client);
		const { url, log, ended, pid } = server;
		const kill = async () => {
			await server?.kill();
			await data.close();
		};
		return { url, client, log, ended, pid, stop, kill };
	} catch (error) {
		await stop();
		throw error;
	}
}

/** As the owner, who is made the first time. */
async function enter(client: N8nClient): Promise<void> {
	if (await client.hasOwner()) await client.login(OWNER);
	else await client.setUpOwner(OWNER);
}
