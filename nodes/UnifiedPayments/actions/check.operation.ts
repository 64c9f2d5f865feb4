import type { INodeProperties } from 'n8n-workflow';

import type { CheckOperation, CreateOperation } from '../rows/operation';

/** The same fields as the create, with other options. */
export const checkOf = (
	create: CreateOperation,
	options: INodeProperties,
	action: string,
): CheckOperation => ({
	kind: 'check',
	of: create,

	option: {
		name: 'Check',
		value: 'check',
		action,
		description:
			'Review all rows together before a person approves them: totals, what to correct, and a fingerprint. Sends nothing, and knows nothing of earlier runs.',
	},

	properties: [...create.properties.filter(({ name }) => name !== options.name), options],
});
