import { limitIn, limitProperties } from '../../fields/limit';
import { readOptionsField } from '../../fields/optionGroups';
import { ENDPOINTS } from '../../protocol/endpoints';
import { entriesOf } from '../../protocol/reply';
import { withoutData } from '../../transport/errors';
import type { ReadOperation } from '../../rows/operation';

const NAME = 'the payment links';

export const getAll: ReadOperation = {
	kind: 'read',

	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many payment links',
		description: 'List the links that were created under this account',
	},

	properties: [...limitProperties, readOptionsField],

	async run(raw, options, client) {
		const limit = limitIn(raw);
		const reply = await client.list(ENDPOINTS.listPaymentLinks, options, NAME);
		const entries = entriesOf(reply);
		if (entries === null) throw withoutData(reply, NAME);
		return entries.slice(0, limit);
	},
};
