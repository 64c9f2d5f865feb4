import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { startDemo } from '../../../host/demo.mts';
import type { Demo } from '../../../host/demo.mts';
import { buildIfStale } from '../../../host/index.mts';
import type { Execution } from '../../../host/index.mts';
import type { LoggedRequest } from '../../../sandbox/index.mts';

export const PACKAGE = 'n8n-nodes-unified-payments';
export const NODE_TYPE = `${PACKAGE}.unifiedPayments`;

const MINUTE = 60_000;

/** One n8n and one sandbox for all tests of a file. */
export function useDemo(): () => Demo {
	let demo: Demo | undefined;
	// Generous, for machines that have other things to do.
	jest.setTimeout(4 * MINUTE);
	// The very first start on a machine installs n8n.
	beforeAll(async () => {
		await buildIfStale();
		demo = await startDemo();
	}, 30 * MINUTE);
	afterAll(async () => await demo?.stop(), MINUTE);
	return () => {
		if (demo === undefined) throw new Error('n8n has not been started');
		return demo;
	};
}

const place = (name: string, type: string, column: number): INode => ({
	id: name,
	name,
	type,
	typeVersion: 1,
	position: [column * 220, 0],
	parameters: {},
});

/** The node between a start that gives the rows and a sink on each of its outputs. */
export async function runNode(
	{ host, credential }: Demo,
	parameters: INodeParameters,
	{ rows = [{}], ...settings }: { rows?: IDataObject[] } & Partial<INode> = {},
): Promise<Execution> {
	const { id, name, type } = credential;
	const node: INode = {
		...place('Node', NODE_TYPE, 1),
		parameters,
		credentials: { [type]: { id, name } },
		...settings,
	};
	const workflow = await host.client.createWorkflow({
		name: `${String(parameters.resource)} ${String(parameters.operation)}`,
		nodes: [
			place('Start', 'n8n-nodes-base.manualTrigger', 0),
			node,
			place('Success', 'n8n-nodes-base.noOp', 2),
			place('Failed', 'n8n-nodes-base.noOp', 3),
		],
		connections: {
			Start: { main: [[{ node: 'Node', type: 'main', index: 0 }]] },
			Node: {
				main: [
					[{ node: 'Success', type: 'main', index: 0 }],
					[{ node: 'Failed', type: 'main', index: 0 }],
				],
			},
		},
		pinData: { Start: rows.map((json) => ({ json })) },
	});
	return await host.client.run(workflow, 'Start');
}

/** What the sandbox saw while `work` ran, oldest first. */
export async function seenDuring(
	{ sandbox }: Demo,
	work: () => Promise<unknown>,
): Promise<LoggedRequest[]> {
	const before = new Set(sandbox.state.requests.map(({ id }) => id));
	await work();
	return sandbox.state.requests.filter(({ id }) => !before.has(id)).reverse();
}
