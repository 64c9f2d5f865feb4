import type { Resource } from '../../rows/operation';
import { get } from './get.operation';
import { waitUntilFinal } from './waitUntilFinal.operation';

export const transaction: Resource = {
	option: {
		name: 'Transaction',
		value: 'transaction',
		description: 'What became of a payment',
	},
	operations: [get, waitUntilFinal],
	needsCredential: true,
};
