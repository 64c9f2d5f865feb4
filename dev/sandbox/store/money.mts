import { WHOLE_UNIT_CURRENCIES } from '../../../nodes/UnifiedPayments/countries/data.ts';

const decimalsOf = (currency: string) => (WHOLE_UNIT_CURRENCIES.includes(currency) ? 0 : 2);

/** Amounts are added as whole hundredths, because sums of decimal floats would drift. */
export const toMinor = (amount: number): number => Math.round(amount * 100);
export const fromMinor = (minor: number): number => minor / 100;

/** In hundredths, some ninety thousand of these still add up exactly. */
const MAX_AMOUNT = 1_000_000_000;

const FEE_RATE = 0.015;

export function feeOf(amount: number, currency: string): number {
	const unit = decimalsOf(currency) === 0 ? 100 : 1;
	return fromMinor(Math.round((toMinor(amount) * FEE_RATE) / unit) * unit);
}

/** Positive, no more decimals than the currency has; `text` is the number as it is written. */
export function isAmount(text: string, currency: string): boolean {
	const match = /^\d{1,12}(?:\.(\d{1,2}))?$/.exec(text);
	if (match === null) return false;
	const value = Number(text);
	if (value <= 0 || value > MAX_AMOUNT) return false;
	return decimalsOf(currency) > 0 || Number.isInteger(value);
}

export const moneyText = (amount: number, currency: string): string =>
	amount.toFixed(decimalsOf(currency));
