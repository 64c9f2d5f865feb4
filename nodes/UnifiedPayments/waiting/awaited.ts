import { z } from 'zod';

import { ownMark, paymentOfMark } from '../payment/mark';
import type { Order } from '../payment/order';
import { withState } from '../payment/record';
import { TIMED_OUT, type State } from '../payment/state';
import { givenAlike, type Known, type Whose } from '../payment/whose';
import { isRecord, type Json } from '../protocol/parse';
import { readReference } from '../protocol/reply';
import type { Redactor } from '../transport/redact';
import { awaitedIn, executionIn } from './address';

/** A payment that an execution waits for. Its mark names it among those of the execution. */
export interface AwaitedPayment extends Known {
	mark: string;
	/** False for a payment that another execution is told about. */
	receivesCallback: boolean;
}

/** What the service says about an awaited payment. */
export interface PaymentStatus {
	record: Json;
	state: State;
	/** The service's own word for it; null when it says none. */
	word: string | null;
	isFinal: boolean;
	/** The service's own name for it. */
	reference: string | null;
	order: Order;
	/** The evidence that it is this payment's. */
	by: Extract<Whose, { is: 'mine' }>['by'];
	/** False when only the callback could tell its name, so that nobody could ask again without it. */
	canBeAskedAgain: boolean;
	/** Of the record, in characters. */
	size: number;
}

/** An item of a node that waits, and what it is about. */
export interface WaitingItem {
	json: Json;
	/** True when it leaves as it is: all that can be said of it has been said. */
	isTold: boolean;
	payment: AwaitedPayment | null;
}

const text = z.union([z.string().min(1), z.number().transform(String)]);

/** What an item of a create says of its payment that the mark does not. */
const createdSchema = z.object({
	outcome: z.enum(['accepted', 'duplicate']),
	reference: z.unknown(),
	orderReference: text.nullish().catch(null),
	request: z.object({
		callback_url: z.string(),
		mobile: z.string().nullish(),
		third_party_reference_1: text.nullish(),
	}),
});

/** The payment of an item that a create gave; null when no callback comes to an execution. */
export function readCreated(json: Json): AwaitedPayment | null {
	const read = createdSchema.safeParse(json);
	if (!read.success) return null;
	const { outcome, orderReference, request } = read.data;
	const mark = awaitedIn(request.callback_url);
	if (mark === null) return null;
	const payment = withMark({
		mark,
		reference: readReference(read.data.reference),
		orderReference: request.third_party_reference_1 ?? orderReference ?? null,
		mobile: request.mobile ?? null,
	});
	if (payment === null) return null;
	const sentEarlier = outcome === 'duplicate';
	const { callback_url: callbackUrl } = request;
	return { ...payment, callbackUrl, receivesCallback: !sentEarlier, sentEarlier };
}

/** What an item carries of its payment while the execution sleeps: the mark says the rest. */
const savedSchema = z
	.object({
		mark: z.string(),
		reference: z.string().nullable(),
		orderReference: z.string().nullable(),
		mobile: z.string().nullable(),
	})
	.strict();

type Saved = z.infer<typeof savedSchema>;

/** Null for a mark that is none. Its code is not looked at: what was put aside is our own. */
function withMark(saved: Saved): AwaitedPayment | null {
	const mark = ownMark(saved.mark);
	if (mark.is !== 'valid') return null;
	const { kind, asked, key, orderReference } = mark;
	return {
		...{ ...saved, kind, amount: String(asked.amount), currency: asked.currency },
		...{ isOneOfSeveral: orderReference !== null && key !== '', callbackUrl: null },
		...{ receivesCallback: true, sentEarlier: false },
	};
}

const savedOf = ({ mark, reference, orderReference, mobile }: AwaitedPayment): Saved => ({
	...{ mark, reference, orderReference, mobile },
});

export function readItem(created: Json): WaitingItem {
	// Of an earlier sleep.
	const { json } = readAside(created);
	const payment = readCreated(json);
	// A column may be called "error", too.
	const isTold = payment === null && (json.outcome === 'valid' || isRecord(json.error));
	return { json: isTold ? withoutPayment(json) : json, isTold, payment };
}

