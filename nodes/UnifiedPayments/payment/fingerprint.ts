import { createHash, createHmac } from 'node:crypto';

import { accountOf, type Account } from '../protocol/credential';
import { amountOf, hundredthsOf, totalsOf, type Money, type Total } from './money';

/** A row as it would be sent. */
export interface SendableRow {
	account: Account & { callbackToken: string | null };
	path: string;
	params: Readonly<Record<string, unknown>>;
	money: Money;
	orderReference: string | null;
	/** Whether the service calls back to the execution itself, whatever the row says. */
	isAwaited: boolean;
}

/*
 * A fingerprint is a version, the number of rows and hundredths for each currency, a code of the
 * payments, and a code of their callback URLs: "up2.3KES125050.2UGX8000.k3….9x…". So whoever
 * approves it sees what it amounts to, and what was approved can be told when it is not what would
 * be sent. An execution that waits has callback URLs of its own, so there the last code says nothing.
 */
const VERSION = 'up2';
const CODE_BYTES = 16;
const CODE_LENGTH = 22;
const PATTERN = /^up2(?:\.\d{1,9}[A-Z]{3}\d{1,30}){1,40}\.[\w-]{22}\.[\w-]{22}$/;
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
	const codeOf = (part: (row: SendableRow) => unknown) =>
		createHash('sha256')
			.update(
				rows
					.map((row) =>
						createHmac('sha256', row.account.identity.secretKey)
							.update(JSON.stringify(['unified-payments row', part(row)]))
							.digest('base64'),
					)
					.sort()
					.join(),
			)
			.digest()
			.subarray(0, CODE_BYTES)
			.toString('base64url');
	const payment = ({ account, path, params, orderReference }: SendableRow) => {
		const others = { ...params, callback_url: undefined };
		const sent = JSON.stringify(others, hashed);
		return [accountOf(account), account.identity.sender, path, sent, orderReference];
	};
	const totals = totalsOf(rows.map(({ money }) => money)).map(
		({ rows: count, currency, amount }) => `${count}${currency}${hundredthsOf(amount)}`,
	);
	const address = (row: SendableRow) => {
		const { callback_url: url } = row.params;
		return [payment(row), url === undefined ? null : [url, row.account.callbackToken]];
	};
	return [VERSION, ...totals, codeOf(payment), codeOf(address)].join('.');
}

/** Whether these rows are the ones that were approved. */
export function approves(approved: string, rows: readonly SendableRow[]): boolean {
	const now = fingerprintOf(rows);
	if (now === null) return false;
	const withoutAddresses = (text: string) => text.slice(0, -CODE_LENGTH);
	return rows.every(({ isAwaited }) => isAwaited)
		? withoutAddresses(approved) === withoutAddresses(now)
		: approved === now;
}

export const isFingerprint = (text: string): boolean => PATTERN.test(text);

/** What a fingerprint amounts to. */
export const totalsIn = (fingerprint: string): Total[] =>
	fingerprint
		.split('.')
		.slice(1, -2)
		.map((text) => {
			const [, rows = '0', currency = '', hundredths = '0'] = TOTAL.exec(text) ?? [];
			return {
				rows: Number(rows),
				currency,
				amount: amountOf(BigInt(hundredths)),
			};
		});
