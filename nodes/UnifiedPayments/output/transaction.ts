import { isRecord, type Json } from '../protocol/parse';
import { stateOf, TIMED_OUT, type ExtraStatuses, type State } from '../payment/state';

const NUMBERS = ['amount', 'fee', 'balance'] as const;

/** The record under its own names, with `state` first and text that is a number as a number. */
export const toTransaction = (record: Json, extra?: ExtraStatuses): Json =>
	withState(record, stateOf(record, extra));

/** For a state that was not read from the record alone. */
export function withState(record: Json, state: State): Json {
	const transaction: Json = { state, ...record };
	transaction.state = state;
	for (const field of NUMBERS) {
		if (field in transaction) transaction[field] = asNumber(transaction[field]);
	}
	return transaction;
}

/** "1500.00" becomes 1500; text that is no plain number stays as it is. */
const asNumber = (value: unknown): unknown =>
	typeof value === 'string' && /^-?\d{1,15}(?:\.\d{1,6})?$/.test(value.trim())
		? Number(value)
		: value;

/** One that was not final in time: what is known of it, and a state that says so. */
export const timedOutTransaction = (known: Json): Json => ({ ...known, state: TIMED_OUT });

/** The ten that are used most, flat but for what was asked for, which is the same everywhere. */
export function simplifyTransaction(transaction: Json): Json {
	const reason = isRecord(transaction.failureReason) ? transaction.failureReason : {};
	return {
		ref: transaction.ref ?? null,
		state: transaction.state,
		status: transaction.status ?? null,
		orderReference: transaction.orderReference ?? null,
		asked: transaction.asked ?? null,
		paidInFull: transaction.paidInFull ?? null,
		amount: transaction.amount ?? null,
		currency: transaction.currency ?? null,
		mobile: transaction.mobile ?? null,
		failureMessage: reason.failureMessage ?? null,
	};
}
