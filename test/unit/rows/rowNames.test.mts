import type { IDataObject } from 'n8n-workflow';

import { createRowNames } from '../../../nodes/UnifiedPayments/rows/rowNames.ts';

const namesOf = (...numbers: unknown[]) =>
	createRowNames(() => numbers.map((row_number) => ({ row_number }) as IDataObject));

it('a row of a sheet is called by the number that the sheet gave it', () => {
	const names = namesOf(2, '7 ', 9);
	expect([0, 1, 2].map(names.number)).toEqual([2, 7, 9]);
	expect(names.name(1)).toBe('row 7');
	expect(names.places([2, 0, 1])).toBe('rows 2, 7, 9');
});

it('any other has no number: blank rows of the sheet are no items', () => {
	const names = createRowNames(() => []);
	expect(names.number(3)).toBeNull();
	expect(names.name(3)).toBe('item 4 of the input');
	const some = namesOf(5, undefined, undefined);
	expect([some.name(0), some.name(2)]).toEqual(['row 5', 'item 3 of the input']);
	expect(some.places([0, 2, 1])).toBe('items 1-3 of the input');
});

it.each([
	['two sheets behind each other', [2, 3, 2, 3]],
	['written in two ways', [2, '2 ', 4]],
])('a number that is there twice names nobody: %s', (_, numbers) => {
	const names = namesOf(...numbers);
	expect(numbers.map((_, row) => names.number(row))).toEqual(numbers.map(() => null));
});

it.each([0, -1, 1.5, '', null, {}, [4]])('%j is no number of a row', (given) => {
	expect(namesOf(8, 9, given).number(2)).toBeNull();
});

it('a row is called by its order and its customer, and by where it stands', () => {
	const fields: IDataObject[] = [
		{ orderReference: ' N-1003', firstName: 'Amina', lastName: 'Okoro', mobile: '0712' },
		{ orderReference: '', phone: 712345678, email: 'a@example.com' },
		{ orderReference: 1004, email: 'a@example.com' },
		{},
		{ orderReference: 'x'.repeat(100) },
		{ orderReference: 'A\n1' },
	];
	const names = createRowNames(() => [], { fields: (row) => fields[row] });
	expect(fields.map((_, row) => names.name(row))).toEqual([
		'order N-1003, Amina Okoro, item 1 of the input',
		'712345678, item 2 of the input',
		'order 1004, a@example.com, item 3 of the input',
		'item 4 of the input',
		`order ${'x'.repeat(60)}…, item 5 of the input`,
		'order A�1, item 6 of the input',
	]);
	// Beside n8n's own count of the items, which begins with 0, there is no other.
	expect(fields.map((_, row) => names.besideCount(row)).slice(0, 4)).toEqual([
		'order N-1003, Amina Okoro',
		'the row of 712345678',
		'order 1004, a@example.com',
		null,
	]);
});

it('by the name in the sheet, where there is one', () => {
	const names = createRowNames(() => [{ row_number: 4 }], {
		fields: () => ({ orderReference: 'A-1', phone: '0712' }),
		customer: () => 'Amina',
	});
	expect(names.name(0)).toBe('order A-1, Amina, row 4');
	expect(names.several([0])).toBe('order A-1, Amina, row 4');
});

it('a few rows are named one by one, many by their places', () => {
	const names = createRowNames(() => []);
	expect(names.several([0, 1])).toBe('item 1 of the input; item 2 of the input');
	expect(names.several([0, 1, 2, 3, 6])).toBe('items 1-4, 7 of the input');
	const odd = Array.from({ length: 101 }, (_, row) => 2 * row);
	expect(names.places(odd)).toMatch(/, 199 and 1 more of the input$/);
});
