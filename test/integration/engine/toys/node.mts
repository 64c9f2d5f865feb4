import { NodeConnectionTypes } from 'n8n-workflow';
import type { INodeType, INodeTypeDescription } from 'n8n-workflow';

type Execute = NonNullable<INodeType['execute']>;

/** A node that exists only to show what the engine does with it. */
export function toyNode(
	execute: Execute,
	description: Partial<INodeTypeDescription> = {},
	methods: INodeType['methods'] = {},
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
			credentials: [{ name: 'toyApi' }],
			properties: [
				{
					displayName: 'Operation',
					name: 'operation',
					type: 'options',
					options: [
						{ name: 'Send', value: 'send' },
						{ name: 'Read', value: 'read' },
					],
					default: 'send',
				},
				{
					displayName: 'Amount',
					name: 'amount',
					type: 'number',
					default: 5,
					displayOptions: { show: { operation: ['send'] } },
				},
				{
					displayName: 'Reference',
					name: 'reference',
					type: 'string',
					default: '',
					required: true,
					displayOptions: { show: { operation: ['read'] } },
				},
			],
			...description,
		},
		methods,
		execute,
	};
}
