import type { INodeProperties } from 'n8n-workflow';

import { bad, good, readFields, type Field, type RawFields } from './field';
import { readInteger } from './text';

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
			? bad(
					'which is less than one',
					"Enter a whole number of at least 1, or turn on 'Return All'.",
				)
			: read;
	},
};

const unlimitedField: Field<number> = { ...limitField, read: () => good(Infinity) };

/** What every list has. */
export const limitProperties: INodeProperties[] = [returnAllProperty, limitField.property];

/** How many results are wanted. */
export const limitIn = (raw: RawFields): number =>
	readFields({ limit: raw.returnAll === true ? unlimitedField : limitField }, raw).limit;
