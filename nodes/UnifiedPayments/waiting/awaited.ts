import { z } from 'zod';

import type { Order } from '../payment/order';
import { TIMED_OUT, type State } from '../payment/state';
import { withState } from '../output/transaction';
import type { Json } from '../protocol/parse';
import type { Redactor } from '../transport/redact';
import { isResumeAddress, paymentIn } from './address';

/** A payment that an execution waits for, as its own item tells it. */
export interface Awaited {
	/** Names it among those of the execution. */
	key: string;
	/** Its callback URL, without what is secret. */
	url: string;
	/** What the service calls it, where that is known. */
	reference: string | null;
	/** What the service was given to know it by; a link has none. */
	ownReference: string | null;
	amount: string | number;
	currency: string;
	mobile: string | null;
	/** False for a payment that somebody else is told about: sent by an earlier run, or not sent. */
	holds: boolean;
}

const text = z.union([z.string().min(1), z.number().transform(String)]);

const itemSchema = z.object({
	outcome: z.string(),
	reference: text.nullable().catch(null),
	request: z.object({
		callback_url: z.string().refine(isResumeAddress),
		amount: z.union([z.string(), z.number()]),
		currency: z.string(),
		mobile: z.string().nullish(),
		third_party_reference_1: text.nullish(),
	}),
});

/** What an item of a create says about its payment; null when no callback comes to this execution. */
export function readAwaited(json: Json): Awaited | null {
	const read = itemSchema.safeParse(json);
	if (!read.success) return null;
	const { outcome, reference, request } = read.data;
	if (outcome !== 'accepted' && outcome !== 'duplicate') return null;
	return {
		key: paymentIn(request.callback_url)!,
		url: request.callback_url,
		reference,
		ownReference: request.third_party_reference_1 ?? null,
		amount: request.amount,
		currency: request.currency,
		mobile: request.mobile ?? null,
		holds: outcome === 'accepted',
	};
}

/** What the service says about an awaited payment. */
export interface Sight {
	record: Json;
	state: State;
	/** The service's own name for it. */
	reference: string | null;
	order: Order;
	/** False when only the callback could tell its name, so that nobody could ask again without it. */
	canBeAskedAgain: boolean;
}

/** Nothing was waited for, or nothing is known. */
export const withoutSight = (json: Json): Json => ({
	...json,
	state: null,
	asked: null,
	paidInFull: null,
	transaction: null,
});

export const withSight = (json: Json, sight: Sight, redactor: Redactor): Json => ({
	...json,
	reference: sight.reference ?? json.reference ?? null,
	state: sight.state,
	asked: sight.order.asked,
	paidInFull: sight.order.paidInFull,
	transaction: redactor.deep(withState(sight.record, sight.state)),
});

/** How it leaves when time is up: what is known by now, and a state that says so. */
export const timedOutItem = (json: Json, sight: Sight | null, redactor: Redactor): Json => ({
	...(sight === null ? withoutSight(json) : withSight(json, sight, redactor)),
	state: TIMED_OUT,
	paidInFull: null,
});

/** Whether an item of a waiting node still waits, by how it would leave. */
export const isWaiting = (json: Json): boolean => json.state === TIMED_OUT;
