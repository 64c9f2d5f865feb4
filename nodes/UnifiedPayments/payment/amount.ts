import { readDecimal, withoutNoise } from './decimal';

/**
 * The amount that a record states, e.g. "1500.00", "1,500.00" or 1500; null for what is no number, or
 * may be one of two ("1,500"). Fees, balances and refunds may be negative.
 */
export function amountFrom(value: unknown): number | null {
	const isScalar = typeof value === 'string' || typeof value === 'number';
	const exact = isScalar ? exactAmount(value) : null;
	// A number with more digits would no longer be exact.
	return exact !== null && /^-?\d{1,15}\./.test(exact) ? Number(exact) : null;
}

/**
 * What an amount may mean, to be compared and never to be believed: "1,500" has two readings, and what
 * is no amount has only itself.
 */
export function readingsOf(given: string | number): string[] {
	const exact = exactAmount(given);
	if (exact !== null) return [exact];
	const text = String(given).trim();
	const read = readDecimal(text.replace(/^-/, ''));
	if ('value' in read || read.problem !== 'ambiguous') return [text];
	return ['', '.'].map((mark) => exactAmount(text.replace(',', mark))!);
}

/** One text for all ways to write an amount; null for what is none. There is one zero only. */
export function exactAmount(given: string | number): string | null {
	const text = (typeof given === 'number' ? withoutNoise(given) : given).trim();
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
	if ('value' in read) return exactSize(read.value);
	return read.problem === 'zero' ? '0.' : null;
}
