import type { Resource } from '../operation';
import { create } from './create.operation';

export const collection: Resource = {
	option: {
		name: 'Collection',
		value: 'collection',
		description: 'Payments asked from a mobile wallet',
	},
	picker: {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['collection'] } },
		options: [create.option],
		default: 'create',
	},
	operations: { create },
};
