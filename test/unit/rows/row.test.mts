import type { IDataObject } from 'n8n-workflow';

import { createRowNames } from '../../../nodes/UnifiedPayments/rows/row.ts';

const namesOf = (...numbers: unknown[]) =>
	createRowNames(() => numbers.map((row_number) => ({ row_number }) as IDataObject));

it('a row of a sheet is called by the number that the sheet gave it', () => {
	const names = namesOf(2, '7 ', 9);
	expect([0, 1, 2].map(names.number)).toEqual([2, 7, 9]);
	expect(names.name(1)).toBe('row 7');
});

it('any other by its place', () => {
	const names = createRowNames(() => []);
	expect(names.number(3)).toBe(4);
	expect(names.name(3)).toBe('row 4');
	const some = namesOf(5, undefined, undefined);
	expect([some.name(0), some.name(2)]).toEqual(['row 5', 'row 3']);
});

it.each([
	['two sheets behind each other', [2, 3, 2, 3]],
	['written in two ways', [2, '2 ', 4]],
])('a number that is there twice names nobody: %s', (_, numbers) => {
	const names = namesOf(...numbers);
	expect(numbers.map((_, row) => names.number(row))).toEqual(numbers.map((_, row) => row + 1));
});

it.each([0, -1, 1.5, '', null, {}, [4]])('%j is no number of a row', (given) => {
	expect(namesOf(8, 9, given).number(2)).toBe(3);
});

it('a row is called by its order first, and by the number beside it in the sheet', () => {
	const orders = [' N-1003', '', 1004, undefined, 'x'.repeat(100)];
	const names = createRowNames(() => [], { order: (row) => orders[row], headings: 1 });
	expect(orders.map((_, row) => names.name(row))).toEqual([
		'order N-1003, row 2',
		'row 3',
		'order 1004, row 4',
		'row 5',
		`order ${'x'.repeat(60)}…, row 6`,
	]);
});
