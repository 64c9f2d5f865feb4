import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { startSandbox } from '../sandbox/index.mts';
import type { Sandbox } from '../sandbox/index.mts';
import type { SavedCredential, SavedWorkflow } from './client.mts';
import { exampleWorkflow } from './example.mts';
import { startHost } from './index.mts';
import type { Host, HostOptions } from './index.mts';

export const CREDENTIAL_TYPE = 'unifiedPaymentsApi';

export interface Demo {
	sandbox: Sandbox;
	host: Host;
	credential: SavedCredential;
	workflow: SavedWorkflow;
	stop: () => Promise<void>;
}

/** What a user would type into the credential dialog to reach the sandbox. */
export function sandboxCredential(sandbox: Sandbox): ICredentialDataDecryptedObject {
	const integration = sandbox.integrations[0]!;
	return {
		baseUrl: sandbox.url,
		clientId: integration.clientId,
		sender: integration.title,
		secretKey: integration.secretKey,
	};
}

/** The sandbox, and an n8n that has a credential for it and a workflow to try. */
export async function startDemo(options: HostOptions = {}): Promise<Demo> {
	const sandbox = await startSandbox({ mode: 'rich' });
	try {
		const host = await startHost(options);
		const { client } = host;
		const data = sandboxCredential(sandbox);
		const credential = await client.createCredential('Sandbox', CREDENTIAL_TYPE, data);
		const workflow = await client.createWorkflow(exampleWorkflow(credential));
		const stop = async () => {
			await host.stop();
			await sandbox.close();
		};
		return { sandbox, host, credential, workflow, stop };
	} catch (error) {
		await sandbox.close();
		throw error;
	}
}
