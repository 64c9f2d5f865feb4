import { bad, good, type Read } from './read';

const ALLOWED = 'Give a positive number with at most two decimals, e.g. 1500 or 1500.50.';

/** At most 15 digits in all: beyond that a number on the wire would no longer be exact. */
const MOST_DIGITS = 15;

const PLAIN = /^\d+(?:\.\d*)?$|^\.\d+$/;
/** One mark with three digits behind it: thousands in one country, decimals in another. */
const AMBIGUOUS = /^[1-9]\d{0,2}[.,]\d{3}$/;
/** Thousands in groups of three; the decimal mark is the other one of comma and point. */
const GROUPED = /^[1-9]\d{0,2}(?:([ ,.'’])\d{3})(?:\1\d{3})*(?:([.,])(\d+))?$/;
/** A comma as the only mark. Three digits behind it could also be thousands. */
const DECIMAL_COMMA = /^(\d+),(\d+)$/;

/**
 * Reads an amount from a number or from text as people type it into sheets, and gives back an
 * exact decimal text ("1000.5", never 0.30000000000000004).
 */
export function readAmount(given: unknown): Read<string> {
	const text = asText(given);
	if (text === null) return bad('which is not an amount', ALLOWED);
	if (text === '') return bad('but an amount is needed', ALLOWED);
	// What is a number already has one meaning only.
	const plain = typeof given === 'number' && PLAIN.test(text) ? good(text) : toPlain(text);
	if (!plain.ok) return plain;
	return canonical(plain.value);
}

function asText(given: unknown): string | null {
	if (typeof given === 'string') return given.replace(/[\u00a0\u202f\u2009]/g, ' ').trim();
	if (typeof given !== 'number') return null;
	// 1e21 and NaN have no plain text; both fall through to "not an amount".
	return String(given);
}

function toPlain(text: string): Read<string> {
	if (/^-/.test(text)) return bad('which is not positive', ALLOWED);
	if (AMBIGUOUS.test(text)) {
		return bad(
			'which could mean thousands or decimals',
			'Write it without a thousands separator and with a point before the decimals, e.g. 1500.50.',
		);
	}
	if (PLAIN.test(text)) return good(text);
	const grouped = GROUPED.exec(text);
	if (grouped) {
		const [, mark, decimalMark, decimals] = grouped;
		if (decimalMark !== mark) {
			const whole = decimalMark === undefined ? text : text.slice(0, text.lastIndexOf(decimalMark));
			return good(whole.replace(/\D/g, '') + (decimals ? `.${decimals}` : ''));
		}
	}
	const comma = DECIMAL_COMMA.exec(text);
	if (comma && comma[2]!.length <= 2) return good(`${comma[1]}.${comma[2]}`);
	return bad('which is not an amount', ALLOWED);
}

function canonical(plain: string): Read<string> {
	const [whole = '', fraction = ''] = plain.split('.');
	const integer = whole.replace(/^0+(?=\d)/, '') || '0';
	const decimals = fraction.replace(/0+$/, '');
	if (decimals.length > 2) return bad('which has more than two decimals', ALLOWED);
	const value = decimals ? `${integer}.${decimals}` : integer;
	if (value === '0') return bad('which is not positive', ALLOWED);
	if (integer.length + decimals.length > MOST_DIGITS) {
		return bad('which is too large to be sent exactly', `Give at most ${MOST_DIGITS} digits.`);
	}
	return good(value);
}

/** XOF and XAF have no minor unit; the tables' other currencies take up to two decimals. */
export function checkDecimals(amount: string, currency: string, decimals: number): Read<string> {
	if (decimals === 0 && amount.includes('.')) {
		return bad(
			`but ${currency} has no decimals`,
			`Give a whole number of ${currency}, e.g. ${amount.split('.')[0]}.`,
		);
	}
	return good(amount);
}
