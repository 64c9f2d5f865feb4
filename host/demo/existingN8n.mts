import { join } from 'node:path';

import { NodeHelpers } from 'n8n-workflow';
import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';

import { UnifiedPaymentsApi } from '../../credentials/UnifiedPaymentsApi.credentials.ts';
import { startSandbox } from '../../sandbox/index.mts';
import type { Sandbox } from '../../sandbox/index.mts';
import { cacheFolder } from '../n8n/cacheFolder.mts';
import { sandboxCredential } from './index.mts';
import { furnish } from './importExamples.mts';
import { packPackage } from '../n8n/package.mts';
import { PublicApi } from '../n8n/publicApi.mts';

export interface ExistingOptions {
	url: string;
	apiKey?: string;
	sandboxPort?: number;
}

export interface Existing {
	sandbox: Sandbox;
	/** The packed package, to be installed in that n8n. */
	tarball: string;
	/** What to open first, when it could be put there. */
	example?: string;
}

/** The sandbox beside an n8n that is there already, furnished when there is a key to it. */
export async function useExisting({
	url,
	apiKey,
	sandboxPort,
}: ExistingOptions): Promise<Existing> {
	const tarball = await packPackage(join(cacheFolder(), 'package'));
	const sandbox = await startSandbox({ mode: 'rich', port: sandboxPort });
	try {
		if (apiKey === undefined) return { sandbox, tarball };
		const { examples } = await furnish(new PublicApi(url, apiKey), {
			sandbox: complete(sandboxCredential(sandbox)),
		});
		const example = examples.find(({ name }) => name.startsWith('Sheet')) ?? examples[0];
		return { sandbox, tarball, example: example && `${url}/workflow/${example.id}` };
	} catch (error) {
		await sandbox.close();
		throw error;
	}
}

/** With every field that the dialog would show: older releases of n8n take nothing less by their API. */
function complete(given: ICredentialDataDecryptedObject): ICredentialDataDecryptedObject {
	const { properties } = new UnifiedPaymentsApi();
	const data = given as INodeParameters;
	const all = NodeHelpers.getNodeParameters(properties, data, true, false, null, null);
	return { ...(all as ICredentialDataDecryptedObject), allowedHttpRequestDomains: 'all' };
}
