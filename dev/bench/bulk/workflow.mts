import { randomUUID } from 'node:crypto';

import type { IConnections, INode } from 'n8n-workflow';

import type { NewWorkflow } from '../../host/n8n/index.mts';
import type { Peer } from './peers.mts';

const BENCH = 'n8n-nodes-unified-payments-bench';

interface BenchWorkflow extends NewWorkflow {
	/** Of its webhook. */
	path: string;
}

/** A webhook, the rows, the peer's nodes, and an end that answers with what was measured. */
export function workflowOf(peer: Peer): BenchWorkflow {
	const path = randomUUID();
	const nodes: INode[] = [
		{
			...place('Webhook', 'n8n-nodes-base.webhook'),
			typeVersion: 2,
			webhookId: path,
			parameters: { path, httpMethod: 'POST', responseMode: 'lastNode' },
		},
		{
			...place('Rows', `${BENCH}.benchRows`),
			parameters: { freshness: peer.freshness, links: peer.links },
		},
		...peer.nodes,
		place('End', `${BENCH}.benchEnd`),
	];
	return {
		path,
		name: `${peer.label}, ${peer.lanes ?? 'no'} lanes`,
		nodes: nodes.map((node, index) => ({ ...node, position: [index * 220, 0] })),
		connections: chain(nodes),
		// A good run leaves nothing behind: storing it is not what is measured.
		settings: {
			saveDataSuccessExecution: 'none',
			saveDataErrorExecution: 'all',
			saveExecutionProgress: false,
		},
	};
}

const place = (name: string, type: string): INode => ({
	id: name,
	name,
	type,
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
});

function chain(nodes: INode[]): IConnections {
	const connections: IConnections = {};
	nodes.slice(1).forEach((node, index) => {
		connections[nodes[index]!.name] = {
			main: [[{ node: node.name, type: 'main', index: 0 }]],
		};
	});
	return connections;
}
