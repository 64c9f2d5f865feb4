import { limitIn, limitProperties } from '../../fields/limit';
import { readOptionsField } from '../../fields/optionGroups';
import type { ReadOperation } from '../../rows/operation';
import { listLinks } from './get.operation';

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
		const entries = await listLinks(client, options, 'the payment links');
		return entries.slice(0, limit);
	},
};
