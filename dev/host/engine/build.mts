import type { IConnections, INode, INodeParameters } from 'n8n-workflow';

import { PASS_THROUGH } from './nodeTypes.mts';

type NodeSettings = Partial<Omit<INode, 'name' | 'type' | 'parameters'>>;

/** A node of a workflow, with defaults for what rarely matters. */
export function node(
	name: string,
	type: string,
	parameters: INodeParameters = {},
	settings: NodeSettings = {},
): INode {
	return { id: name, name, type, typeVersion: 1, position: [0, 0], parameters, ...settings };
}

/** A node that passes its input on. */
export const pass = (name: string): INode => node(name, PASS_THROUGH);

/** Connections from `[from, to]` or `[from, outputIndex, to]`. */
export function connect(
	...links: Array<[string, string] | [string, number, string]>
): IConnections {
	const connections: IConnections = {};
	for (const link of links) {
		const [from, output, to] = link.length === 2 ? [link[0], 0, link[1]] : link;
		const main = ((connections[from] ??= {}).main ??= []);
		while (main.length <= output) main.push([]);
		main[output]!.push({ node: to, type: 'main', index: 0 });
	}
	return connections;
}
