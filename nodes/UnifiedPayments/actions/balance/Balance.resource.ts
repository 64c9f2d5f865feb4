import type { Resource } from '../operation';
import { get } from './get.operation';

export const balance: Resource = {
	option: { name: 'Balance', value: 'balance', description: 'What the wallets hold' },
	picker: {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['balance'] } },
		options: [get.option],
		default: 'get',
	},
	operations: { get },
};
