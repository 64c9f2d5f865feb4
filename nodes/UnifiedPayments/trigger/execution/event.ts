import type { Order } from '../../payment/order';
import type { State } from '../../payment/state';
import { simplifyTransaction, withState } from '../../payment/record';
import type { Json } from '../../protocol/parse';
import type { Callback } from '../delivery';
import type { TransactionType } from '../settings';
import type { Believed } from './confirm';
import { adviceFor, type Rejection } from './rejection';
import { eventKeyOf } from './repeats';

export interface TransactionEvent extends Order {
	event: 'transaction.updated';
	verified: 'confirmed' | 'address' | 'hmac' | false;
	type: TransactionType;
	state: State;
	transaction: Json;
	callback: Callback;
	eventKey: string;
}

export function toEvent(
	{ reference, type, record }: Believed,
	{ orderReference, asked, paidInFull }: Order,
	verified: TransactionEvent['verified'],
	callback: Callback,
): TransactionEvent {
	const { state, status } = record;
	return {
		event: 'transaction.updated',
		verified,
		type,
		state,
		orderReference,
		asked,
		paidInFull,
		transaction: withState(record),
		callback,
		eventKey: eventKeyOf(reference, status ?? state),
	};
}

/** The ten that are used most, flat. */
export function simplifyEvent({ transaction, type, verified, ...event }: TransactionEvent): Json {
	const { ref, amount, currency, mobile, failureMessage } = simplifyTransaction(transaction);
	const { state, orderReference, paidInFull } = event;
	return {
		ref,
		state,
		orderReference,
		amount,
		currency,
		paidInFull,
		mobile,
		failureMessage,
		type,
		verified,
	};
}

export const toRejected = (
	{ reason, message, reference, mayBecomeTrue }: Rejection,
	callback: Callback | null,
): Json => ({
	event: 'callback.rejected',
	verified: false,
	reason,
	message,
	advice: adviceFor(reason),
	mayBecomeTrue,
	reference,
	callback,
});
