import { z } from 'zod';

import { readOptionsField } from '../../descriptions/options';
import { check } from '../../fields/inputError';
import { readInteger, unwrap } from '../../fields/text';
import { bad, type Read } from '../../fields/read';
import { entriesOf } from '../../output/entries';
import { ENDPOINTS } from '../../protocol/endpoints';
import type { ReadOperation } from '../operation';
import { unreadable } from '../unreadable';

const NAME = 'the payment links';

const readLimit = (given: unknown): Read<number> => {
	const read = readInteger(given);
	return read.ok && read.value < 1
		? bad('which is less than one', "Give a whole number of at least 1, or turn on 'Return All'.")
		: read;
};

const schema = z
	.object({ returnAll: z.unknown(), limit: z.unknown() })
	.transform(({ returnAll, limit }, issues) =>
		returnAll === true ? Infinity : unwrap(readLimit(limit), issues, 'limit'),
	);

export const getAll: ReadOperation = {
	kind: 'read',

	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many payment links',
		description: 'List the links that were created under this account',
	},

	properties: [
		{
			displayName: 'Return All',
			name: 'returnAll',
			type: 'boolean',
			default: false,
			description: 'Whether to return all results or only up to a given limit',
		},
		{
			displayName: 'Limit',
			name: 'limit',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 50,
			displayOptions: { show: { returnAll: [false] } },
			description: 'Max number of results to return',
		},
		readOptionsField,
	],

	async run(raw, options, client) {
		const limit = check(schema, raw);
		const reply = await client.list(ENDPOINTS.listPaymentLinks, options, NAME);
		return (entriesOf(reply) ?? unreadable(reply, NAME)).slice(0, limit);
	},
};
