import type { Account } from '../protocol/credential';
import { isRecord, type Json } from '../protocol/parse';
import { referenceIn, type FieldNames } from '../protocol/reply';
import { amountFrom } from './amount';
import { digitsOf, isStated, OWN_REFERENCE } from './compare';
import { markWithin, type Mark } from './mark';
import { readState, type State, type StatusWords } from './state';

/** What reads a record: the account that its mark is of, and the credential's lists. */
export type Reader = Account & FieldNames & StatusWords;

/** A transaction as documented; null for what it does not state. */
export interface Record {
	/** The service's own name for it. */
	reference: string | null;
	/** Our name for it. */
	orderReference: string | null;
	amount: number | null;
	/** Three capital letters. */
	currency: string | null;
	/** The digits of the payer's number. */
	mobile: string | null;
	/** Our mark, wherever the record states an address. */
	mark: Mark;
	/** Whether it states a callback address, ours or another. */
	hasCallbackUrl: boolean;
	state: State;
	/** The service's own word for it. */
	status: string | null;
	/** As the service gave it. */
	raw: Json;
}

/** Reads a record, an entry of a list, or what a callback says of a transaction. */
export function readRecord(raw: Json, reader: Reader): Record {
	const { currency, callback_url: callbackUrl, [OWN_REFERENCE]: own } = raw;
	const code = typeof currency === 'string' ? currency.trim().toUpperCase() : '';
	return {
		reference: referenceIn(raw, reader),
		orderReference: isStated(own) ? orderIn(own) : null,
		amount: amountFrom(raw.amount),
		currency: /^[A-Z]{3}$/.test(code) ? code : null,
		mobile: digitsOf(raw.mobile),
		mark: markWithin(reader, raw),
		hasCallbackUrl: typeof callbackUrl === 'string' && isStated(callbackUrl),
		...readState(raw, reader),
		raw,
	};
}

/** Of a number above 2^53 the last digits are lost. */
function orderIn(own: unknown): string | null {
	if (typeof own === 'number') return Number.isSafeInteger(own) ? String(own) : null;
	return typeof own === 'string' ? own : null;
}

const NUMBERS = ['amount', 'fee', 'balance'] as const;

/** The record under its own names, with `state` first and text that is a number as a number. */
export function withState({ raw, state }: Pick<Record, 'raw' | 'state'>): Json {
	const transaction: Json = { state, ...raw };
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
