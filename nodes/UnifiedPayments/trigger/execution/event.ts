import type { State } from '../../output/state';
import { toTransaction } from '../../output/transaction';
import type { Json } from '../../protocol/parse';
import type { Callback } from '../delivery';
import type { Believed } from './confirm';
import type { Rejection } from './rejection';

export interface TransactionEvent {
	event: 'transaction.updated';
	verified: 'confirmed' | 'token' | 'hmac' | false;
	state: State;
	transaction: Json;
	callback: Callback;
	eventKey: string;
}

/** The same for the same reference and status, whatever the payload around them looks like. */
export function eventKeyOf(reference: string, transaction: Json): string {
	const { status, state } = transaction;
	const word =
		typeof status === 'string' || typeof status === 'number' ? String(status).trim() : '';
	return `${reference}:${(word === '' ? String(state) : word).toLowerCase()}`;
}

export function toEvent(
	{ reference, record }: Believed,
	verified: TransactionEvent['verified'],
	callback: Callback,
): TransactionEvent {
	const transaction = toTransaction(record);
	return {
		event: 'transaction.updated',
		verified,
		state: transaction.state as State,
		transaction,
		callback,
		eventKey: eventKeyOf(reference, transaction),
	};
}

export const toRejected = (
	{ reason, message, reference }: Rejection,
	callback: Callback | null,
): Json => ({
	event: 'callback.rejected',
	verified: false,
	reason,
	message,
	reference,
	callback,
});
