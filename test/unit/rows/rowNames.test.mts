import { createRowNames } from '../../../nodes/UnifiedPayments/rows/rowNames.ts';

const named = (row_number: unknown) => createRowNames(() => ({ row_number }) as never);

it('a row of a sheet is called by the number that the sheet gave it', () => {
	const names = createRowNames((row) => ({ row_number: [2, '7 ', 9][row] }));
	expect([0, 1, 2].map(names.number)).toEqual([2, 7, 9]);
	expect(names.name(1)).toBe('row 7 (item 1)');
});

it('any other by its place', () => {
	const names = createRowNames(() => ({}));
	expect(names.number(3)).toBe(4);
	expect(names.name(3)).toBe('row 4 (item 3)');
	expect(createRowNames(() => undefined).name(0)).toBe('row 1 (item 0)');
});

it.each([0, -1, 1.5, '', 'two', '1e3', null, true, {}, [4], 10_000_000_000])(
	'%j is no number of a row',
	(given) => {
		expect(named(given).number(2)).toBe(3);
	},
);
