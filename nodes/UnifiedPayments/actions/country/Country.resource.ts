import type { Resource } from '../../rows/operation';
import { getAll } from './getAll.operation';

export const country: Resource = {
	option: {
		name: 'Country',
		value: 'country',
		description: 'Where payments can be taken',
	},
	operations: [getAll],
	needsCredential: false,
};
