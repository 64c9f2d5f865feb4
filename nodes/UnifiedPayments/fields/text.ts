import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';

import { LONGEST } from '../protocol/limits';
import { parseUrl } from '../protocol/parse';
import { bad, good, isBlank, type Read, type Field } from './field';

/** For a field that can only be read together with another one. */
export const asGiven = (given: unknown): Read<unknown> => good(given);

export function readText(given: unknown): Read<string> {
	const isNumber = typeof given === 'number' && !Number.isNaN(given);
	if (isNumber || typeof given === 'boolean') return good(String(given));
	if (isBlank(given)) return bad('but a value is needed', 'Fill in this field.');
	if (typeof given !== 'string') return bad('which is not text', 'Give plain text.');
	if (given.length > LONGEST.text) {
		return bad('which is too long', `Give at most ${LONGEST.text} characters.`);
	}
	if (/\p{Surrogate}/u.test(given)) {
		return bad('which holds half of a character', 'Type or paste the text again.');
	}
	return good(given);
}

export function readUrl(given: unknown): Read<string> {
	const allowed = 'Enter a full address that begins with https:// or http://.';
	if (typeof given !== 'string') return bad('which is not a web address', allowed);
	const text = given.trim();
	if (text.length > LONGEST.webAddress) {
		return bad('which is too long', `Give at most ${LONGEST.webAddress} characters.`);
	}
	const url = parseUrl(text);
	if (!url || !/^https?:\/\/[^/\s]/i.test(text) || /\s/.test(text)) {
		return bad('which is not a web address', allowed);
	}
	return good(text);
}

const email = z.string().trim().email();

export function readEmail(given: unknown): Read<string> {
	const isLong = typeof given === 'string' && given.length > LONGEST.email;
	const parsed = email.safeParse(isLong ? null : given);
	return parsed.success
		? good(parsed.data)
		: bad('which is not an e-mail address', 'Give one address, e.g. amina@example.com.');
}

export function readInteger(given: unknown): Read<number> {
	const text = typeof given === 'string' ? given.trim() : given;
	const isShort = typeof text === 'string' && text.length <= LONGEST.wholeNumber;
	const value = isShort && /^-?\d+$/.test(text) ? Number(text) : text;
	return typeof value === 'number' && Number.isSafeInteger(value)
		? good(value)
		: bad('which is not a whole number', 'Give a whole number, e.g. 1001.');
}

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

type TextProperty = Omit<INodeProperties, 'type' | 'default' | 'required'>;

/** Left out when it is empty. */
export const optionalTextField = <T>(
	property: TextProperty,
	read: (given: unknown) => Read<T>,
): Field<T | undefined> => ({
	property: { ...property, type: 'string', default: '' },
	blank: { value: undefined },
	read,
});

export const requiredTextField = <T>(
	property: TextProperty,
	read: (given: unknown) => Read<T>,
): Field<T> => ({
	property: { ...property, type: 'string', required: true, default: '' },
	read,
});

export const orderReferenceField = optionalTextField(
	{
		displayName: 'Order Reference',
		name: 'orderReference',
		placeholder: 'e.g. order-1042',
		hint: 'Matches a payment with its order, and keeps it from being sent twice.',
		builderHint: {
			propertyHint:
				'Always set it when the input has an order or invoice number: it keeps a payment from being sent twice.',
		},
		description:
			'Your own number for this payment, e.g. the order or invoice number. Without it, two payments of the same customer, item, amount, currency and country are one, and so are two without a customer.',
	},
	readReferenceText,
);
