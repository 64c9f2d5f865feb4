import type { Resource } from '../../rows/operation';
import { check } from './check.operation';
import { create } from './create.operation';
import { createAndWait } from './createAndWait.operation';

export const collection: Resource = {
	option: {
		name: 'Collection',
		value: 'collection',
		description: 'Payments asked from a mobile wallet',
	},
	operations: [create, createAndWait, check],
	needsCredential: true,
};
