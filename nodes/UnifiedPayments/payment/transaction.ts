import { amountFrom } from './amount';
import { isRecord, type Json } from '../protocol/parse';
import type { State } from './state';

const NUMBERS = ['amount', 'fee', 'balance'] as const;

/**
 * The record under its own names, with `state` first and text that is a number as a number. The state
 * may not be read from the record alone.
 */
export function withState(record: Json, state: State): Json {
	const transaction: Json = { state, ...record };
	transaction.state = state;
	for (const field of NUMBERS) {
		if (field in transaction)
			transaction[field] = amountFrom(transaction[field]) ?? transaction[field];
	}
	return transaction;
}

/** The ten that are used most, flat. */
export function simplifyTransaction(transaction: Json): Json {
	const reason = isRecord(transaction.failureReason) ? transaction.failureReason : {};
	return {
		ref: transaction.ref ?? null,
		state: transaction.state,
		orderReference: transaction.orderReference ?? null,
		paidInFull: transaction.paidInFull ?? null,
		amount: transaction.amount ?? null,
		fee: transaction.fee ?? null,
		currency: transaction.currency ?? null,
		mobile: transaction.mobile ?? null,
		transaction_date: transaction.transaction_date ?? null,
		failureMessage: reason.failureMessage ?? null,
	};
}
