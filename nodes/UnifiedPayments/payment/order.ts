import type { Account } from '../protocol/credential';
import { readDecimal } from './decimal';
import { readMark, type Asked, type MarkReading } from './mark';
import type { Json } from '../protocol/parse';
import { sameValue } from './sameValue';
import { stateOf, type State } from './state';

/** The order that a payment is for, as items show it. */
export interface Order {
	orderReference: string | null;
	/** What was asked for when the payment was created; null when nothing proves it. */
	asked: Asked | null;
	/** Null when it cannot be said. */
	paidInFull: boolean | null;
}

export type OrderMismatch = 'order_code_invalid' | 'order_mismatch';

export type OrderReading =
	({ kind: 'order' } & Order) | { kind: 'mismatch'; reason: OrderMismatch; message: string };

const ABSENT: MarkReading = { kind: 'absent' };

/** What the callback URL of the service's own record says; a record may state none. */
const markIn = (account: Account, { callback_url }: Json): MarkReading =>
	typeof callback_url === 'string' ? readMark(account, callback_url) : ABSENT;

/**
 * The order of the service's own record: from the callback URL that it states, else from the URL
 * that was called.
 */
export const orderOf = (
	account: Account,
	record: Json,
	calledUrl = '',
	state: State = stateOf(record),
): OrderReading =>
	agreeOnOrder(markIn(account, record), readMark(account, calledUrl), record, state);

/** The same for marks that were read before. */
export function agreeOnOrder(
	ofRecord: MarkReading,
	ofCall: MarkReading,
	record: Json,
	state: State,
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
			message: `The callback came to the URL of ${show(ofCall)}, the service's record is about ${show(ofRecord)}`,
		};
	}
	const mark = ofRecord.kind === 'valid' ? ofRecord : ofCall;
	if (mark.kind !== 'valid') {
		return { kind: 'order', orderReference: null, asked: null, paidInFull: null };
	}
	const { orderReference, asked } = mark;
	return { kind: 'order', orderReference, asked, paidInFull: isPaidInFull(asked, record, state) };
}

type ValidMark = Extract<MarkReading, { kind: 'valid' }>;

const isSame = (a: ValidMark, b: ValidMark): boolean =>
	a.orderReference === b.orderReference &&
	a.asked.amount === b.asked.amount &&
	a.asked.currency === b.asked.currency;

const show = ({ orderReference, asked: { amount, currency } }: ValidMark): string =>
	`${orderReference === null ? 'a payment without order reference' : `order "${orderReference}"`} (${amount} ${currency})`;

function isPaidInFull(asked: Asked, { amount, currency }: Json, state: State): boolean | null {
	if (state !== 'success' || !sameValue('currency', asked.currency, currency)) return null;
	const paid = amountIn(amount);
	return paid === null ? null : paid >= asked.amount;
}

/** v3 sends numbers as text: "1500.00". */
function amountIn(given: unknown): number | null {
	if (typeof given !== 'string' && typeof given !== 'number') return null;
	if (/^\s*\d{1,15}(?:\.\d{1,6})?\s*$/.test(String(given))) return Number(given);
	const read = readDecimal(given);
	return 'value' in read ? Number(read.value) : null;
}
