import type { IDataObject } from 'n8n-workflow';

import type { RawFields } from '../fields/field';
import { onOneLine } from '../fields/inputError';
import { ROW_NUMBER } from '../payment/key';
import { cut } from '../protocol/limits';

/** How rows are called wherever a person reads about them, so that they are found again. */
export interface RowNames {
	/** The number that the sheet gave the row; null where it gave none: a blank row is no item. */
	number(row: number): number | null;
	/** "order N-1003, Amina Okoro, row 4"; order and customer only once the row was read. */
	name(row: number): string;
	/** The same beside n8n's own count of the items, without another one; null where nothing is left. */
	besideCount(row: number): string | null;
	/** "rows 1-3, 7", or "items 1-3, 7 of the input". */
	places(rows: readonly number[]): string;
	/** A few by name, many by their places. */
	several(rows: readonly number[]): string;
}

interface RowNaming {
	/** The fields that a row was read with. */
	fields?: (row: number) => RawFields | undefined;
	/** The customer, where a column of the sheet names one. */
	customer?: (row: number) => unknown;
}

/** So many rows are named one by one. */
const FEW = 3;

/** A number that two rows of the input have names nobody: then none has one. */
export function createRowNames(
	items: () => readonly IDataObject[],
	{ fields = () => undefined, customer = () => undefined }: RowNaming = {},
): RowNames {
	let stated: Array<number | null> | undefined;
	const statedNumbers = () => {
		const numbers = items().map((item) => statedNumber(item[ROW_NUMBER]));
		const known = numbers.filter((each) => each !== null);
		return new Set(known).size === known.length ? numbers : [];
	};
	const number = (row: number): number | null => (stated ??= statedNumbers())[row] ?? null;
	const places = (rows: readonly number[]): string => {
		const some = rows.length === 1 ? '' : 's';
		const numbers = rows.map(number);
		return numbers.every((each) => each !== null)
			? `row${some} ${ranges(numbers)}`
			: `item${some} ${ranges(rows.map((row) => row + 1))} of the input`;
	};
	const partsOf = (row: number): string[] => {
		const read = fields(row) ?? {};
		const order = written(read.orderReference);
		const who = [customer(row), fullName(read), read.mobile ?? read.phone, read.email]
			.map(written)
			.find((each) => each !== '');
		return [order === '' ? '' : `order ${order}`, who ?? ''].filter((each) => each !== '');
	};
	const name = (row: number): string => [...partsOf(row), places([row])].join(', ');
	return {
		number,
		name,
		besideCount(row) {
			const parts = partsOf(row);
			if (number(row) !== null) return name(row);
			if (parts.length === 0) return null;
			const called = parts.join(', ');
			return called.startsWith('order ') ? called : `the row of ${called}`;
		},
		places,
		several: (rows) => (rows.length <= FEW ? rows.map(name).join('; ') : places(rows)),
	};
}

const fullName = ({ firstName, lastName }: RawFields): string =>
	[firstName, lastName].map(written).join(' ').trim();

/** As much of an order or a customer as a sentence can hold. */
const LONGEST = 60;

function written(given: unknown): string {
	const isWritten = typeof given === 'number' || typeof given === 'string';
	return isWritten ? cut(onOneLine(String(given).slice(0, 10 * LONGEST)).trim(), LONGEST) : '';
}

function statedNumber(given: unknown): number | null {
	const isWritten = typeof given === 'number' || typeof given === 'string';
	const text = isWritten ? String(given).trim() : '';
	return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}

/** So many spans of rows are named. */
const NAMED = 100;

/** [1, 2, 3, 7] → "1-3, 7" */
function ranges(rows: readonly number[]): string {
	const spans: Array<[number, number]> = [];
	for (const row of [...rows].sort((a, b) => a - b)) {
		const last = spans.at(-1);
		if (last && last[1] === row - 1) last[1] = row;
		else spans.push([row, row]);
	}
	const named = spans
		.slice(0, NAMED)
		.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`));
	const more = spans.slice(NAMED).reduce((sum, [from, to]) => sum + to - from + 1, 0);
	return named.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
