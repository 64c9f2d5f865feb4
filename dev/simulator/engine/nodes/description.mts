import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';

/** What n8n asks of every type of node. */
export const description = (
	name: string,
	more: Partial<INodeTypeDescription> = {},
): INodeTypeDescription => ({
	displayName: name,
	name,
	group: ['transform'],
	version: 1,
	description: name,
	defaults: { name },
	inputs: ['main'],
	outputs: ['main'],
	properties: [],
	...more,
});

/** Parameters that are taken as they come, with their defaults. */
export const parameters = (defaults: Record<string, INodeProperties['default']>) =>
	Object.entries(defaults).map(([name, value]): INodeProperties => ({
		displayName: name,
		name,
		type: 'json',
		default: value,
	}));
