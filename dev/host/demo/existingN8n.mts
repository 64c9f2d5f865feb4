import { join } from 'node:path';

import { NodeHelpers } from 'n8n-workflow';
import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';

import { UnifiedPaymentsApi } from '../../../credentials/UnifiedPaymentsApi.credentials.ts';
import { startSandbox } from '../../sandbox/index.mts';
import type { Sandbox } from '../../sandbox/index.mts';
import { cacheFolder } from '../n8n/cacheFolder.mts';
import { sandboxCredential } from './sandboxCredential.mts';
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
			sandbox: withAllFields(sandboxCredential(sandbox)),
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

/** With every field that the dialog shows: the API of older releases of n8n requires just those. */
function withAllFields(given: ICredentialDataDecryptedObject): ICredentialDataDecryptedObject {
	const properties = new UnifiedPaymentsApi().properties.filter(({ type }) => type !== 'hidden');
	const data = given as INodeParameters;
	const all = NodeHelpers.getNodeParameters(properties, data, true, false, null, null);
	return { ...(all as ICredentialDataDecryptedObject), allowedHttpRequestDomains: 'all' };
}
