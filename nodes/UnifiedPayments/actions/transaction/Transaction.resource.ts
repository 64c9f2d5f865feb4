import type { Resource } from '../operation';
import { get } from './get.operation';

export const transaction: Resource = {
	option: {
		name: 'Transaction',
		value: 'transaction',
		description: 'What became of a payment',
	},
	operations: [get],
	needsCredential: true,
};
