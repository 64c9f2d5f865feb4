import { readAmount } from '../../fields/amount';
import { showGiven } from '../../fields/inputError';
import { isBlank } from '../../fields/text';
import type { Json } from '../../output/transaction';
import { reject, type Rejection } from './rejection';

const REFERENCES = ['ref', 'third_party_reference_1', 'third_party_reference_2'] as const;

/** What the callback states and the service's record states otherwise; null when nothing does. */
export function compare(path: readonly Json[], record: Json, reference: string): Rejection | null {
	const differs = (field: string, same: (a: unknown, b: unknown) => boolean) => {
		if (isBlank(record[field])) return undefined;
		return path.find((each) => !isBlank(each[field]) && !same(each[field], record[field]));
	};
	for (const field of REFERENCES) {
		const liar = differs(field, sameText);
		if (liar) return reject('reference_mismatch', told(field, liar, record), reference);
	}
	const amount = differs('amount', sameAmount);
	if (amount) return reject('amount_mismatch', told('amount', amount, record), reference);
	const currency = differs('currency', sameCurrency);
	if (currency) return reject('currency_mismatch', told('currency', currency, record), reference);
	return null;
}

const told = (field: string, callback: Json, record: Json) =>
	`The callback states ${showGiven(callback[field])} as ${field}, the service ${showGiven(record[field])}`;

const isScalar = (value: unknown): value is string | number =>
	typeof value === 'string' || typeof value === 'number';

/** "007" and "7" are two references. */
const sameText = (a: unknown, b: unknown) =>
	isScalar(a) && isScalar(b) && String(a).trim() === String(b).trim();

const sameCurrency = (a: unknown, b: unknown) =>
	sameText(a, b) || (isScalar(a) && isScalar(b) && fold(a) === fold(b));

const fold = (value: string | number) => String(value).trim().toUpperCase();

/** "1500.00", "1,500.00" and 1500 are the same amount; what is no amount equals none. */
const sameAmount = (a: unknown, b: unknown) => {
	const [left, right] = [decimal(a), decimal(b)];
	return left !== null && left === right;
};

function decimal(value: unknown): string | null {
	if (!isScalar(value)) return null;
	const text = String(value).trim();
	// The usual case first: a plain number, whose point can only be the decimal mark.
	if (/^\d{1,20}(?:\.\d{1,20})?$/.test(text)) {
		const [whole = '', fraction = ''] = text.split('.');
		return `${whole.replace(/^0+(?=\d)/, '')}.${fraction.replace(/0+$/, '')}`;
	}
	const read = readAmount(value);
	return read.ok ? decimal(read.value) : null;
}
