import { withToken } from '../../../nodes/UnifiedPayments/fields/callbackUrl.ts';

it.each([
	['https://a.example/h', 'https://a.example/h?token=t'],
	['https://a.example/h?', 'https://a.example/h?&token=t'],
	['https://a.example/h?x=1', 'https://a.example/h?x=1&token=t'],
	['https://a.example/h#part', 'https://a.example/h?token=t#part'],
	['https://a.example/h?x=1#a', 'https://a.example/h?x=1&token=t#a'],
	['https://a.example/h#', 'https://a.example/h?token=t#'],
	['https://a.example/h#a#b?c', 'https://a.example/h?token=t#a#b?c'],
])('puts the token into %s', (url, expected) => {
	expect(withToken(url, 't')).toBe(expected);
	expect(new URL(expected).searchParams.get('token')).toBe('t');
});

it('escapes the token', () => {
	const url = withToken('https://a.example/', 'a b&c=d#é?');
	expect(new URL(url).searchParams.get('token')).toBe('a b&c=d#é?');
});

it('leaves the address alone without a token', () => {
	expect(withToken('https://a.example/h#x', null)).toBe('https://a.example/h#x');
});
