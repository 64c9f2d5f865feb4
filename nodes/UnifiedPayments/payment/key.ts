import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import type { RowOptions } from '../fields/options';
import { accountOf, type Account } from '../protocol/credential';

/** What a payment is about, however it is presented. */
export interface Payment {
	/** The user's own name for it; null when there is none. */
	orderReference: string | null;
	/** Whoever pays: number, address, names, as far as they are known. */
	payer: readonly string[];
	item: string;
	amount: string;
	currency: string;
	countryId: number;
}

/** What makes two rows the same payment. */
export interface Identity {
	/** A hash; the same for the same payment of the same account and operation. */
	key: string;
	by: 'duplicateKey' | 'orderReference' | 'values';
	/** A hash of payer and amount, where these are no part of the key; null otherwise. */
	values: string | null;
}

/** The column in which Google Sheets gives the number of a row. */
export const ROW_NUMBER = 'row_number';

const sha256 = (...parts: unknown[]) =>
	createHash('sha256').update(JSON.stringify(parts)).digest('base64');

/** What makes a row the payment that it is. */
export function identityOf(
	account: Account,
	path: string,
	{ duplicateKey }: RowOptions,
	{ orderReference, payer, item, amount, currency, countryId }: Payment,
): Identity {
	const hash = (...parts: unknown[]) => sha256(...accountOf(account), path, ...parts);
	const who = payer.map((each) => each.trim());
	const values = sha256(who, amount, currency);
	if (duplicateKey !== null) {
		return { key: hash('key', duplicateKey.trim()), by: 'duplicateKey', values };
	}
	if (orderReference !== null) {
		return { key: hash('order', orderReference.trim()), by: 'orderReference', values };
	}
	const key = hash('values', who, item.trim(), amount, currency, countryId);
	return { key, by: 'values', values: null };
}

/** Whether a row is to be compared with others, and remembered. */
export const isCompared = ({ duplicateProtection, onDuplicate }: RowOptions): boolean =>
	duplicateProtection && onDuplicate !== 'sendAnyway';

/** What to give to one of two rows that are the same payment, so that it is another one. */
export const nameOfItsOwn = ({ by }: Identity): string =>
	by === 'duplicateKey' ? "a 'Duplicate Key' of its own" : 'an order reference of its own';

/** Another row of the same input that is the same payment. */
export type Twin =
	| { kind: 'same'; row: number }
	/** They share an order reference, but not payer and amount. */
	| { kind: 'otherValues'; row: number }
	/** They have no order reference, and something else tells them apart. */
	| { kind: 'otherColumn'; row: number; column: string };

/** For each row, the row that it clashes with, or the earlier one that it repeats; null for none. */
export function findTwins(
	identities: ReadonlyArray<Identity | null>,
	item: (row: number) => IDataObject,
): Array<Twin | null> {
	const first = new Map<string, number>();
	const twins = new Array<Twin | null>(identities.length).fill(null);
	identities.forEach((identity, row) => {
		if (identity === null) return;
		const earlier = first.get(identity.key);
		if (earlier === undefined) {
			first.set(identity.key, row);
			return;
		}
		const twin = compare(identities[earlier]!, earlier, identity, row, item);
		twins[row] = twin;
		// Of two that clash, nobody can say which is meant: neither is sent.
		if (twin.kind !== 'same') twins[earlier] ??= { ...twin, row };
	});
	return twins;
}

function compare(
	one: Identity,
	earlier: number,
	other: Identity,
	row: number,
	item: (row: number) => IDataObject,
): Twin {
	if (other.by === 'orderReference' && one.values !== other.values) {
		return { kind: 'otherValues', row: earlier };
	}
	const column = other.by === 'values' ? differentColumn(item(earlier), item(row)) : undefined;
	return column === undefined
		? { kind: 'same', row: earlier }
		: { kind: 'otherColumn', row: earlier, column };
}

/** Where a row stands is no part of it. */
const differentColumn = (one: IDataObject, other: IDataObject): string | undefined =>
	[...new Set([...Object.keys(one), ...Object.keys(other)])].find(
		(column) =>
			column !== ROW_NUMBER && JSON.stringify(one[column]) !== JSON.stringify(other[column]),
	);
