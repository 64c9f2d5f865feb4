import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { startDemo } from '../../../dev/host/demo/index.mts';
import type { Demo } from '../../../dev/host/demo/index.mts';
import { buildIfStale } from '../../../dev/host/n8n/index.mts';
import type { Execution, SavedCredential, SavedWorkflow } from '../../../dev/host/n8n/index.mts';
import type { LoggedRequest, Switches } from '../../../dev/sandbox/index.mts';

export const PACKAGE = 'n8n-nodes-unified-payments';
export const NODE_TYPE = `${PACKAGE}.unifiedPayments`;

const MINUTE = 60_000;

/** One n8n, and what belongs to it, for all tests of a file. */
export function useForAll<T extends { stop(): Promise<unknown> }>(
	start: () => Promise<T>,
): () => T {
	let started: T | undefined;
	// Generous, for machines that have other things to do.
	jest.setTimeout(5 * MINUTE);
	// The very first start on a machine installs n8n.
	beforeAll(async () => {
		await buildIfStale();
		started = await start();
	}, 30 * MINUTE);
	afterAll(async () => await started?.stop(), MINUTE);
	return () => {
		if (started === undefined) throw new Error('n8n has not been started');
		return started;
	};
}

/** n8n and the sandbox. */
export const useDemo = (switches?: Partial<Switches>): (() => Demo) =>
	useForAll(async () => await startDemo({ switches }));

export const place = (name: string, type: string, parameters: INodeParameters = {}): INode => ({
	id: name,
	name,
	type,
	typeVersion: type === NODE_TYPE ? 2 : 1,
	position: [0, 0],
	parameters,
});

export const to = (node: string) => [{ node, type: 'main', index: 0 } as const];

interface NodeRun extends Partial<INode> {
	rows?: IDataObject[];
	credential?: SavedCredential;
}

type WithCredential = Pick<Demo, 'host' | 'credential'>;

/** The node between a start that gives the rows and a sink on each of its outputs. */
export async function saveNode(
	demo: WithCredential,
	parameters: INodeParameters,
	{ rows = [{}], credential = demo.credential, ...settings }: NodeRun = {},
): Promise<SavedWorkflow> {
	const { id, name, type } = credential;
	const credentials = { [type]: { id, name } };
	return await demo.host.client.createWorkflow({
		name: `${String(parameters.resource)} ${String(parameters.operation)}`,
		nodes: [
			place('Start', 'n8n-nodes-base.manualTrigger'),
			{ ...place('Node', NODE_TYPE, parameters), credentials, ...settings },
			place('Success', 'n8n-nodes-base.noOp'),
			place('Failed', 'n8n-nodes-base.noOp'),
		],
		connections: { Start: { main: [to('Node')] }, Node: { main: [to('Success'), to('Failed')] } },
		pinData: { Start: rows.map((json) => ({ json })) },
	});
}

export async function runNode(
	demo: WithCredential,
	parameters: INodeParameters,
	run: NodeRun = {},
): Promise<Execution> {
	return await demo.host.client.run(await saveNode(demo, parameters, run), 'Start');
}

/** What the sandbox saw while `work` ran, oldest first. */
export async function seenDuring(
	{ sandbox }: Pick<Demo, 'sandbox'>,
	work: () => Promise<unknown>,
): Promise<LoggedRequest[]> {
	const before = new Set(sandbox.state.requests.map(({ id }) => id));
	await work();
	return sandbox.state.requests.filter(({ id }) => !before.has(id)).reverse();
}
