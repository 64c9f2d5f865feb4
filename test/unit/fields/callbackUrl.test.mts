import { callbackUrls } from '../../../nodes/UnifiedPayments/fields/callbackUrl.ts';

const HOOK = 'https://a.example/h';

it.each([
	['', '?upo=m'],
	['?', '?&upo=m'],
	['?x=1#a', '?x=1&upo=m#a'],
	['#a#b?c', '?upo=m#a#b?c'],
	['?upo=old&a=1', '?a=1&upo=m'],
	['?upo[]=1&%75po=2&a=b+c%20d%2B', '?a=b+c%20d%2B&upo=m'],
])('the address %s is sent with its mark', (end, expected) => {
	expect(callbackUrls(HOOK + end, 'm').sent).toBe(HOOK + expected);
});

it.each([
	['', ''],
	['?a=1&b=%7e#x', '?a=1&b=%7e#x'],
	['?token=typed', '?token=***'],
	['?a=1&token=typed&b=2#x', '?a=1&token=***&b=2#x'],
	['?%74oken=typed&token=', '?%74oken=***&token=***'],
	['?token[]=typed&token', '?token[]=***&token'],
	['?signature=s', '?signature=***'],
])('the address %s is shown without what is secret in it', (end, expected) => {
	expect(callbackUrls(HOOK + end, null)).toEqual({ sent: HOOK + end, shown: HOOK + expected });
});
