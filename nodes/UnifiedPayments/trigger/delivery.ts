import { z } from 'zod';

import { isRecord, type Json } from '../protocol/parse';
import type { Redactor } from '../transport/redact';
import type { Acceptance } from './endpoint/checks';

/** A callback as it was received, without secrets. */
export interface Callback {
	body: Json;
	headers: Json;
	receivedAt: string;
}

/** What the endpoint hands to the execution, through the host's database: nothing else is shared. */
export interface Delivery {
	/** Names this one delivery, so that a retried execution is told from a repeated callback. */
	delivery: string;
	verified: Acceptance['verified'];
	callback: Callback;
}

const SECRET_HEADER = /auth|cookie|token|secret|signature|hmac|api-?key|password|session/i;
/** The callback URL comes back in records and in headers of proxies, with the token in it. */
const TOKEN_IN_URL = /([?&]token=)[^&#\s"']*/gi;

export const withoutToken = (value: unknown): unknown =>
	mapText(value, (text) => text.replace(TOKEN_IN_URL, '$1***'));

/** Only for what is known not to be deep: a body that was checked, or what a redactor has cut. */
function mapText(value: unknown, change: (text: string) => string): unknown {
	if (typeof value === 'string') return change(value);
	if (Array.isArray(value)) return value.map((each) => mapText(each, change));
	if (!isRecord(value)) return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, each]) => [key, mapText(each, change)]),
	);
}

export function cleanHeaders(
	headers: Readonly<Record<string, unknown>>,
	named: readonly string[],
	redactor: Redactor,
): Json {
	const secret = new Set(named.map((name) => name.toLowerCase()));
	const shown = Object.entries(headers).filter(
		([name]) => !SECRET_HEADER.test(name) && !secret.has(name.toLowerCase()),
	);
	return withoutToken(redactor.deep(Object.fromEntries(shown))) as Json;
}

export const cleanBody = (body: Json, redactor: Redactor): Json =>
	withoutToken(redactor.deep(body)) as Json;

const object = z.record(z.string(), z.unknown());

const deliverySchema = z.object({
	delivery: z.string().catch(''),
	verified: z.union([z.literal('token'), z.literal('hmac'), z.literal(false)]).catch(false),
	callback: z.object({
		body: object,
		headers: object.catch({}),
		receivedAt: z.string().catch(''),
	}),
});

/** Reads an item back; null when it is none that the endpoint made. */
export function readDelivery(json: Json): Delivery | null {
	const read = deliverySchema.safeParse(json);
	return read.success ? read.data : null;
}
