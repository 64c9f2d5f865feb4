import { createHash, createHmac } from 'node:crypto';

import { accountOf, type Account } from '../protocol/credential';
import { foldedReference } from './compare';
import { amountOf, hundredthsOf, totalsOf, type Money, type Total } from './money';

/** A row as it would be sent. */
export interface SendableRow {
	account: Account;
	/** What the user gave, without what this node adds to it. */
	given: {
		params: Readonly<Record<string, unknown>>;
		/** Whether its amount is written with two decimals. */
		twoDecimals?: boolean;
	};
	payment: Money & { orderReference: string | null };
	/** The key makes two rows of the same values two payments. None when it is null or empty. */
	options: { duplicateKey: string | null };
	/** Whether the service calls back to the execution itself, whatever the row says. */
	isAwaited: boolean;
}

/*
 * A fingerprint is a version, the number of rows and hundredths for each currency, a code of the
 * payments, and a code of their callback URLs: "up2.3KES125050.2UGX8000.k3….9x…". So whoever
 * approves it sees the total, and what was approved can be told when it is not what would
 * be sent. An execution that waits has callback URLs of its own, so there the last code says nothing.
 */
const VERSION = 'up2';
const CODE_BYTES = 16;
const CODE_LENGTH = 22;
const PATTERN = /^up2(?:\.\d{1,9}[A-Z]{3}\d{1,30}){1,40}\.[\w-]{22}\.[\w-]{22}$/;
const TOTAL = /^(\d+)([A-Z]{3})(\d+)$/;

/** From here on a value is hashed by itself, once for all rows that share it: a logo. */
const LARGE = 1024;

/** Lets n8n do other things: hashing hundreds of thousands of rows takes seconds. */
type Pause = () => Promise<void>;

/**
 * The same for the same rows in any order, and another one for every change of what would be sent.
 * The secret key is part of it, so that it gives nothing away about addresses.
 */
export async function fingerprintOf(
	path: string,
	rows: readonly SendableRow[],
	pause: Pause,
): Promise<string | null> {
	if (rows.length === 0) return null;
	const logos = new Map<string, string>();
	const payments: string[] = [];
	const addresses: string[] = [];
	for (const { account, given, payment, options } of rows) {
		const { callback_url: url, ...others } = given.params;
		const sent = JSON.stringify(others, hashLarge(logos));
		const { sender } = account.identity;
		const what: unknown[] = [accountOf(account), sender, path, sent, payment.orderReference];
		if (given.twoDecimals) what.push('two decimals');
		if (options.duplicateKey) what.push({ key: foldedReference(options.duplicateKey) });
		payments.push(codeOf(account, [what]));
		addresses.push(codeOf(account, [what, url ?? null]));
		await pause();
	}
	const totals = totalsOf(rows.map(({ payment }) => payment)).map(
		({ rows: count, currency, amount }) => `${count}${currency}${hundredthsOf(amount)}`,
	);
	return [VERSION, ...totals, codeOfAll(payments), codeOfAll(addresses)].join('.');
}

const hashLarge =
	(known: Map<string, string>) =>
	(_name: string, value: unknown): unknown => {
		if (typeof value !== 'string' || value.length < LARGE) return value;
		const hash = known.get(value) ?? createHash('sha256').update(value).digest('base64');
		known.set(value, hash);
		return { hash };
	};

const codeOf = ({ identity }: Account, parts: readonly unknown[]): string =>
	createHmac('sha256', identity.secretKey)
		.update(JSON.stringify(['unified-payments row', ...parts]))
		.digest('base64');

const codeOfAll = (codes: string[]): string =>
	createHash('sha256')
		.update(`${codes.sort().join()},`)
		.digest()
		.subarray(0, CODE_BYTES)
		.toString('base64url');

/** Whether these rows are the ones that were approved. */
export async function approves(
	approved: string,
	path: string,
	rows: readonly SendableRow[],
	pause: Pause,
): Promise<boolean> {
	const now = await fingerprintOf(path, rows, pause);
	if (now === null) return false;
	const withoutAddresses = (text: string) => text.slice(0, -CODE_LENGTH);
	return rows.every(({ isAwaited }) => isAwaited)
		? withoutAddresses(approved) === withoutAddresses(now)
		: approved === now;
}

export const isFingerprint = (text: string): boolean => PATTERN.test(text);

/** The totals that a fingerprint states. */
export const totalsIn = (fingerprint: string): Total[] =>
	fingerprint
		.split('.')
		.slice(1, -2)
		.map((text) => {
			const [, rows = '0', currency = '', hundredths = '0'] = TOTAL.exec(text) ?? [];
			return { rows: Number(rows), currency, amount: amountOf(BigInt(hundredths)) };
		});
