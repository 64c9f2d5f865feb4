import { locatedIn, pageOf } from '../../../nodes/UnifiedPayments/fields/locator.ts';

describe('what a resource locator gives', () => {
	it.each<[unknown, unknown]>([
		[{ __rl: true, mode: 'id', value: '1001' }, '1001'],
		[{ __rl: true, mode: 'list', value: '' }, ''],
		['1001', '1001'],
		[1001, 1001],
		[null, null],
		[{ value: 'alone' }, { value: 'alone' }],
	])('of %j is %j', (given, expected) => {
		expect(locatedIn(given)).toEqual(expected);
	});
});

describe('a page of a list', () => {
	const many = Array.from({ length: 250 }, (_, index) => ({
		name: `Order ${index}`,
		value: `PL-${index}`,
	}));

	it('is a hundred entries, and says where the next one begins', () => {
		const [first, second] = [many.slice(0, 100), many.slice(100, 200)];
		expect(pageOf(many)).toEqual({ results: first, paginationToken: '100' });
		expect(pageOf(many, '', '100')).toEqual({ results: second, paginationToken: '200' });
		expect(pageOf(many, '', '200')).toEqual({ results: many.slice(200) });
		expect(pageOf(first)).toEqual({ results: first });
	});

	it('finds what is typed in names and values, whatever the case', () => {
		expect(pageOf(many, ' order 249 ').results).toEqual([many[249]]);
		expect(pageOf(many, 'pl-248').results).toEqual([many[248]]);
		expect(pageOf(many, 'nothing like it')).toEqual({ results: [] });
	});
});
