import type { IDataObject } from 'n8n-workflow';

import { ROW_NUMBER } from '../payment/key';

/** How rows are called wherever a person reads about them, so that they are found again. */
export interface RowNames {
	/** What the sheet itself calls the row, or its place in the input, from 1. */
	number(row: number): number;
	/** "row 4 (item 3)": the host counts items, from 0. */
	name(row: number): string;
}

export function createRowNames(item: (row: number) => IDataObject | undefined): RowNames {
	const number = (row: number): number => stated(item(row)?.[ROW_NUMBER]) ?? row + 1;
	return { number, name: (row) => `row ${number(row)} (item ${row})` };
}

function stated(given: unknown): number | null {
	const isWritten = typeof given === 'number' || typeof given === 'string';
	const text = isWritten ? String(given).trim() : '';
	return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}
