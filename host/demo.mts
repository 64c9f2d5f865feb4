import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { startSandbox } from '../sandbox/index.mts';
import type { Sandbox } from '../sandbox/index.mts';
import type { N8nClient, SavedCredential, SavedWorkflow } from './client.mts';
import { readExamples } from './examples.mts';
import { firstSteps } from './first-steps.mts';
import { startHost } from './index.mts';
import type { Host, HostOptions } from './index.mts';

export const CREDENTIAL_TYPE = 'unifiedPaymentsApi';

export interface Demo {
	sandbox: Sandbox;
	host: Host;
	credential: SavedCredential;
	/** Made for a first click, and for pictures. */
	workflow: SavedWorkflow;
	/** What is in the examples folder. */
	examples: SavedWorkflow[];
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

/** The sandbox, and an n8n that has a credential for it and workflows to try. */
export async function startDemo(options: HostOptions = {}): Promise<Demo> {
	const started: Array<() => Promise<void>> = [];
	const stop = async () => {
		for (const end of started.splice(0).reverse()) await end();
	};
	try {
		const sandbox = await startSandbox({ mode: 'rich' });
		started.push(async () => await sandbox.close());
		const host = await startHost(options);
		started.push(host.stop);
		return { sandbox, host, ...(await furnish(host.client, sandbox)), stop };
	} catch (error) {
		await stop();
		throw error;
	}
}

async function furnish(client: N8nClient, sandbox: Sandbox) {
	const data = sandboxCredential(sandbox);
	const credential = await client.createCredential('Sandbox', CREDENTIAL_TYPE, data);
	const workflow = await client.createWorkflow(firstSteps(credential));
	const examples: SavedWorkflow[] = [];
	for (const example of await readExamples(credential)) {
		examples.push(await client.createWorkflow(example));
	}
	return { credential, workflow, examples };
}
