import type { Resource } from '../operation';
import { check } from './check.operation';
import { create } from './create.operation';

export const collection: Resource = {
	option: {
		name: 'Collection',
		value: 'collection',
		description: 'Payments asked from a mobile wallet',
	},
	operations: [create, check],
	needsCredential: true,
};
