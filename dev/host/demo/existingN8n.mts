import { join } from 'node:path';

import { startSandbox } from '../../sandbox/index.mts';
import type { Sandbox } from '../../sandbox/index.mts';
import { cacheFolder } from '../n8n/cacheFolder.mts';
import { sandboxCredentialForApi } from './sandboxCredential.mts';
import { importExamples } from './importExamples.mts';
import { packPackage } from '../n8n/package.mts';
import { PublicApi } from '../n8n/publicApi.mts';

interface ExistingN8nOptions {
	url: string;
	apiKey?: string;
	sandboxPort?: number;
}

export interface ExistingN8n {
	sandbox: Sandbox;
	/** The packed package, for the user to install. */
	tarball: string;
	/** The address of the example to open first, if it could be imported. */
	example?: string;
}

/** Starts the sandbox for an n8n that the user runs, and imports the examples if there is a key. */
export async function connectExistingN8n({
	url,
	apiKey,
	sandboxPort,
}: ExistingN8nOptions): Promise<ExistingN8n> {
	const tarball = await packPackage(join(cacheFolder(), 'package'));
	const sandbox = await startSandbox({
		port: sandboxPort,
		stateFile: stateFileFor(url, sandboxPort),
	});
	try {
		if (apiKey === undefined) return { sandbox, tarball };
		const { workflow } = await importExamples(new PublicApi(url, apiKey), {
			url,
			sandbox: sandboxCredentialForApi(sandbox),
		});
		return { sandbox, tarball, example: `${url}/workflow/${workflow.id}` };
	} catch (error) {
		await sandbox.close();
		throw error;
	}
}

/**
 * The sandbox remembers what that n8n remembers of it. To n8n the same sandbox on another port is
 * another service.
 */
const stateFileFor = (url: string, sandboxPort: number | undefined) =>
	sandboxPort === undefined
		? null
		: join(
				cacheFolder(),
				'sandbox',
				`${`${url} ${sandboxPort}`.replace(/[^a-z\d]+/gi, '-')}.jsonl`,
			);
