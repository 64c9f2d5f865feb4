import { callbackUrls } from '../../../nodes/UnifiedPayments/fields/callbackUrl.ts';

const withToken = (url: string, token: string | null) => callbackUrls(url, token, null).sent;
const shownUrl = (url: string, token: string | null) => callbackUrls(url, token, null).shown;

const HOOK = 'https://a.example/h';

const tokensIn = (url: string) => new URL(url).searchParams.getAll('token');

describe('the address that is sent', () => {
	it.each([
		['', '?token=t'],
		['?', '?&token=t'],
		['?x=1#a', '?x=1&token=t#a'],
		['#a#b?c', '?token=t#a#b?c'],
	])('gets the token: %s', (end, expected) => {
		expect(withToken(HOOK + end, 't')).toBe(HOOK + expected);
		expect(tokensIn(HOOK + expected)).toEqual(['t']);
	});

	it.each([
		['first', '?token=old&a=1', '?a=1&token=t'],
		['in the middle', '?a=1&token=old&b=2', '?a=1&b=2&token=t'],
		['several times', '?token=1&a=1&token=2&token=3', '?a=1&token=t'],
		['without a value', '?token&a=1', '?a=1&token=t'],
		['with an escaped name', '?%74oken=old&a=1', '?a=1&token=t'],
		['as a list', '?token[]=1&token[0]=2&token%5Ba%5D=3&a=1', '?a=1&token=t'],
	])('has a token that was typed %s replaced', (_, end, expected) => {
		expect(withToken(HOOK + end, 't')).toBe(HOOK + expected);
	});

	it.each([
		...['?Token=1', '?my_token=1', '??token=1', '?a=token=1'],
		...['?a=%26token=1', '?tok%en=1', '?a=b+c%20d%2B'],
	])('keeps what is no token as it is: %s', (end) => {
		expect(withToken(HOOK + end, 't')).toBe(`${HOOK}${end}&token=t`);
	});

	it('has the token escaped', () => {
		expect(tokensIn(withToken(HOOK, 'a b&c=d#é?+%'))).toEqual(['a b&c=d#é?+%']);
	});
});

describe('the address that is shown', () => {
	it.each([
		['', ''],
		['?a=1&b=%7e#x', '?a=1&b=%7e#x'],
		['?token=typed', ''],
		['?a=1&token=typed&b=2', '?a=1&b=2'],
		['?%74oken=typed&token=typed&a', '?a'],
	])('has no token, whatever was typed: %s', (end, expected) => {
		expect(shownUrl(HOOK + end, 't')).toBe(HOOK + expected);
	});

	it.each([
		['', ''],
		['?token=typed', '?token=***'],
		['?a=1&token=typed&b=2#x', '?a=1&token=***&b=2#x'],
		['?%74oken=typed&token=', '?%74oken=***&token=***'],
		['?token[]=typed&token', '?token[]=***&token'],
	])('has a typed token masked when the credential has none: %s', (end, expected) => {
		expect(shownUrl(HOOK + end, null)).toBe(HOOK + expected);
	});
});
