import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';

import { UnifiedPaymentsApi } from '../../credentials/UnifiedPaymentsApi.credentials.ts';
import { UnifiedPayments } from '../../nodes/UnifiedPayments/UnifiedPayments.node.ts';
import {
	DEMO_INTEGRATIONS,
	startSandbox,
	type Sandbox,
	type SandboxOptions,
} from '../../sandbox/index.mts';
import { runNode, type NodeResult, type RunNodeOptions } from '../../host/engine/index.mts';
import { startTap, type Wire } from './wire.mts';

const [demo] = DEMO_INTEGRATIONS;

/** A credential of the sandbox's first integration. */
export const demoCredential = (
	baseUrl: string,
	changes: ICredentialDataDecryptedObject = {},
): ICredentialDataDecryptedObject => ({
	baseUrl,
	clientId: demo!.clientId,
	sender: demo!.title,
	secretKey: demo!.secretKey,
	...changes,
});

export type RunOptions = Omit<RunNodeOptions, 'credentials' | 'credentialTypes'> & {
	credential: ICredentialDataDecryptedObject;
};

/** Runs the action node in a real workflow. */
export const runPayments = async (
	parameters: INodeParameters,
	{ credential, ...options }: RunOptions,
): Promise<NodeResult> =>
	await runNode(new UnifiedPayments(), parameters, {
		...options,
		credentials: { unifiedPaymentsApi: credential },
		credentialTypes: [new UnifiedPaymentsApi()],
	});

/** The sandbox with a tap before it; its transactions stay pending until a test settles them. */
export interface TappedSandbox {
	sandbox: Sandbox;
	tap: Wire;
	credential(changes?: ICredentialDataDecryptedObject): ICredentialDataDecryptedObject;
	close(): Promise<void>;
}

export async function startTapped(options: SandboxOptions = {}): Promise<TappedSandbox> {
	const sandbox = await startSandbox({ settleDelayMs: Infinity, ...options });
	const tap = await startTap(sandbox.url);
	return {
		sandbox,
		tap,
		credential: (changes) => demoCredential(tap.url, changes),
		async close() {
			await tap.close();
			await sandbox.close();
		},
	};
}