const OF_PAYMENT = ['state', 'asked', 'paidInFull', 'transaction'];

/** What an earlier run wrote into a sheet about a payment is no result of this one. */
const withoutPayment = (json: Json): Json =>
	Object.fromEntries(
		Object.entries(json).map(([name, value]) => [name, OF_PAYMENT.includes(name) ? null : value]),
	);

/** The same for an item that a node had put aside when it went to sleep. */
export function readAside({ awaited, ...json }: Json): WaitingItem {
	const saved = savedSchema.safeParse(awaited);
	const payment = saved.success ? withMark(saved.data) : null;
	return { json, isTold: payment === null, payment };
}

/**
 * The payments that items are about, each once. Items about the same payment share it, and so does
 * a repeat that was not sent, with the row that was. With `own`, the address of this execution, the
 * callbacks of all others go elsewhere.
 */
export function paymentsOf(
	items: readonly WaitingItem[],
	own: string | null = null,
): Map<string, AwaitedPayment> {
	const payments = new Map<string, AwaitedPayment>();
	const sent = new Map<string | null, AwaitedPayment | null>();
	for (const { payment } of items) {
		if (payment === null || payments.has(payment.mark)) continue;
		if (own !== null && executionIn(payment.callbackUrl ?? '') !== own)
			payment.receivesCallback = false;
		payments.set(payment.mark, payment);
		if (payment.sentEarlier) continue;
		const name = paymentOfMark(ownMark(payment.mark));
		sent.set(name, sent.has(name) ? null : payment);
	}
	for (const item of items) {
		if (item.payment === null) continue;
		const repeated = item.payment.sentEarlier
			? sent.get(paymentOfMark(ownMark(item.payment.mark)))
			: null;
		if (repeated) payments.delete(item.payment.mark);
		item.payment = repeated ?? payments.get(item.payment.mark) ?? item.payment;
	}
	const named = [...payments.values()].filter((each) => !each.sentEarlier);
	const isNamed = ({ reference }: AwaitedPayment) => (reference === null ? [] : [reference]);
	for (const payment of givenAlike(named, isNamed)) payment.reference = null;
	return payments;
}

/** How an item leaves, by what is known of its payment. */
export const leaving = (
	{ json, isTold, payment }: WaitingItem,
	status: PaymentStatus | null,
	redactor: Redactor,
): Json => (isTold ? json : inOrder(withStatus(json, status, redactor), payment));

/** How it is put aside: as it leaves if nothing more is heard, since n8n passes it on as it is. */
export function aside(item: WaitingItem, status: PaymentStatus | null, redactor: Redactor): Json {
	const json = leaving(item, status, redactor);
	const { payment } = item;
	if (payment?.receivesCallback !== true || status?.isFinal === true) return json;
	const awaited = savedOf({ ...payment, reference: status?.reference ?? payment.reference });
	// n8n reads all items again for each callback, so what is soon out of date is left out.
	return { ...json, state: TIMED_OUT, paidInFull: null, transaction: null, awaited };
}

/** The end stands first. What was said of the beginning is not true any more. */
function inOrder(json: Json, payment: AwaitedPayment | null): Json {
	const { state, paidInFull, transaction, asked, message, nextStep, ...others } = json;
	const isOver = payment?.receivesCallback === true;
	const said = isOver || message === undefined ? {} : { message };
	const next = isOver || nextStep === undefined ? {} : { nextStep };
	return { state, paidInFull, transaction, asked, ...others, ...said, ...next };
}

/** Null where nothing was waited for, or nothing is known. */
const withStatus = (json: Json, status: PaymentStatus | null, redactor: Redactor): Json =>
	status === null
		? { ...json, state: null, asked: null, paidInFull: null, transaction: null }
		: {
				...json,
				reference: status.reference ?? json.reference ?? null,
				state: status.state,
				asked: status.order.asked,
				paidInFull: status.order.paidInFull,
				transaction: redactor.deep(withState({ raw: status.record, state: status.state })),
			};
