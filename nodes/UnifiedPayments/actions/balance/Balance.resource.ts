import type { Resource } from '../../rows/operation';
import { get } from './get.operation';

export const balance: Resource = {
	option: {
		name: 'Balance',
		value: 'balance',
		description: 'What the wallets hold',
	},
	operations: [get],
	needsCredential: true,
};
