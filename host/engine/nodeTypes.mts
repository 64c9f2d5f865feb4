import { NodeConnectionTypes, NodeHelpers } from 'n8n-workflow';
import type { INodeType, INodeTypes, IVersionedNodeType } from 'n8n-workflow';

export type AnyNodeType = INodeType | IVersionedNodeType;
export type NodeTypeMap = Record<string, AnyNodeType>;

export const PASS_THROUGH = 'engine.passThrough';

/** Hands its input on. Stands before and after the node under test. */
export const passThrough: INodeType = {
	description: {
		displayName: 'Pass Through',
		name: 'passThrough',
		group: ['transform'],
		version: 1,
		description: 'Hands its input on',
		defaults: { name: 'Pass Through' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		properties: [],
	},
	async execute() {
		return [this.getInputData()];
	},
};

/** The server's registry of node types, over a plain object. */
export function nodeTypeRegistry(types: NodeTypeMap): INodeTypes {
	const known: NodeTypeMap = { [PASS_THROUGH]: passThrough, ...types };
	const byName = (name: string): AnyNodeType => {
		const type = known[name];
		if (type === undefined) throw new Error(`Unknown node type "${name}"`);
		return type;
	};
	return {
		getByName: byName,
		getByNameAndVersion: (name, version) => NodeHelpers.getVersionedNodeType(byName(name), version),
		getKnownTypes: () => ({}),
	};
}

export function latestVersion(type: AnyNodeType): number {
	const { defaultVersion } = type.description;
	if (defaultVersion !== undefined) return defaultVersion;
	if (!('version' in type.description)) {
		return Math.max(...Object.keys((type as IVersionedNodeType).nodeVersions).map(Number));
	}
	return Math.max(...[type.description.version].flat());
}
