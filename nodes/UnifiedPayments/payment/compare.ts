import type { Json } from '../protocol/parse';
import { LONGEST } from '../protocol/limits';
import { readingsOf } from './amount';

/** The merchant's own name for a payment, which the service may know it by as well. */
export const OWN_REFERENCE = 'third_party_reference_1';

const COMPARED = ['ref', OWN_REFERENCE, 'third_party_reference_2', 'amount', 'currency'] as const;

/** A field of which two sides state different things. */
export interface Contradiction {
	field: (typeof COMPARED)[number];
	stated: unknown;
	actual: unknown;
}

/** Text without a visible character counts as empty. */
export const isStated = (value: unknown): boolean =>
	value !== undefined && value !== null && (typeof value !== 'string' || VISIBLE.test(value));

/** What one of the objects states and the service's record states otherwise; null when nothing does. */
export function contradictionBetween(stated: readonly Json[], record: Json): Contradiction | null {
	for (const field of COMPARED) {
		const actual = record[field];
		if (!isStated(actual)) continue;
		const other = stated.find(
			(each) => isStated(each[field]) && !mayBeSame(field, each[field], actual),
		);
		if (other) return { field, stated: other[field], actual };
	}
	return null;
}

/** Whoever writes a reference of ours as a number loses its leading zeros, or its last digits. */
export const mayBeSame = (field: string, stated: unknown, actual: unknown): boolean =>
	sameValue(field, stated, actual) ||
	(field.startsWith('third_party') && typeof stated === 'number' && Number(actual) === stated);

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

export const isName = (value: unknown): value is string | number =>
	typeof value === 'number' || (typeof value === 'string' && isStated(value));

/** Digits beyond 2^53 are lost where a service writes an order as a number; the others must agree. */
const isOrder = (stated: string | number, orderReference: string): boolean =>
	typeof stated === 'number' && !Number.isSafeInteger(stated)
		? Number(orderReference) === stated
		: sameReference(stated, orderReference);

const isScalar = (value: unknown): value is string | number =>
	typeof value === 'string' || typeof value === 'number';

const trimmed = (value: string | number) => String(value).trim();

const sameCurrency = (a: string | number, b: string | number): boolean =>
	trimmed(a).toUpperCase() === trimmed(b).toUpperCase();

/** Whether a currency is certainly another one: "KSh", "CFA", a name or a number says nothing. */
export const isOtherCurrency = (stated: unknown, own: string): boolean =>
	typeof stated === 'string' &&
	/^(?!.sh|shs|cfa)[A-Z]{3}$/i.test(stated.trim()) &&
	!sameCurrency(stated, own);

/** Characters that nobody sees: zero-width ones, soft hyphens, marks of direction. */
const INVISIBLE = /[\p{Format}\p{Default_Ignorable_Code_Point}]/gu;
const SPACES = /\p{White_Space}+/gu;
/** Found at once in a long text, without folding it. */
const VISIBLE = /[^\p{Format}\p{Default_Ignorable_Code_Point}\p{White_Space}]/u;

/** An order reference as people see it. Case and leading zeros count. */
export const foldedReference = (text: string): string =>
	// An invisible character may keep a letter apart from its accent, so these go first.
	composed(text.replace(INVISIBLE, '')).replace(SPACES, ' ').trim();

/** Composing takes quadratic time where a text is nothing but accents; no name is so long. */
const composed = (text: string): string =>
	text.length > LONGEST.sentence ? text : text.normalize('NFC');

/** "Café 1" is one order, however it is encoded and spaced; "007" and "7" are two. */
export const sameReference = (a: string | number, b: string | number): boolean =>
	foldedReference(String(a)) === foldedReference(String(b));

/** "1500.00", "1,500.00", 1500 and, as it may be, "1,500" are the same amount. */
function sameAmount(a: string | number, b: string | number): boolean {
	const readings = readingsOf(b);
	return readingsOf(a).some((each) => readings.includes(each));
}

/** Whether two values of a field mean the same, however they are written. */
export function sameValue(field: string, a: unknown, b: unknown): boolean {
	if (!isScalar(a) || !isScalar(b)) return false;
	if (field === 'amount') return sameAmount(a, b);
	if (field === 'currency') return sameCurrency(a, b);
	// What the service calls a payment: outer spaces do not matter.
	return field === 'ref' ? trimmed(a) === trimmed(b) : sameReference(a, b);
}
