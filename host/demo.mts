import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { startSandbox } from '../sandbox/index.mts';
import type { Sandbox } from '../sandbox/index.mts';
import { furnish } from './furnish.mts';
import type { Furniture } from './furnish.mts';
import { startHost } from './index.mts';
import type { Host, HostOptions } from './index.mts';

export interface DemoOptions extends HostOptions {
	/** A free one unless told. */
	sandboxPort?: number;
}

export interface Demo extends Furniture {
	sandbox: Sandbox;
	host: Host;
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
export async function startDemo({ sandboxPort, ...options }: DemoOptions = {}): Promise<Demo> {
	const started: Array<() => Promise<void>> = [];
	const stop = async () => {
		for (const end of started.splice(0).reverse()) await end();
	};
	try {
		const sandbox = await startSandbox({ mode: 'rich', port: sandboxPort });
		started.push(async () => await sandbox.close());
		const host = await startHost(options);
		started.push(host.stop);
		return { sandbox, host, ...(await furnish(host.client, sandboxCredential(sandbox))), stop };
	} catch (error) {
		await stop();
		throw error;
	}
}
