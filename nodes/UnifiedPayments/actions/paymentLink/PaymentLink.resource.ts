import type { Resource } from '../operation';
import { create } from './create.operation';
import { getAll } from './getAll.operation';

export const paymentLink: Resource = {
	option: {
		name: 'Payment Link',
		value: 'paymentLink',
		description: 'Hosted pages where customers pay',
	},
	picker: {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['paymentLink'] } },
		options: [create.option, getAll.option],
		default: 'create',
	},
	operations: { create, getAll },
};
