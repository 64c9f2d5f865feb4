import { LONGEST } from '../protocol/limits';
import { withoutEnd } from '../protocol/parse';

/** Why a text is not an amount that has one meaning. */
export type DecimalProblem =
	'not a number' | 'negative' | 'ambiguous' | 'too many decimals' | 'zero' | 'too large';

/** An exact decimal text such as "1000.5" (never 0.30000000000000004), or why there is none. */
type Decimal = { value: string } | { problem: DecimalProblem };

/** At most 15 digits in all: beyond that a number on the wire would no longer be exact. */
export const MAX_DIGITS = 15;

const PLAIN = /^\d+(?:\.\d*)?$|^\.\d+$/;
/** A point with three digits behind it: thousands in one country, decimals in another. */
const AMBIGUOUS = /^[1-9]\d{0,2}\.\d{3}$/;
/** Thousands in groups of three; the decimal mark is the other one of comma and point. */
const GROUPED = /^[1-9]\d{0,2}(?:([ ,.'’])\d{3})(?:\1\d{3})*(?:([.,])(\d+))?$/;
/** A comma as the only mark. Before three digits it groups thousands, since no amount has three decimals. */
const DECIMAL_COMMA = /^(\d+),(\d+)$/;

/**
 * How far a number may be from a hundredth and still be that hundredth, relative to its size. Each
 * step of a calculation is off by at most 2^-53, so this is the noise of 64 steps.
 */
const NOISE = 2 ** -47;
/** Small enough that a real thousandth is never taken for a rounding error. */
const MAX_NOISE = 0.0005;

/** Reads an amount from a number, or from text as people type it into sheets. */
export function readDecimal(given: string | number): Decimal {
	const written = (typeof given === 'number' ? withoutNoise(given) : given).trim();
	if (written.length > LONGEST.amount) return { problem: 'not a number' };
	const text = written.replace(/[\u00a0\u202f\u2009]/g, ' ');
	// A number has only one meaning. 1e21 and NaN cannot be written as plain digits.
	if (typeof given === 'number' && PLAIN.test(text)) return canonical(text);
	const plain = toPlain(text);
	return 'problem' in plain ? plain : canonical(plain.value);
}

/** 0.1 + 0.2, or what a sheet computed, as the hundredth that was meant; any other number as it is. */
function withoutNoise(given: number): string {
	const hundredth = given.toFixed(2);
	const off = Math.abs(given - Number(hundredth));
	return Math.min(off, given * NOISE, MAX_NOISE) === off ? hundredth : String(given);
}

function toPlain(text: string): Decimal {
	if (text.startsWith('-')) return { problem: 'negative' };
	if (AMBIGUOUS.test(text)) return { problem: 'ambiguous' };
	if (PLAIN.test(text)) return { value: text };
	const grouped = GROUPED.exec(text);
	if (grouped) {
		const [, mark, decimalMark, decimals] = grouped;
		if (decimalMark !== mark) {
			const whole = decimalMark === undefined ? text : text.slice(0, text.lastIndexOf(decimalMark));
			return { value: whole.replace(/\D/g, '') + (decimals ? `.${decimals}` : '') };
		}
	}
	const comma = DECIMAL_COMMA.exec(text);
	const [, whole, decimals = ''] = comma ?? [];
	if (comma && decimals.length <= 2) return { value: `${whole}.${decimals}` };
	return { problem: 'not a number' };
}

function canonical(plain: string): Decimal {
	const [whole, fraction = ''] = plain.split('.') as [string, string?];
	const integer = whole.replace(/^0+(?=\d)/, '') || '0';
	// Three zeros count: "1,500.000" may come from somebody who writes thousands with a point.
	if (fraction.length > 2) return { problem: 'too many decimals' };
	const decimals = fraction.replace(/0{1,2}$/, '');
	const value = decimals ? `${integer}.${decimals}` : integer;
	if (value === '0') return { problem: 'zero' };
	if (integer.length + decimals.length > MAX_DIGITS) return { problem: 'too large' };
	return { value };
}

/**
 * The amount that a record states, e.g. "1500.00", "1,500.00" or 1500; null for what is no number. Fees,
 * balances and refunds may be negative.
 */
export function amountFrom(value: unknown): number | null {
	const isScalar = typeof value === 'string' || typeof value === 'number';
	const exact = isScalar ? exactAmount(value) : null;
	// A number with more digits would no longer be exact.
	return exact !== null && /^-?\d{1,15}\./.test(exact) ? Number(exact) : null;
}

/** One text for all ways to write an amount; null for what is none. There is one zero only. */
function exactAmount(given: string | number): string | null {
	const text = (typeof given === 'number' ? withoutNoise(given) : given).trim();
	if (!text.startsWith('-')) return exactSize(text);
	const size = exactSize(text.slice(1));
	return size === null || size === '0.' ? size : `-${size}`;
}

function exactSize(text: string): string | null {
	// The usual case first: a plain number, whose point can only be the decimal mark.
	if (/^\d{1,20}(?:\.\d{1,20})?$/.test(text)) {
		const [whole, fraction = ''] = text.split('.') as [string, string?];
		return `${whole.replace(/^0+(?=\d)/, '')}.${withoutEnd(fraction, '0')}`;
	}
	const read = readDecimal(text);
	if ('value' in read) return exactSize(read.value);
	return read.problem === 'zero' ? '0.' : null;
}
