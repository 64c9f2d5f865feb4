import { hash as hashOf } from 'node:crypto';

import { accountOf, type Account } from '../protocol/credential';
import type { Json } from '../protocol/parse';
import { foldedReference } from './compare';
import type { PaymentKey, PaymentValues } from './payment';

const sha256 = (...parts: unknown[]) => hashOf('sha256', JSON.stringify(parts), 'base64');

/** The name of a row: what makes it the same payment as another one, whatever its values are. */
export type RowName = Pick<PaymentKey, 'key' | 'by'>;

/** Null for a row that only its values can tell from others. Texts are compared as people see them. */
export function nameOf(
	account: Account,
	path: string,
	/** None when it is null or empty. */
	duplicateKey: string | null,
	orderReference: string | null,
): RowName | null {
	const hash = (...parts: unknown[]) => sha256(...accountOf(account), path, ...parts);
	if (duplicateKey !== null && duplicateKey !== '') {
		return { key: hash('key', foldedReference(duplicateKey)), by: 'duplicateKey' };
	}
	return orderReference === null
		? null
		: { key: hash('order', foldedReference(orderReference)), by: 'orderReference' };
}

/** The key of a payment: its name, or its values where it has none. */
export function keyOf(
	account: Account,
	path: string,
	name: RowName | null,
	{ payer, item, amount, currency, countryId, ownReference }: PaymentValues,
): PaymentKey {
	const what = [payer.map(foldedReference), foldedReference(item), amount, currency, countryId];
	// The service knows no other spelling of the order that it is asked by.
	if (name !== null) return { ...name, values: sha256(...what, ownReference) };
	const key = sha256(...accountOf(account), path, 'values', ...what);
	return { key, by: 'values', values: null };
}

/** What to change in one of two equal rows if they are two payments. */
export const nameOfItsOwn = ({ by }: Pick<PaymentKey, 'by'>): string =>
	by === 'duplicateKey' ? "a 'Duplicate Key' of its own" : 'an order reference of its own';

/** The column in which Google Sheets gives the number of a row. It is no part of the row. */
export const ROW_NUMBER = 'row_number';

/** A row of the input, for comparing it with the others. */
export interface ComparedRow {
	key: string;
	/** Everything that would be sent, before anything is added to it; null when it cannot be read. */
	params: Readonly<Json> | null;
	/** Its fields as they were given. */
	fields: Readonly<Json>;
	/** The row as it came in. */
	input: Readonly<Json>;
}

/** A row, and another one of the same input with the same key. */
interface DuplicateRow<Row> {
	row: Row;
	other: Row;
	/** What differs; null when it is the same in everything. */
	differsIn: string | null;
}

/**
 * Rows with the same key. Rows that are the same in everything repeat the first one.
 * If any of them differs, nobody can say which one is meant, so all of them are told apart.
 */
export async function findDuplicates<Row extends ComparedRow>(
	rows: readonly Row[],
	/** Lets n8n do other things: there may be hundreds of thousands. */
	pause: () => Promise<void>,
): Promise<Array<DuplicateRow<Row>>> {
	const groups = new Map<string, [Row, ...Row[]]>();
	for (const row of rows) {
		const group = groups.get(row.key);
		if (group) group.push(row);
		else groups.set(row.key, [row]);
		await pause();
	}
	const found: Array<DuplicateRow<Row>> = [];
	for (const [first, ...others] of groups.values()) {
		const compared: Array<{ row: Row; differsIn: string | null }> = [];
		for (const row of others) {
			compared.push({ row, differsIn: difference(first, row) });
			await pause();
		}
		const odd = compared.find(({ differsIn }) => differsIn !== null);
		if (odd) found.push({ row: first, other: odd.row, differsIn: odd.differsIn });
		for (const { row, differsIn } of compared) {
			// A row that is like the first is told by which one they are not alone.
			const isLikeFirst = odd !== undefined && differsIn === null;
			found.push(
				isLikeFirst
					? { row, other: odd.row, differsIn: odd.differsIn }
					: { row, other: first, differsIn },
			);
		}
	}
	return found;
}

/** A column that differs says more to its reader than the field that it fills. */
const difference = (one: ComparedRow, other: ComparedRow): string | null =>
	differentMember(one.input, other.input, [ROW_NUMBER]) ??
	(one.params && other.params
		? differentMember(one.params, other.params, [])
		: differentMember(one.fields, other.fields, []));

const differentMember = (
	one: Readonly<Json>,
	other: Readonly<Json>,
	ignored: readonly string[],
): string | null =>
	[...new Set([...Object.keys(one), ...Object.keys(other)])].find(
		(name) => !ignored.includes(name) && !isSame(one[name], other[name]),
	) ?? null;

/** A text, such as a logo that all rows share, is not written out to be compared. */
const isSame = (one: unknown, other: unknown): boolean =>
	one === other ||
	((typeof one !== 'string' || typeof other !== 'string') &&
		JSON.stringify(one) === JSON.stringify(other));
