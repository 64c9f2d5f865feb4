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
		action: 'Create collection and wait for result',
		description:
			"Ask a customer's mobile wallet for the money, and go on when the payment has succeeded or failed",
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
