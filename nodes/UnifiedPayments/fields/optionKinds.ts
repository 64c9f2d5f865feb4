import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';

import { readDecimal } from '../payment/amount';
import { isFingerprint } from '../payment/fingerprint';
import { readBoolean } from '../protocol/parse';
import { bad, good, isBlank, type Field, type Read } from './field';
import { readReferenceText } from './text';

type Property = Omit<INodeProperties, 'type' | 'default' | 'options' | 'typeOptions'>;

interface Range {
	min: number;
	max: number;
	default: number;
	whole?: boolean;
}

/** The editor and the reader take limits and default from the same place. */
export function numberField(
	property: Property,
	{ min, max, default: initial, whole = true }: Range,
): Field<number> {
	const range = z.coerce.number().min(min).max(max);
	const schema = whole ? range.int() : range;
	const kind = `${whole ? 'whole number' : 'number'} from ${min} to ${max}`;
	return {
		property: {
			...property,
			type: 'number',
			typeOptions: { minValue: min, maxValue: max },
			default: initial,
		},
		blank: { value: initial },
		read(given) {
			const isNumeric = typeof given === 'number' || typeof given === 'string';
			const read = isNumeric ? schema.safeParse(given) : { success: false as const };
			return read.success ? good(read.data) : bad(`which is not a ${kind}`, `Give a ${kind}.`);
		},
	};
}

export const flagOption = (property: Property, initial: boolean): Field<boolean> => ({
	property: { ...property, type: 'boolean', default: initial },
	blank: { value: initial },
	read(given) {
		const value = readBoolean(given);
		return value === null
			? bad('which is neither true nor false', 'Give true or false.')
			: good(value);
	},
});

/** Not added, it is off. Added, but without a value, it might be meant to be on. */
export const guardOption = ({ property, read }: Field<boolean>): Field<boolean> => ({
	property,
	read: (given) => (given === undefined ? good(false) : read(given)),
});

/** Added, but empty, is "": the row has no key, and others of its order may have one. */
export function readKey(given: unknown): Read<string | null> {
	if (given === undefined) return good(null);
	if (isBlank(given)) return good('');
	return typeof given === 'string' || typeof given === 'number'
		? readReferenceText(given)
		: bad('which is not text', 'Give text, e.g. an order number.');
}

/** Added, but empty, is no approval: an expression may have found none. */
export const approvedFingerprintOption: Field<string | null> = {
	property: {
		displayName: 'Approved Fingerprint',
		name: 'approvedFingerprint',
		type: 'string',
		default: '',
		placeholder: "e.g. {{ $('Check').first().json.fingerprint }}",
		description:
			"The fingerprint that 'Check' gave for the rows that were approved. Nothing is sent unless the rows are exactly those.",
	},
	read(given) {
		if (given === undefined) return good(null);
		const text = typeof given === 'string' ? given.trim() : '';
		return isFingerprint(text)
			? good(text)
			: bad(
					"which is not a fingerprint of 'Check'",
					"Give the 'fingerprint' of the item that 'Check' gave. To send without an approval, remove the option.",
				);
	},
};

/** A limit that was added, but cannot be read, is not the same as no limit. */
export const limitOption = (property: Property): Field<string | null> => ({
	property: { ...property, type: 'number', typeOptions: { minValue: 0 }, default: 0 },
	read(given) {
		if (given === undefined) return good(null);
		const isWritten = typeof given === 'string' || typeof given === 'number';
		const read = isWritten ? readDecimal(given) : null;
		return read !== null && 'value' in read
			? good(read.value)
			: bad(
					'which is not an amount above zero',
					'Enter an amount above zero with at most two decimals. To send without a limit, remove the option.',
				);
	},
});
