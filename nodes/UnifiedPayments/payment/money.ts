import { withoutEnd } from '../protocol/parse';

/** An amount as it was read: an exact decimal with at most two decimals. */
export interface Money {
	amount: string;
	currency: string;
}

/** What rows of one currency add up to. */
export interface Total extends Money {
	rows: number;
}

/** Exact: hundredths in whole numbers of any size. */
export function hundredthsOf(amount: string): bigint {
	const [whole, decimals = ''] = amount.split('.');
	return BigInt(`${whole}${decimals.padEnd(2, '0')}`);
}

export const isMore = (amount: string, limit: string): boolean =>
	hundredthsOf(amount) > hundredthsOf(limit);

/** The other way round, without needless decimals: "1250.5", "80". */
export function amountOf(hundredths: bigint): string {
	const digits = String(hundredths).padStart(3, '0');
	const decimals = withoutEnd(digits.slice(-2), '0');
	return decimals === '' ? digits.slice(0, -2) : `${digits.slice(0, -2)}.${decimals}`;
}

/** One for each currency, in the order of the alphabet. */
export function totalsOf(payments: readonly Money[]): Total[] {
	const sums = new Map<string, { rows: number; hundredths: bigint }>();
	for (const { amount, currency } of payments) {
		const { rows, hundredths } = sums.get(currency) ?? { rows: 0, hundredths: 0n };
		sums.set(currency, { rows: rows + 1, hundredths: hundredths + hundredthsOf(amount) });
	}
	return [...sums.keys()].sort().map((currency) => {
		const { rows, hundredths } = sums.get(currency)!;
		return { currency, rows, amount: amountOf(hundredths) };
	});
}

/** "3 rows with 1,250.50 KES and 80 UGX". */
export function inWords(totals: readonly Total[]): string {
	const rows = totals.reduce((sum, total) => sum + total.rows, 0);
	if (rows === 0) return 'no rows';
	const sums = totals.map(moneyText).join(' and ');
	return `${rows} ${rows === 1 ? 'row' : 'rows'} with ${sums}`;
}

/** "1,250.50 KES". */
export function moneyText({ amount, currency }: Money): string {
	const [whole = '', decimals] = amount.split('.');
	const thousands: string[] = [];
	for (let end = whole.length; end > 0; end -= 3) {
		thousands.unshift(whole.slice(Math.max(0, end - 3), end));
	}
	return `${thousands.join(',')}${decimals === undefined ? '' : `.${decimals.padEnd(2, '0')}`} ${currency}`;
}
