/**
 * A real n8n with this package in it, for end-to-end tests, screenshots and `npm run n8n`:
 *
 *     const host = await startHost();
 *     const credential = await host.client.createCredential('Sandbox', 'unifiedPaymentsApi', data);
 *     …
 *     await host.stop();
 *
 * The package is packed and unpacked as npm would, so `dist` must have been built before
 * (`buildPackage`).
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { N8nClient } from './client.mts';
import type { Login } from './client.mts';
import { install } from './install.mts';
import { installPackage } from './package.mts';
import { startServer } from './server.mts';
import type { Server } from './server.mts';

export { buildIfStale, buildPackage } from './package.mts';
export { N8nClient } from './client.mts';
export type { Login, NewWorkflow, SavedCredential, SavedWorkflow } from './client.mts';
export { Execution } from './execution.mts';
export { N8N_VERSION, isInstalled } from './install.mts';

/** The account of the throw-away server. */
export const OWNER: Login = { email: 'owner@example.com', password: 'Sandbox-2026' };

export interface HostOptions {
	port?: number;
	env?: Record<string, string>;
	/** Told about steps that take long. */
	report?: (line: string) => void;
}

export interface Host {
	url: string;
	/** Signed in as the owner. */
	client: N8nClient;
	log: () => string;
	stop: () => Promise<void>;
}

export async function startHost({ port, env, report }: HostOptions = {}): Promise<Host> {
	const installation = await install(undefined, report);
	const userFolder = await mkdtemp(join(tmpdir(), 'unified-payments-n8n-'));
	let server: Server | undefined;
	const stop = async () => {
		await server?.stop();
		await rm(userFolder, { recursive: true, force: true, maxRetries: 5 });
	};
	try {
		await installPackage(join(userFolder, '.n8n'));
		report?.('Starting n8n');
		server = await startServer({ installation, userFolder, port, env });
		const client = new N8nClient(server.url);
		await client.setUpOwner(OWNER);
		return { url: server.url, client, log: server.log, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}
