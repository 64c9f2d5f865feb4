import { readDecimal } from './decimal';

/** As v3 writes it: "1500.00". A service may give more decimals than anybody pays. */
const PLAIN = /^\d{1,15}(?:\.\d{1,6})?$/;

/**
 * The amount that a record states, e.g. "1500.00", "1,500.00" or 1500; null for what is no number, or
 * may be one of two ("1,500"). Fees, balances and refunds may be negative.
 */
export function amountFrom(value: unknown): number | null {
	if (typeof value === 'number') return value < 0 ? negative(sizeFrom(-value)) : sizeFrom(value);
	if (typeof value !== 'string') return null;
	const text = value.trim();
	return text.startsWith('-') ? negative(sizeFrom(text.slice(1))) : sizeFrom(text);
}

/** There is one zero only. */
const negative = (size: number | null): number | null =>
	size === null || size === 0 ? size : -size;

function sizeFrom(given: string | number): number | null {
	if (PLAIN.test(String(given))) return Number(given);
	const read = readDecimal(given);
	if ('value' in read) return Number(read.value);
	return read.problem === 'zero' ? 0 : null;
}
