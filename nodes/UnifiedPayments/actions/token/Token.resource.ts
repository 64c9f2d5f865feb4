import type { Resource } from '../../rows/operation';
import { get } from './get.operation';

export const token: Resource = {
	option: {
		name: 'Token',
		value: 'token',
		description: 'Tokens of the API',
	},
	operations: [get],
	needsCredential: true,
};
