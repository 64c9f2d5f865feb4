import {
	changeQuery,
	isSecret,
	maskValue,
	withParameter,
} from '../../../nodes/UnifiedPayments/protocol/query.ts';

it.each([
	['token', true],
	['token=', true],
	['token=abc', true],
	['token[]=abc', true],
	['token[0]=abc', true],
	['%74oken=abc', true],
	['tokens=abc', false],
	['mytoken=abc', false],
	['mytoken[]=abc', false],
	['?token=abc', false],
	['a=token', false],
	['', false],
	['signature=abc', true],
	['signature[]=abc', true],
	['order=abc', false],
	['=abc', false],
])('%s is not shown: %p', (written, expected) => {
	expect(isSecret(written)).toBe(expected);
});

describe('changeQuery', () => {
	const seen = (url: string) => {
		let parameters: string[] = [];
		const same = changeQuery(url, (given) => (parameters = given));
		return { parameters, same };
	};

	it.each<[string, string[]]>([
		['https://a.example/b', []],
		['https://a.example/b?x=1', ['x=1']],
		['https://a.example/b?x=1&y=2#f', ['x=1', 'y=2']],
		['https://a.example/b#f?x=1', []],
		['https://a.example/b?x=?y', ['x=?y']],
		['https://a.example/b?x=1#one\ntwo', ['x=1']],
	])('gives the parameters of %j, and leaves the rest', (url, parameters) => {
		expect(seen(url)).toEqual({ parameters, same: url });
	});

	it('adds to an address without a query, and takes the last one away', () => {
		expect(changeQuery('https://a/b#f', () => ['x=1', 'y=2'])).toBe('https://a/b?x=1&y=2#f');
		expect(changeQuery('https://a/b?x=1#f', () => [])).toBe('https://a/b#f');
	});
});

it.each([
	['token=abc', 'token=***'],
	['token=a=b\nc', 'token=***'],
	['token=', 'token=***'],
	['token', 'token'],
])('%j is shown as %s', (written, expected) => {
	expect(maskValue(written)).toBe(expected);
});

it.each([
	['https://a/b#f', 'https://a/b?order=4#f'],
	['https://a/b?order=1&x=2&order%5B%5D=3', 'https://a/b?x=2&order=4'],
])('a parameter is added to %s, in place of others of its name', (url, expected) => {
	expect(withParameter(url, 'order', '4')).toBe(expected);
});
