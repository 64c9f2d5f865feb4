import type { State } from '../../output/state';
import { toTransaction } from '../../output/transaction';
import type { Json } from '../../protocol/parse';
import type { Callback } from '../delivery';
import type { Believed } from './confirm';
import type { Rejection } from './rejection';
import { eventKeyOf } from './repeats';

export interface TransactionEvent {
	event: 'transaction.updated';
	verified: 'confirmed' | 'token' | 'hmac' | false;
	state: State;
	transaction: Json;
	callback: Callback;
	eventKey: string;
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
