import type { Resource } from '../../rows/operation';
import { diagnose } from './diagnose.operation';

export const account: Resource = {
	option: {
		name: 'Account',
		value: 'account',
		description: 'Find out whether the service works as this node expects',
	},
	operations: [diagnose],
	needsCredential: true,
};
