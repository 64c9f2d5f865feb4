import { checkOptionsField } from '../fields/optionGroups';
import type { CheckOperation, CreateOperation } from '../rows/operation';

/** The same fields as the create, with other options. */
export const checkOf = (create: CreateOperation, action: string): CheckOperation => ({
	kind: 'check',
	of: create,

	option: {
		name: 'Check',
		value: 'check',
		action,
		description:
			'Check a whole batch before you send it: its total, what is wrong with it, and a fingerprint to approve. Sends nothing.',
	},

	properties: [
		...create.properties.filter(({ name }) => name !== checkOptionsField.name),
		checkOptionsField,
	],
});
