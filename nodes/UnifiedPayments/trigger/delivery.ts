import { z } from 'zod';

import type { MarkReading } from '../payment/mark';
import type { Json } from '../protocol/parse';
import { withoutTokens, type Redactor } from '../transport/redact';
import type { Acceptance } from './endpoint/checks';

/** n8n's name for the second endpoint of a node: here, the one that answers when the workflow has ended. */
export const AT_THE_END = 'setup';

/** A callback as it was received, without secrets. */
export interface Callback {
	body: Json;
	headers: Json;
	receivedAt: string;
}

/** What the endpoint hands to the execution, through n8n's database: nothing else is shared. */
export interface Delivery {
	/**
	 * Names this one delivery, so that a retried execution is told from a repeated callback. What is
	 * answered at the end is sent again unless it ended well, so there the same bytes are the same.
	 */
	delivery: string;
	verified: Acceptance['verified'];
	/** The parameter of the URL that was called which names the order; of the URL nothing else. */
	order: CalledOrder;
	callback: Callback;
}

export interface CalledOrder {
	/** As it was called, e.g. `upo=…`; empty when there was none. */
	written: string;
	/** Read where the credential is at hand anyway. */
	reading: MarkReading;
}

const SECRET_HEADER = /auth|cookie|token|secret|signature|hmac|api-?key|password|session/i;
export function cleanHeaders(
	headers: Readonly<Record<string, unknown>>,
	named: readonly string[],
	redactor: Redactor,
): Json {
	const secret = new Set(named.map((name) => name.toLowerCase()));
	const shown = Object.entries(headers).filter(
		([name]) => !SECRET_HEADER.test(name) && !secret.has(name.toLowerCase()),
	);
	// Proxies write the address that was called into headers of their own, with the token in it.
	const clean = (value: unknown): unknown =>
		typeof value === 'string' ? withoutTokens(value) : value;
	return redactor.deep(
		Object.fromEntries(
			shown.map(([name, value]) => [name, Array.isArray(value) ? value.map(clean) : clean(value)]),
		),
	) as Json;
}

/** n8n stores it, so it holds no secret. */
export const cleanBody = (body: Json, redactor: Redactor): Json => redactor.deep(body) as Json;

const object = z.record(z.string(), z.unknown());

const readingSchema = z.union([
	z.object({ kind: z.union([z.literal('absent'), z.literal('invalid')]) }),
	z.object({
		kind: z.literal('valid'),
		orderReference: z.string().nullable(),
		asked: z.object({ amount: z.number(), currency: z.string() }),
	}),
]);

const NO_ORDER: CalledOrder = { written: '', reading: { kind: 'absent' } };

const deliverySchema = z.object({
	delivery: z.string().catch(''),
	verified: z.union([z.literal('token'), z.literal('hmac'), z.literal(false)]).catch(false),
	order: z.object({ written: z.string(), reading: readingSchema }).catch(NO_ORDER),
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
