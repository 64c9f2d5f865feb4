import {
	awaitedIn,
	executionIn,
	paymentIn,
	resumeAddress,
} from '../../../nodes/UnifiedPayments/waiting/address.ts';

const EXECUTION = 'https://n8n.example.com/webhook-waiting/17?signature=abc';
const MARK = 'lQS0x.1000KES..AAAABBBBBBBB.AAAAAAAAAAAAAAAA';
const OWN = `https://n8n.example.com/webhook-waiting/17/unified-payments?signature=abc&upo=${MARK}`;

describe('the address that wakes an execution', () => {
	it.each([
		['/webhook-waiting/17?signature=abc', '/17/unified-payments?signature=abc'],
		['/webhook-waiting/17/', '/17/unified-payments'],
	])('of %s', (path, end) => {
		const address = resumeAddress(`https://a.example${path}`);
		expect(address).toBe(`https://a.example${path.replace(/\/17.*/, end)}`);
	});

	it('is told from others', () => {
		expect(awaitedIn(OWN)).toBe(MARK);
		expect(awaitedIn(OWN.replace('abc', '***'))).toBe(MARK);
		expect(awaitedIn(`https://n8n.example.com/webhook/x?upo=${MARK}`)).toBeNull();
		expect(awaitedIn(OWN.replace('unified-payments', 'unified-payments-2'))).toBeNull();
		expect(awaitedIn(OWN.replace(`&upo=${MARK}`, ''))).toBeNull();
	});
});

it('the payment in an address is its mark, and none when it is there twice, or not at all', () => {
	for (const more of [`&upo=${MARK}`, '&upo[]=3', '&amp;upo=3'])
		expect(paymentIn(OWN + more)).toBeNull();
	expect(paymentIn(EXECUTION)).toBeNull();
});

it.each(['&', '&amp;', '&#38;'])('and the same with %s in it, and more behind it', (and) => {
	for (const end of ['', '/', '?a=1', `${and}a=1`])
		expect(paymentIn(OWN.replaceAll('&', and) + end)).toBe(MARK);
});

it.each(['?signature=abc&upo=1', '?a\nb', ''])(
	'the address of the execution alone is the same with %j behind it',
	(end) => {
		const alone = 'https://n8n.example.com/webhook-waiting/17/unified-payments';
		expect(executionIn(alone + end)).toBe(alone);
	},
);
