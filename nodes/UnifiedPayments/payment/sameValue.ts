import { readDecimal } from './decimal';

const isScalar = (value: unknown): value is string | number =>
	typeof value === 'string' || typeof value === 'number';

const trimmed = (value: string | number) => String(value).trim();

/**
 * A reference as people see it: composed characters, no invisible ones, any space is a space, and
 * none outside. Case and leading zeros count: "007" and "7" are two references.
 */
export const foldedReference = (text: string): string =>
	text
		.normalize('NFC')
		.replace(/\p{Cf}/gu, '')
		.replace(/\s+/g, ' ')
		.trim();

/** Whether two references are the same to a person who reads them. */
export const sameReference = (a: string | number, b: string | number): boolean =>
	foldedReference(String(a)) === foldedReference(String(b));

const sameCurrency = (a: string | number, b: string | number): boolean =>
	trimmed(a).toUpperCase() === trimmed(b).toUpperCase();

/** "1500.00", "1,500.00" and 1500 are the same amount; what is no amount equals none. */
function sameAmount(a: string | number, b: string | number): boolean {
	const [left, right] = [exactAmount(a), exactAmount(b)];
	return left !== null && left === right;
}

/**
 * One text for all ways to write an amount; null for what is none. A refund may be negative; there
 * is one zero only.
 */
export function exactAmount(given: string | number): string | null {
	const text = trimmed(given);
	if (!text.startsWith('-')) return exactSize(text);
	const size = exactSize(text.slice(1));
	return size === null || size === '0.' ? size : `-${size}`;
}

function exactSize(text: string): string | null {
	// The usual case first: a plain number, whose point can only be the decimal mark.
	if (/^\d{1,20}(?:\.\d{1,20})?$/.test(text)) {
		const [whole, fraction = ''] = text.split('.') as [string, string?];
		return `${whole.replace(/^0+(?=\d)/, '')}.${fraction.replace(/0+$/, '')}`;
	}
	const read = readDecimal(text);
	return 'value' in read ? exactSize(read.value) : null;
}

/** Whether two systems mean the same by what they state for a field, however each writes it. */
export function sameValue(field: string, a: unknown, b: unknown): boolean {
	if (!isScalar(a) || !isScalar(b)) return false;
	if (field === 'amount') return sameAmount(a, b);
	return field === 'currency' ? sameCurrency(a, b) : sameReference(a, b);
}
