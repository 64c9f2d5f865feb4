import type { Resource } from '../operation';
import { get } from './get.operation';

export const transaction: Resource = {
	option: { name: 'Transaction', value: 'transaction', description: 'What became of a payment' },
	picker: {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['transaction'] } },
		options: [get.option],
		default: 'get',
	},
	operations: { get },
};
