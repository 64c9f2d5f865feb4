import { InputError, showGiven } from '../../../nodes/UnifiedPayments/fields/inputError.ts';

it('is an error with a name and the first reason', () => {
	const error = new InputError([{ field: 'a', given: 1, reason: 'because', allowed: '' }]);
	expect([error.name, error.message]).toEqual(['InputError', 'because']);
});

describe('showGiven', () => {
	const circle: Record<string, unknown> = {};
	circle.self = circle;

	it.each<[unknown, string]>([
		[undefined, 'empty'],
		[null, 'empty'],
		['', 'empty'],
		['abc', '"abc"'],
		[' ', '" "'],
		[7, '7'],
		[false, 'false'],
		[{ a: [1] }, '{"a":[1]}'],
		[() => 1, 'function'],
		[Symbol('x'), 'symbol'],
		[circle, 'object'],
		['two\nlines\u0000\ud800', '"two�lines��"'],
		['x'.repeat(80), `"${'x'.repeat(80)}"`],
		['x'.repeat(81), `"${'x'.repeat(80)}… (81 characters)"`],
		[`${'x'.repeat(79)}😀y`, `"${'x'.repeat(79)}… (82 characters)"`],
		[`${'x'.repeat(78)}😀y`, `"${'x'.repeat(78)}😀… (81 characters)"`],
		[['x'.repeat(100)], `["${'x'.repeat(78)}… (104 characters)`],
	])('of %p is %s', (given, shown) => {
		expect(showGiven(given)).toBe(shown);
	});
});
