import { foldedReference, sameReference } from './compare';
import { paymentOfMark, type Asked, type Mark, type ValidMark } from './mark';
import type { Record } from './record';

/** The order that a payment is for, as items show it. */
export interface Order {
	orderReference: string | null;
	/** What was asked for when the payment was created; null when nothing proves it. */
	asked: Asked | null;
	/** Null when it cannot be said. */
	paidInFull: boolean | null;
}

export const NO_ORDER: Order = { orderReference: null, asked: null, paidInFull: null };

type OrderMismatch = 'order_code_invalid' | 'order_mismatch';

type OrderReading =
	{ is: 'order'; order: Order } | { is: 'mismatch'; reason: OrderMismatch; message: string };

const mismatch = (reason: OrderMismatch, message: string): OrderReading => ({
	is: 'mismatch',
	reason,
	message,
});

/**
 * The order of a record, by the mark of the address that it states, else of the one that was called.
 * What contradicts itself is the order of nobody.
 */
export function orderOf(record: Readonly<Record>, called: Mark): OrderReading {
	const { mark: ofRecord, orderReference: stated } = record;
	if (ofRecord.is === 'invalid' || called.is === 'invalid') {
		const where =
			ofRecord.is === 'invalid'
				? "callback URL of the service's record"
				: 'URL that the callback came to';
		return mismatch(
			'order_code_invalid',
			`The ${where} names an order, with a code that was not made with this credential`,
		);
	}
	if (ofRecord.is === 'valid' && called.is === 'valid' && !isSame(ofRecord, called)) {
		return mismatch(
			'order_mismatch',
			`The callback came to the URL of ${orderInWords(called)}, the service's record is about ${orderInWords(ofRecord)}`,
		);
	}
	const mark = ofRecord.is === 'valid' ? ofRecord : called;
	if (mark.is !== 'valid') return { is: 'order', order: NO_ORDER };
	const { orderReference, asked } = mark;
	// A URL may carry no order although there is one, so only another order speaks against it.
	if (stated !== null && orderReference !== null && !sameReference(stated, orderReference)) {
		return mismatch(
			'order_mismatch',
			`The service's record names order "${shown(stated)}", and its callback URL is that of ${orderInWords(mark)}`,
		);
	}
	return {
		is: 'order',
		order: { orderReference, asked, paidInFull: isPaidInFull(asked, record) },
	};
}

const isSame = (one: ValidMark, other: ValidMark): boolean =>
	paymentOfMark(one) === paymentOfMark(other) && one.place === other.place;

/** "order "A-1" (1500 KES)". */
export const orderInWords = ({
	orderReference,
	asked,
}: Pick<Order, 'orderReference' | 'asked'>): string => {
	const name =
		orderReference === null ? 'a payment without order reference' : `order "${orderReference}"`;
	return asked === null ? name : `${name} (${asked.amount} ${asked.currency})`;
};

/** A record may name anything: one line, and not a long one. */
const shown = (named: string): string => foldedReference(named).slice(0, 80);

function isPaidInFull(asked: Asked, { amount, currency, state }: Readonly<Record>): boolean | null {
	if (state !== 'success' || currency !== asked.currency) return null;
	// Money that went back is no answer to whether it came.
	return amount === null || amount < 0 ? null : amount >= asked.amount;
}

/** One text for what was asked for, by which two orders are told apart; null when nothing is known. */
export const orderKeyOf = ({ orderReference, asked }: Order): string | null =>
	asked === null
		? null
		: JSON.stringify([
				orderReference === null ? null : foldedReference(orderReference),
				asked.amount,
				asked.currency,
			]);
