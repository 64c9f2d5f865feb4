import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INode,
	INodeParameters,
} from 'n8n-workflow';

import { startHost, type Host, type HostOptions } from '../../../dev/host/n8n/index.mts';
import type { Execution, N8nClient, SavedWorkflow } from '../../../dev/host/n8n/index.mts';
import { CREDENTIAL_TYPE } from '../../../dev/host/demo/importExamples.mts';
import { until } from '../../../dev/host/shared/until.mts';
import { place, to } from '../../e2e/host/support.mts';
import { NAIVE_PACKAGE } from '../naive.mts';

export { NODE_TYPE as OURS } from '../../e2e/host/support.mts';

/** A real n8n that is killed and comes back with what it had written down. */
interface Phoenix {
	host(): Host;
	/** As `kill -9` does, and up again on the same data. */
	killAndRestart(): Promise<void>;
	folder: string;
	end(): Promise<void>;
}

export async function startPhoenix(env: HostOptions['env'] = {}): Promise<Phoenix> {
	const folder = await mkdtemp(join(tmpdir(), 'unified-payments-soak-'));
	const start = async () => await startHost({ data: folder, packages: [NAIVE_PACKAGE], env });
	let host = await start();
	return {
		host: () => host,
		folder,
		async killAndRestart() {
			await host.kill();
			host = await start();
		},
		async end() {
			await host.stop();
			await rm(folder, { recursive: true, force: true, maxRetries: 5 });
		},
	};
}

interface SheetWorkflow {
	type: string;
	parameters: INodeParameters;
	rows: IDataObject[];
	credential: ICredentialDataDecryptedObject;
	onError?: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';
	/** Stands between the sheet and the node. */
	before?: INode | undefined;
}

/** A sheet that goes into the node; what comes out is at the node `Node`. */
export async function saveSheet(client: N8nClient, sheet: SheetWorkflow): Promise<SavedWorkflow> {
	const { before } = sheet;
	const name = `Soak ${sheet.type}`;
	const { id } = await client.createCredential(name, CREDENTIAL_TYPE, sheet.credential);
	return await client.createWorkflow({
		name,
		nodes: [
			place('Start', 'n8n-nodes-base.manualTrigger'),
			{
				...place('Node', sheet.type, sheet.parameters),
				typeVersion: 1,
				credentials: { [CREDENTIAL_TYPE]: { id, name } },
				onError: sheet.onError ?? 'continueRegularOutput',
			},
			...(before ? [before] : []),
		],
		connections: {
			Start: { main: [to(before?.name ?? 'Node')] },
			...(before && { [before.name]: { main: [to('Node')] } }),
		},
		pinData: { Start: sheet.rows.map((json) => ({ json })) },
	});
}

export async function isOver(client: N8nClient, executionId: string): Promise<boolean> {
	const path = `/rest/executions/${executionId}`;
	// An n8n that is too busy to say is at work.
	const { status } = await client
		.get<{ status: string }>(path)
		.catch(() => ({ status: 'unknown' }));
	return !['new', 'running', 'unknown'].includes(status);
}

/** How an execution ended, however long it takes. */
export const endOf = async (client: N8nClient, executionId: string): Promise<Execution> =>
	await until(
		`execution ${executionId}`,
		async () => await client.finished(executionId).catch(ifWaiting),
		{ seconds: 3600, everyMs: 500 },
	);

function ifWaiting(error: Error): undefined {
	if (!/in vain/.test(error.message)) throw error;
}
