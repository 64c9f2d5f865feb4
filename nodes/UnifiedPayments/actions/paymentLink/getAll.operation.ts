import type { INodeProperties } from 'n8n-workflow';

import { bad, good, readFields, type Field } from '../../fields/field';
import { readOptionsField } from '../../fields/options';
import { readInteger } from '../../fields/text';
import { ENDPOINTS } from '../../protocol/endpoints';
import { entriesOf } from '../../protocol/reply';
import { withoutData } from '../../transport/errors';
import type { ReadOperation } from '../operation';

const NAME = 'the payment links';

const returnAllProperty: INodeProperties = {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
};

const limitField: Field<number> = {
	property: {
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		displayOptions: { show: { returnAll: [false] } },
		description: 'Max number of results to return',
	},
	read(given) {
		const read = readInteger(given);
		return read.ok && read.value < 1
			? bad('which is less than one', "Give a whole number of at least 1, or turn on 'Return All'.")
			: read;
	},
};

const unlimitedField: Field<number> = { ...limitField, read: () => good(Infinity) };

export const getAll: ReadOperation = {
	kind: 'read',

	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many payment links',
		description: 'List the links that were created under this account',
	},

	properties: [returnAllProperty, limitField.property, readOptionsField],

	async run(raw, options, client) {
		const { limit } = readFields(
			{ limit: raw.returnAll === true ? unlimitedField : limitField },
			raw,
		);
		const reply = await client.list(ENDPOINTS.listPaymentLinks, options, NAME);
		const entries = entriesOf(reply);
		if (entries === null) throw withoutData(reply, NAME);
		return entries.slice(0, limit);
	},
};
