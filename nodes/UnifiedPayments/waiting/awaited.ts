import { z } from 'zod';

import { ownMark, paymentOfMark } from '../payment/mark';
import type { Order } from '../payment/order';
import type { Payment } from '../payment/payment';
import { withState } from '../payment/record';
import { TIMED_OUT, type State } from '../payment/state';
import { givenAlike, type Known, type Whose } from '../payment/whose';
import { isRecord, type Json } from '../protocol/parse';
import { readReference } from '../protocol/reply';
import type { Redactor } from '../transport/redact';
import { awaitedIn, executionIn } from './address';

/** A payment that an execution waits for, as its own item tells it. */
export interface AwaitedPayment extends Known, Pick<Payment, 'ownReference'> {
	/** Names it among those of the execution. */
	key: string;
	/** Without what is secret. */
	callbackUrl: string;
	/** False for a payment that somebody else is told about: sent by an earlier run, or not sent. */
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

const itemSchema = z.object({
	outcome: z.enum(['accepted', 'duplicate']),
	reference: z.unknown(),
	orderReference: text.nullish().catch(null),
	request: z.object({
		callback_url: z.string(),
		amount: z.union([z.string(), z.number()]),
		currency: z.string(),
		mobile: z.string().nullish(),
		third_party_reference_1: text.nullish(),
	}),
});

/** What an item of a create says about its payment; null when no callback comes to an execution. */
export function readAwaited(json: Json): AwaitedPayment | null {
	const read = itemSchema.safeParse(json);
	if (!read.success) return null;
	const { outcome, orderReference, request } = read.data;
	const { callback_url: callbackUrl, third_party_reference_1: own, mobile } = request;
	const key = awaitedIn(callbackUrl);
	if (key === null) return null;
	const isAccepted = outcome === 'accepted';
	const mark = ownMark(key);
	// Only collections are asked of a certain phone.
	const kind = mark.is === 'valid' ? mark.kind : (mobile ?? null) === null ? 'link' : 'collection';
	return {
		key,
		kind,
		mark: key,
		callbackUrl,
		receivesCallback: isAccepted,
		sentEarlier: !isAccepted,
		reference: readReference(read.data.reference),
		orderReference: orderReference ?? own ?? null,
		ownReference: own ?? null,
		isOneOfSeveral: mark.is === 'valid' && mark.orderReference !== null && mark.key !== '',
		amount: String(request.amount),
		currency: request.currency,
		mobile: mobile ?? null,
	};
}

export function readItem(json: Json): WaitingItem {
	const payment = readAwaited(json);
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
export function readAside(json: Json): WaitingItem {
	const payment = json.state === TIMED_OUT ? readAwaited(json) : null;
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
		if (payment === null || payments.has(payment.key)) continue;
		if (own !== null && executionIn(payment.callbackUrl) !== own) payment.receivesCallback = false;
		payment.sentEarlier = !payment.receivesCallback;
		payments.set(payment.key, payment);
		if (!payment.receivesCallback) continue;
		const name = paymentOfMark(ownMark(payment.mark));
		sent.set(name, sent.has(name) ? null : payment);
	}
	for (const item of items) {
		if (item.payment === null) continue;
		const repeated = item.payment.receivesCallback
			? null
			: sent.get(paymentOfMark(ownMark(item.payment.mark)));
		if (repeated) payments.delete(item.payment.key);
		item.payment = repeated ?? payments.get(item.payment.key) ?? item.payment;
	}
	const named = [...payments.values()].filter((each) => each.receivesCallback);
	const isNamed = ({ reference }: AwaitedPayment) => (reference === null ? [] : [reference]);
	for (const payment of givenAlike(named, isNamed)) payment.reference = null;
	return payments;
}

/** How an item leaves, by what is known of its payment. */
export function leaving(
	{ json, isTold, payment }: WaitingItem,
	statusOf: (payment: AwaitedPayment) => PaymentStatus | null,
	redactor: Redactor,
): Json {
	if (isTold) return json;
	const status = payment && statusOf(payment);
	// If nothing more is heard: n8n passes on what is put aside.
	if (payment !== null && status === null && json.state === TIMED_OUT) return json;
	if (payment?.receivesCallback === true && status?.isFinal !== true) {
		// n8n reads all items again for each callback, so what is soon out of date is left out.
		const stillOpen = { state: TIMED_OUT, paidInFull: null, transaction: null };
		return inOrder({ ...withStatus(json, status, redactor), ...stillOpen }, payment);
	}
	return inOrder(withStatus(json, status, redactor), payment);
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
