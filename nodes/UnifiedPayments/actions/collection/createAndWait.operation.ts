import { additionalFields, fieldsOrColumns } from '../../fields/columns';
import { readFields } from '../../fields/field';
import { createCollectionOptionsField } from '../../fields/optionGroups';
import { waitLimitField } from '../../fields/waitLimit';
import { NOT_AS_TOOL, type CreateOperation } from '../../rows/operation';
import { ADDITIONAL, create, MAIN } from './create.operation';

const waitLimitMinutes = waitLimitField(30);

export const createAndWait: CreateOperation = {
	...create,
	waits: waitLimitMinutes,

	option: {
		name: 'Create and Wait',
		value: 'createAndWait',
		action: 'Collect payment by mobile money and wait for result',
		description:
			"Ask for a payment from a customer's mobile wallet, and go on when it has succeeded or failed",
		...NOT_AS_TOOL,
	},

	properties: [
		...fieldsOrColumns('getAwaitedCollectionColumns', MAIN),
		waitLimitMinutes.property,
		additionalFields(ADDITIONAL),
		createCollectionOptionsField,
	],

	async prepare(raw, ...others) {
		readFields({ waitLimitMinutes }, raw);
		// The service calls back to the execution itself.
		return await create.prepare({ ...raw, callbackUrl: undefined }, ...others);
	},
};
