import { bad, type Field, type Read } from './field';
import { readText } from './text';

/** How sheets write a long number that they shortened, e.g. 1.23457E+15. */
const SHORTENED = /^\d(?:[.,]\d{1,20})?E\+\d{2,3}$/i;

const WHOLE = 'Format the column as text and enter the whole number again.';

/** A number that was rounded names another order, so it is refused. */
export function readReferenceText(given: unknown): Read<string> {
	if (typeof given === 'number' && Math.abs(given) > Number.MAX_SAFE_INTEGER) {
		return bad('which is too large to be an exact number, so that digits may be wrong', WHOLE);
	}
	const read = readText(given);
	if (read.ok && SHORTENED.test(read.value.trim())) {
		return bad('which a sheet shortened, so that digits may be missing', WHOLE);
	}
	return read;
}

export const orderReferenceField: Field<string | undefined> = {
	property: {
		displayName: 'Order Reference',
		name: 'orderReference',
		type: 'string',
		default: '',
		placeholder: 'e.g. order-1042',
		hint: 'By it a payment is matched with its order, and never sent twice.',
		builderHint: {
			propertyHint:
				'Always give one when the input has a number of the order or invoice: by it a payment is known again, and not sent twice.',
		},
		description: 'Your own number for this payment, e.g. of the order or the invoice',
	},
	blank: { value: undefined },
	read: readReferenceText,
};
