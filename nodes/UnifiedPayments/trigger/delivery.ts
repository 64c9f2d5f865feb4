import { z } from 'zod';

import type { Json } from '../protocol/parse';
import { withoutTokens, type Redactor } from '../transport/redact';

/** n8n's name for the second endpoint of a node: here, the one that answers when the workflow has ended. */
export const AT_THE_END = 'setup';

const object = z.record(z.string(), z.unknown());

const readingSchema = z.union([
	z.object({ is: z.union([z.literal('absent'), z.literal('invalid')]) }),
	z.object({
		is: z.literal('valid'),
		kind: z.union([z.literal('link'), z.literal('collection')]),
		orderReference: z.string().nullable(),
		asked: z.object({ amount: z.number(), currency: z.string() }),
		key: z.string(),
		maker: z.string(),
		place: z.string(),
	}),
]);

const orderSchema = z.object({
	/** The mark as it was called; empty when there was none. */
	written: z.string(),
	/** Read where the credential is at hand anyway. */
	reading: readingSchema,
});

export type CalledOrder = z.output<typeof orderSchema>;

const NO_ORDER: CalledOrder = { written: '', reading: { is: 'absent' } };

const deliverySchema = z.object({
	/**
	 * Names this one delivery, so that a retried execution is told from a repeated callback. What the
	 * service is answered at the end it sends again unless it ended well, so there the same bytes are the same.
	 */
	delivery: z.string().catch(''),
	/** What it has proven: by the mark of its address, or by a signature. False for a stranger. */
	verified: z.union([z.literal('address'), z.literal('hmac'), z.literal(false)]).catch(false),
	/** The parameter of the URL that was called which names the order; of the URL nothing else. */
	order: orderSchema.catch(NO_ORDER),
	/** As it was received, without secrets. */
	callback: z.object({ body: object, headers: object.catch({}), receivedAt: z.string().catch('') }),
});

/** What the endpoint hands to the execution, through n8n's database: nothing else is shared. */
export type Delivery = z.output<typeof deliverySchema>;

export type Callback = Delivery['callback'];

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
	// Proxies write the address that was called into headers of their own, with what is secret in it.
	const clean = (value: unknown): unknown =>
		typeof value === 'string' ? withoutTokens(value) : value;
	return redactor.deep(
		Object.fromEntries(
			shown.map(([name, value]) => [name, Array.isArray(value) ? value.map(clean) : clean(value)]),
		),
	) as Json;
}

/** Who called: the service itself, or anybody. Strangers get one look, and are never waited for. */
export const isFromService = ({ verified }: Pick<Delivery, 'verified'>): boolean =>
	verified !== false;

/** Reads an item back; null when it is none that the endpoint made. */
export function readDelivery(json: Json): Delivery | null {
	const read = deliverySchema.safeParse(json);
	return read.success ? read.data : null;
}
