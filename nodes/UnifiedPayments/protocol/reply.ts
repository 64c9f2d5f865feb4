import { z } from 'zod';

import type { ServiceSettings } from './credential';
import { LONGEST } from './limits';
import { isRecord, parseJson, readBoolean, type Json } from './parse';

/** A reply of the service, read but not yet judged. */
export interface Reply {
	/** Null when the body has no `success` that can be read as true or false. */
	success: boolean | null;
	message: string | null;
	data: unknown;
	/** All of it; empty when it is no JSON object. */
	body: Readonly<Json>;
}

const text = z.string().min(1);

const parsed = (body: unknown): unknown => (typeof body === 'string' ? parseJson(body) : body);

/** Reads any body, as text or already parsed; it never throws. */
export function readReply(given: unknown): Reply {
	const reply = parsed(given);
	const body = isRecord(reply) ? reply : {};
	const { success, message, data } = body;
	return {
		success: readBoolean(success),
		message: typeof message === 'string' ? message : null,
		data,
		body,
	};
}

/** The shape of the signing endpoint's reply is an assumption: see docs/assumptions.md. */
const SIGNATURE_PLACES = [
	z.object({ signature: text }).transform((reply) => reply.signature),
	z.object({ data: z.object({ signature: text }) }).transform((reply) => reply.data.signature),
	z.object({ data: text }).transform((reply) => reply.data),
];

/** The signature in a reply of the signing endpoint; null when there is none. */
export function readSignature(body: unknown): string | null {
	const reply = parsed(body);
	for (const place of SIGNATURE_PLACES) {
		const read = place.safeParse(reply);
		if (read.success) return read.data;
	}
	return null;
}

const tokenSchema = z.object({ token: text });

/** The token in `data` of the token endpoint's reply; null when there is none. */
export function readToken(data: unknown): string | null {
	const read = tokenSchema.safeParse(data);
	return read.success ? read.data.token : null;
}

/** The service's own name for something, as text; null for whatever can be none. */
export function readReference(value: unknown): string | null {
	// A number above 2^53 has lost its last digits, and would name something else.
	if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : null;
	if (typeof value !== 'string') return null;
	const name = value.trim();
	const fits = name !== '' && name.length <= LONGEST.reference;
	return fits && !/[\p{Control}\p{Surrogate}]/u.test(name) ? name : null;
}

/** What stands at a path such as `payment.id`. */
const valueAt = (place: Readonly<Json>, path: string): unknown =>
	path
		.split('.')
		.reduce<unknown>(
			(inner, name) => (isRecord(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined),
			place,
		);

/** The first field of a list that holds something readable. */
export function firstIn<T>(
	place: unknown,
	fields: readonly string[],
	read: (value: unknown) => T | null,
): T | null {
	if (!isRecord(place)) return null;
	for (const field of fields) {
		const value = read(valueAt(place, field));
		if (value !== null) return value;
	}
	return null;
}

/** The names of the credential's two lists. */
export type FieldNames = Pick<ServiceSettings, 'referenceFields' | 'linkFields'>;

/** What a record, an entry or a callback says the service calls it. */
export const referenceIn = (place: unknown, { referenceFields }: FieldNames): string | null =>
	firstIn(place, referenceFields, readReference);

/** A reply may give it in its `data` or beside it. */
export const referenceOf = ({ data, body }: Reply, names: FieldNames): string | null =>
	referenceIn(data, names) ?? referenceIn(body, names);

/** The entries of a list reply, each as an object; null when `data` is no list, or too long. */
export function entriesOf({ data }: Pick<Reply, 'data'>): Json[] | null {
	if (!Array.isArray(data) || data.length > LONGEST.list) return null;
	return data.map((entry) => (isRecord(entry) ? entry : { value: entry as unknown }));
}
