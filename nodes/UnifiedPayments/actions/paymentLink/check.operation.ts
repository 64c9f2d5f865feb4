import { checkOptionsField, withOptions } from '../../fields/optionGroups';
import type { CheckOperation } from '../../rows/operation';
import { create } from './create.operation';

export const check: CheckOperation = {
	kind: 'check',
	of: create,

	option: {
		name: 'Check',
		value: 'check',
		action: 'Check payment links before they are sent',
		description:
			'Check a whole batch before you send it: its total, what is wrong with it, and a fingerprint to approve. Sends nothing.',
	},

	properties: withOptions(create.properties, checkOptionsField),
};
