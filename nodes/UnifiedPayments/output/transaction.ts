import { isRecord } from '../protocol/reply';
import { stateOf, type ExtraStatuses } from './state';

export type Json = Record<string, unknown>;

const NUMBERS = ['amount', 'fee', 'balance'] as const;

/** The record under its own names, with `state` first and text that is a number as a number. */
export function shapeTransaction(record: Json, extra?: ExtraStatuses): Json {
	const shaped: Json = { state: null, ...record };
	shaped.state = stateOf(record, extra);
	for (const field of NUMBERS) {
		if (field in shaped) shaped[field] = asNumber(shaped[field]);
	}
	return shaped;
}

/** "1500.00" becomes 1500; text that is no plain number stays as it is. */
const asNumber = (value: unknown): unknown =>
	typeof value === 'string' && /^-?\d{1,15}(?:\.\d{1,6})?$/.test(value.trim())
		? Number(value)
		: value;

/** The ten that are used most, flat. */
export function simplifyTransaction(shaped: Json): Json {
	const reason = isRecord(shaped.failureReason) ? shaped.failureReason : {};
	return {
		ref: shaped.ref ?? null,
		state: shaped.state,
		status: shaped.status ?? null,
		amount: shaped.amount ?? null,
		currency: shaped.currency ?? null,
		fee: shaped.fee ?? null,
		mobile: shaped.mobile ?? null,
		payment_channel: shaped.payment_channel ?? null,
		transaction_date: shaped.transaction_date ?? null,
		failureMessage: reason.failureMessage ?? null,
	};
}

/** The chosen fields; the reference always comes along. */
export function selectFields(shaped: Json, chosen: unknown): Json {
	const names = Array.isArray(chosen) ? chosen.map(String) : [];
	return Object.fromEntries(
		['ref', ...names]
			.filter((name) => Object.hasOwn(shaped, name))
			.map((name) => [name, shaped[name]]),
	);
}
