import { NodeConnectionTypes } from 'n8n-workflow';
import type { INodeType, INodeTypeDescription } from 'n8n-workflow';

type Execute = NonNullable<INodeType['execute']>;

/** A node that exists only to show what the engine does with it. */
export function toyNode(
	execute: Execute,
	description: Partial<INodeTypeDescription> = {},
): INodeType {
	return {
		description: {
			displayName: 'Toy',
			name: 'toy',
			group: ['transform'],
			version: 1,
			description: 'Shows what the engine does',
			defaults: { name: 'Toy' },
			inputs: [NodeConnectionTypes.Main],
			outputs: [NodeConnectionTypes.Main],
			properties: [],
			...description,
		},
		execute,
	};
}
