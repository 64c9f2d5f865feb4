import type { Resource } from '../../rows/operation';
import { diagnose } from './diagnose.operation';

export const account: Resource = {
	option: {
		name: 'Account',
		value: 'account',
		description: 'Whether the service does what this node assumes',
	},
	operations: [diagnose],
	needsCredential: true,
};
