import {
	isOfNode,
	isResumeAddress,
	paymentIn,
	paymentsInText,
	resumeAddress,
} from '../../../nodes/UnifiedPayments/waiting/address.ts';

const EXECUTION = 'https://n8n.example.com/webhook-waiting/17?signature=abc';
const MARK = 'upo=1A-1.1000KES.AAAAAAAAAAAAAAAA';
const OWN = `https://n8n.example.com/webhook-waiting/17/unified-payments?signature=abc&upi=2&${MARK}`;

describe('the address that wakes an execution', () => {
	it.each([
		[
			EXECUTION,
			'https://n8n.example.com/webhook-waiting/17/unified-payments?signature=abc&upi=BoS2',
		],
		[
			'https://n8n.example.com/n8n/webhook-waiting/17',
			'https://n8n.example.com/n8n/webhook-waiting/17/unified-payments?upi=BoS2',
		],
		[
			'https://n8n.example.com/webhook-waiting/17/',
			'https://n8n.example.com/webhook-waiting/17/unified-payments?upi=BoS2',
		],
	])('of %s', (given, expected) => {
		expect(resumeAddress(given, { node: 'a node', run: 0 }, 2)).toBe(expected);
	});

	it('is another one for each node, and for each run of it', () => {
		const places = ['a node', 'another'].flatMap((node) =>
			[0, 1, 11].map((run) => ({ node, run })),
		);
		const all = places.flatMap((place) => [0, 1, 11].map((row) => resumeAddress('', place, row)));
		expect(new Set(all).size).toBe(18);
		expect(resumeAddress('', { node: 'a node', run: 3 }, 2)).toBe('/unified-payments?upi=BoS3.2');
	});

	it('says which node it is of', () => {
		const payment = paymentIn(`${resumeAddress('', { node: 'a node', run: 3 }, 2)}&${MARK}`)!;
		expect(isOfNode(payment, 'a node')).toBe(true);
		expect(isOfNode(payment, 'another')).toBe(false);
	});

	it('is told from others', () => {
		expect(isResumeAddress(OWN)).toBe(true);
		expect(isResumeAddress(OWN.replace('abc', '***'))).toBe(true);
		expect(isResumeAddress(`https://n8n.example.com/webhook/x?upi=2&${MARK}`)).toBe(false);
		expect(isResumeAddress(OWN.replace('unified-payments', 'unified-payments-2'))).toBe(false);
		expect(isResumeAddress(OWN.replace(`&${MARK}`, ''))).toBe(false);
		expect(isResumeAddress(OWN.replace('&upi=2', ''))).toBe(false);
	});
});

describe('the payment in an address', () => {
	it('is its row and its mark', () => {
		expect(paymentIn(OWN)).toBe(`upi=2&${MARK}`);
	});

	it('is none when either is there twice, or not at all', () => {
		expect(paymentIn(`${OWN}&upi=3`)).toBeNull();
		expect(paymentIn(`${OWN}&${MARK}`)).toBeNull();
		expect(paymentIn(`${OWN}&upi[]=3`)).toBeNull();
		expect(paymentIn(EXECUTION)).toBeNull();
	});

	it('is found wherever in a text it stands', () => {
		const entry = JSON.stringify({ notifications: [`POST ${OWN}`], other: 'upi=x&upo=' });
		expect([...paymentsInText(entry)]).toEqual([`upi=2&${MARK}`]);
		expect(paymentsInText('nothing')).toEqual(new Set());
	});
});
