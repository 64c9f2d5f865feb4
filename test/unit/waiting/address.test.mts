import {
	awaitedIn,
	executionIn,
	paymentIn,
	resumeAddress,
} from '../../../nodes/UnifiedPayments/waiting/address.ts';

const EXECUTION = 'https://n8n.example.com/webhook-waiting/17?signature=abc';
const MARK = 'upo=1A-1.1000KES.AAAAAAAAAAAAAAAA';
const OWN = `https://n8n.example.com/webhook-waiting/17/unified-payments?signature=abc&upi=2&${MARK}`;

describe('the address that wakes an execution', () => {
	it.each([
		['/webhook-waiting/17?signature=abc', '/17/unified-payments?signature=abc&upi=BoS2'],
		['/webhook-waiting/17/', '/17/unified-payments?upi=BoS2'],
	])('of %s', (path, end) => {
		const address = resumeAddress(`https://a.example${path}`, { node: 'a node', run: 0 }, 2);
		expect(address).toBe(`https://a.example${path.replace(/\/17.*/, end)}`);
	});

	it('is another one for each node, and for each run of it', () => {
		const places = ['a node', 'another'].flatMap((node) =>
			[0, 1, 11].map((run) => ({ node, run })),
		);
		const all = places.flatMap((place) => [0, 1, 11].map((row) => resumeAddress('', place, row)));
		expect(new Set(all).size).toBe(18);
		expect(resumeAddress('', { node: 'a node', run: 3 }, 2)).toBe('/unified-payments?upi=BoS3.2');
	});

	it('is told from others', () => {
		expect(awaitedIn(OWN)).not.toBeNull();
		expect(awaitedIn(OWN.replace('abc', '***'))).not.toBeNull();
		expect(awaitedIn(`https://n8n.example.com/webhook/x?upi=2&${MARK}`)).toBeNull();
		expect(awaitedIn(OWN.replace('unified-payments', 'unified-payments-2'))).toBeNull();
		expect(awaitedIn(OWN.replace(`&${MARK}`, ''))).toBeNull();
		expect(awaitedIn(OWN.replace('&upi=2', ''))).toBeNull();
	});
});

it('the payment in an address is its row and its mark, and none when either is there twice, or not at all', () => {
	for (const more of ['&upi=3', `&${MARK}`, '&upi[]=3', '&amp;upi=3'])
		expect(paymentIn(OWN + more)).toBeNull();
	expect(paymentIn(EXECUTION)).toBeNull();
});

it.each(['&', '&amp;', '&#38;'])('and the same with %s in it, and more behind it', (and) => {
	for (const end of ['', '/', '?a=1', `${and}a=1`])
		expect(paymentIn(OWN.replaceAll('&', and) + end)).toBe(`upi=2&${MARK}`);
});

it.each(['?signature=abc&upi=1', '?a\nb', ''])(
	'the address of the execution alone is the same with %j behind it',
	(end) => {
		const alone = 'https://n8n.example.com/webhook-waiting/17/unified-payments';
		expect(executionIn(alone + end)).toBe(alone);
	},
);
