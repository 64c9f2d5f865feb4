import type { Resource } from '../../rows/operation';
import { check } from './check.operation';
import { create } from './create.operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';
import { waitUntilPaid } from './waitUntilPaid.operation';

export const paymentLink: Resource = {
	option: {
		name: 'Payment Link',
		value: 'paymentLink',
		description: 'Hosted pages where customers pay',
	},
	operations: [create, check, get, getAll, waitUntilPaid],
	needsCredential: true,
};
