import type { Json } from '../protocol/parse';
import { foldedReference, sameReference, sameValue } from './sameValue';

/** The merchant's own name for a payment, which the service may know it by as well. */
export const OWN_REFERENCE = 'third_party_reference_1';

const COMPARED = ['ref', OWN_REFERENCE, 'third_party_reference_2', 'amount', 'currency'] as const;

/** A field of which two sides state different things. */
export interface Contradiction {
	field: (typeof COMPARED)[number];
	stated: unknown;
	actual: unknown;
}

/** Text in which nobody sees anything states nothing. */
export const isStated = (value: unknown): boolean =>
	value !== undefined &&
	value !== null &&
	(typeof value !== 'string' || foldedReference(value) !== '');

/** What a reply repeats of the request must be what was sent, or nothing in it is believed. */
const ECHOED = [OWN_REFERENCE, 'third_party_reference_2', 'amount', 'currency'] as const;

/** A field of a reply that is not what was sent, also when it was not sent at all. */
export const wrongEcho = (data: Json, sent: Readonly<Json>): string | null =>
	ECHOED.find((field) => isName(data[field]) && !sameValue(field, data[field], sent[field])) ??
	null;

/** What one of the objects states and the service's record states otherwise; null when nothing does. */
export function contradictionBetween(stated: readonly Json[], record: Json): Contradiction | null {
	for (const field of COMPARED) {
		const actual = record[field];
		if (!isStated(actual)) continue;
		const other = stated.find(
			(each) => isStated(each[field]) && !sameValue(field, each[field], actual),
		);
		if (other) return { field, stated: other[field], actual };
	}
	return null;
}

/**
 * What one of the objects states as the order, where it is another one; null when nothing does. Only
 * text and numbers name an order.
 */
export function otherOrderIn(
	stated: readonly Json[],
	orderReference: string,
): string | number | null {
	const named = stated.map((each) => each[OWN_REFERENCE]).filter(isName);
	return named.find((each) => !isOrder(each, orderReference)) ?? null;
}

const isName = (value: unknown): value is string | number =>
	typeof value === 'number' || (typeof value === 'string' && isStated(value));

/** Digits beyond 2^53 are lost where a service writes an order as a number; the others must agree. */
const isOrder = (stated: string | number, orderReference: string): boolean =>
	typeof stated === 'number' && !Number.isSafeInteger(stated)
		? Number(orderReference) === stated
		: sameReference(stated, orderReference);
