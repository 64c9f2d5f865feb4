import { createHash, createHmac } from 'node:crypto';

import { accountOf, type Account } from '../protocol/credential';
import { amountOf, hundredthsOf, totalsOf, type Money, type Total } from './money';

/** A row as it would be sent. */
export interface SendableRow {
	account: Account;
	path: string;
	params: Readonly<Record<string, unknown>>;
	money: Money;
}

/*
 * A fingerprint is a version, the number of rows and hundredths for each currency, and a code:
 * "up1.3KES125050.2UGX8000.k3…". So whoever approves it sees what it amounts to, and what was
 * approved can be told when it is not what would be sent.
 */
const VERSION = 'up1';
const CODE_BYTES = 16;
const PATTERN = /^up1(?:\.\d{1,9}[A-Z]{3}\d{1,30}){1,40}\.[\w-]{22}$/;
const TOTAL = /(\d+)([A-Z]{3})(\d+)/;

/** From here on a value is hashed by itself, once for all rows that share it: a logo. */
const LARGE = 1024;

/**
 * The same for the same rows in any order, and another one for every change of what would be sent.
 * The secret key is part of it, so that it gives nothing away about callback tokens.
 */
export function fingerprintOf(rows: readonly SendableRow[]): string | null {
	if (rows.length === 0) return null;
	const hashes = new Map<string, string>();
	const hashed = (_name: string, value: unknown): unknown => {
		if (typeof value !== 'string' || value.length < LARGE) return value;
		const hash = hashes.get(value) ?? createHash('sha256').update(value).digest('base64');
		hashes.set(value, hash);
		return { hash };
	};
	const codes = rows.map(({ account, path, params }) =>
		createHmac('sha256', account.identity.secretKey)
			.update(
				JSON.stringify([
					'unified-payments row',
					accountOf(account),
					account.identity.sender,
					path,
					JSON.stringify(params, hashed),
				]),
			)
			.digest('base64'),
	);
	const code = createHash('sha256')
		.update(codes.sort().join())
		.digest()
		.subarray(0, CODE_BYTES)
		.toString('base64url');
	const totals = totalsOf(rows.map(({ money }) => money)).map(
		({ rows: count, currency, amount }) => `${count}${currency}${hundredthsOf(amount)}`,
	);
	return [VERSION, ...totals, code].join('.');
}

export const isFingerprint = (text: string): boolean => PATTERN.test(text);

/** What a fingerprint amounts to. */
export const totalsIn = (fingerprint: string): Total[] =>
	fingerprint
		.split('.')
		.slice(1, -1)
		.map((text) => {
			const [, rows, currency, hundredths] = TOTAL.exec(text)!;
			return {
				rows: Number(rows),
				currency: currency!,
				amount: amountOf(BigInt(hundredths!)),
			};
		});
