import { LONGEST } from '../protocol/limits';

/** The merchant's own name for a payment, as the specification calls it. */
export const OWN_REFERENCE = 'third_party_reference_1';

/** Characters that nobody sees: zero-width ones, soft hyphens, marks of direction. */
const INVISIBLE = /[\p{Format}\p{Default_Ignorable_Code_Point}]/gu;
const SPACES = /\p{White_Space}+/gu;
/** Found at once in a long text, without folding it. */
const VISIBLE = /[^\p{Format}\p{Default_Ignorable_Code_Point}\p{White_Space}]/u;

/** Text without a visible character counts as empty. */
export const isStated = (value: unknown): boolean =>
	value !== undefined && value !== null && (typeof value !== 'string' || VISIBLE.test(value));

/** An order reference as people see it. Case and leading zeros count. */
export const foldedReference = (text: string): string =>
	// An invisible character may keep a letter apart from its accent, so these go first.
	composed(text.replace(INVISIBLE, '')).replace(SPACES, ' ').trim();

/** Composing takes quadratic time where a text is nothing but accents; no name is so long. */
const composed = (text: string): string =>
	text.length > LONGEST.sentence ? text : text.normalize('NFC');

/** "Café 1" is one order, however it is encoded and spaced; "007" and "7" are two. */
export const sameReference = (a: string, b: string): boolean =>
	foldedReference(a) === foldedReference(b);

/** The digits of a phone number, without what only presents them; null for a masked one. */
export const digitsOf = (phone: unknown): string | null => {
	const text = typeof phone === 'string' || typeof phone === 'number' ? String(phone) : '';
	const isPhone = text.length <= LONGEST.phone && /^[\d\s+()./-]+$/.test(text);
	if (!isPhone || !/\d/.test(text)) return null;
	return text.replace(/\D/g, '').replace(/^0+/, '');
};
