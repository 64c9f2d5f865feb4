import type { Resource } from '../operation';
import { getAll } from './getAll.operation';

export const country: Resource = {
	option: { name: 'Country', value: 'country', description: 'Where payments can be taken' },
	picker: {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['country'] } },
		options: [getAll.option],
		default: 'getAll',
	},
	operations: { getAll },
};
