import type { Resource } from '../operation';
import { get } from './get.operation';

export const token: Resource = {
	option: { name: 'Token', value: 'token', description: 'Tokens of the API' },
	picker: {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['token'] } },
		options: [get.option],
		default: 'get',
	},
	operations: { get },
};
