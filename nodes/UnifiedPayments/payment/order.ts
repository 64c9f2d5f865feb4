import type { Account } from '../protocol/credential';
import type { Json } from '../protocol/parse';
import { isPlaceholder } from '../protocol/reply';
import { amountFrom } from './amount';
import { otherOrderIn, foldedReference, OWN_REFERENCE, sameValue } from './compare';
import { readMark, type Asked, type MarkReading } from './mark';
import { stateOf, type State } from './state';

/** The order that a payment is for, as items show it. */
export interface Order {
	orderReference: string | null;
	/** What was asked for when the payment was created; null when nothing proves it. */
	asked: Asked | null;
	/** Null when it cannot be said. */
	paidInFull: boolean | null;
}

export const NO_ORDER: Order = { orderReference: null, asked: null, paidInFull: null };

export type OrderMismatch = 'order_code_invalid' | 'order_mismatch';

export type OrderReading =
	({ kind: 'order' } & Order) | { kind: 'mismatch'; reason: OrderMismatch; message: string };

const ABSENT: MarkReading = { kind: 'absent' };

/** What the callback URL of the service's own record says; a record may state none. */
const markIn = (account: Account, { callback_url }: Json): MarkReading =>
	typeof callback_url === 'string' ? readMark(account, callback_url) : ABSENT;

/**
 * The order of the service's own record: from the callback URL that it states, else from the URL
 * that was called. A callback's own objects may speak against it, and never for it.
 */
export const orderOf = (
	account: Account,
	record: Json,
	calledUrl = '',
	state: State = stateOf(record),
	told: readonly Json[] = [],
): OrderReading =>
	agreeOnOrder(markIn(account, record), readMark(account, calledUrl), record, state, told);

/** The same for marks that were read before. */
export function agreeOnOrder(
	ofRecord: MarkReading,
	ofCall: MarkReading,
	record: Json,
	state: State,
	told: readonly Json[] = [],
): OrderReading {
	if (ofRecord.kind === 'invalid' || ofCall.kind === 'invalid') {
		const where =
			ofRecord.kind === 'invalid'
				? "callback URL of the service's record"
				: 'URL that the callback came to';
		return {
			kind: 'mismatch',
			reason: 'order_code_invalid',
			message: `The ${where} names an order, with a code that was not made with this credential`,
		};
	}
	if (ofRecord.kind === 'valid' && ofCall.kind === 'valid' && !isSame(ofRecord, ofCall)) {
		return {
			kind: 'mismatch',
			reason: 'order_mismatch',
			message: `The callback came to the URL of ${orderInWords(ofCall)}, the service's record is about ${orderInWords(ofRecord)}`,
		};
	}
	const mark = ofRecord.kind === 'valid' ? ofRecord : ofCall;
	if (mark.kind !== 'valid') return { kind: 'order', ...NO_ORDER };
	const { orderReference, asked } = mark;
	// A URL may carry no order although there is one, so only another order speaks against it.
	const naming = [record, ...told].filter((each) => !isPlaceholder(each[OWN_REFERENCE]));
	const other = orderReference === null ? null : otherOrderIn(naming, orderReference);
	if (other !== null) {
		return {
			kind: 'mismatch',
			reason: 'order_mismatch',
			message: `The payment names order "${shown(other)}", and its callback URL is that of ${orderInWords(mark)}`,
		};
	}
	return { kind: 'order', orderReference, asked, paidInFull: isPaidInFull(asked, record, state) };
}

type ValidMark = Extract<MarkReading, { kind: 'valid' }>;

const isSame = (a: ValidMark, b: ValidMark): boolean =>
	a.orderReference === b.orderReference &&
	a.asked.amount === b.asked.amount &&
	a.asked.currency === b.asked.currency;

/** "order "A-1" (1500 KES)". */
export const orderInWords = ({
	orderReference,
	asked,
}: Pick<Order, 'orderReference' | 'asked'>): string => {
	const name =
		orderReference === null ? 'a payment without order reference' : `order "${orderReference}"`;
	return asked === null ? name : `${name} (${asked.amount} ${asked.currency})`;
};

/** A callback may name anything: one line, and not a long one. */
const shown = (named: string | number): string => foldedReference(String(named)).slice(0, 80);

function isPaidInFull(asked: Asked, { amount, currency }: Json, state: State): boolean | null {
	if (state !== 'success' || !sameValue('currency', asked.currency, currency)) return null;
	const paid = amountFrom(amount);
	// Money that went back is no answer to whether it came.
	return paid === null || paid < 0 ? null : paid >= asked.amount;
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
