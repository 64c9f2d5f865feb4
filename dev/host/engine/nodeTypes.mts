import { NodeConnectionTypes, NodeHelpers } from 'n8n-workflow';
import type { INodeType, INodeTypes, IVersionedNodeType } from 'n8n-workflow';

type AnyNodeType = INodeType | IVersionedNodeType;
export type NodeTypeMap = Record<string, AnyNodeType>;

export const PASS_THROUGH = 'engine.passThrough';

/** Passes its input on; used before and after the node that is run. */
const passThrough: INodeType = {
	description: {
		displayName: 'Pass Through',
		name: 'passThrough',
		group: ['transform'],
		version: 1,
		description: 'Passes its input on',
		defaults: { name: 'Pass Through' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		properties: [],
	},
	async execute() {
		return [this.getInputData()];
	},
};

/** The server's registry of node types, with a plain object behind it. */
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
