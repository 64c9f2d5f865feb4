import {
	failedVerdict,
	type FailureKind,
	type Verdict,
	checkEcho,
	outcomeOf,
	plainNoOnly,
	stopsBatch,
} from '../../../nodes/UnifiedPayments/transport/verdict.ts';

const SENT = {
	amount: 1500.5,
	currency: 'KES',
	mobile: '254712345678',
	third_party_reference_1: 'order-1',
	third_party_reference_2: 'customer-1',
};

const accepted = (data: unknown): Verdict => ({
	ok: true,
	status: 201,
	reply: { success: true, message: 'Done', data },
});

describe('outcomeOf', () => {
	it.each<[FailureKind, string, boolean]>([
		['notConnected', 'not_sent', false],
		['noReply', 'unknown', false],
		['rateLimited', 'unknown', false],
		['serverFault', 'unknown', false],
		['refused', 'rejected', false],
		['notAuthorized', 'rejected', true],
		['unclearRefusal', 'unknown', false],
		['redirected', 'unknown', true],
		['invalidReply', 'unknown', false],
		['mismatch', 'unknown', false],
		['namedTwice', 'unknown', false],
	])('of %s is %s', (kind, outcome, stops) => {
		const verdict = failedVerdict(kind, {});
		expect(outcomeOf(verdict)).toBe(outcome);
		expect(!verdict.ok && stopsBatch(verdict.failure)).toBe(stops);
	});

	it('is accepted only for a yes', () => {
		expect(outcomeOf(accepted({}))).toBe('accepted');
	});
});

describe('what is no plain yes or no', () => {
	it('leaves a yes as it is, and a failure', () => {
		const [yes, no] = [accepted({}), failedVerdict('refused', {})];
		expect(plainNoOnly(yes)).toBe(yes);
		expect(checkEcho(no, SENT)).toBe(no);
	});

	it.each([
		[299, null, 'refused'],
		[300, null, 'unclearRefusal'],
		[null, null, 'unclearRefusal'],
		[409, null, 'unclearRefusal'],
		[409, 'Transaction was not created', 'refused'],
		[409, 'Transaction was not created again: it is already being processed', 'unclearRefusal'],
		[408, 'Payment link was not created yet', 'unclearRefusal'],
	])('takes a no with HTTP %d and the words %p for %s', (status, serviceMessage, kind) => {
		const no = failedVerdict('refused', { status, serviceMessage, saidNo: true });
		expect(plainNoOnly(no)).toMatchObject({ failure: { kind } });
	});

	it.each(['refused', 'notAuthorized'] as const)(
		'takes no no for plain that may mean that the payment is there: %s',
		(kind) => {
			const no = failedVerdict(kind, { status: 200, saidNo: true, mayBeThere: true });
			expect(plainNoOnly(no)).toMatchObject({ failure: { kind: 'unclearRefusal' } });
		},
	);
});

describe('checkEcho', () => {
	it('believes a reply that repeats what was sent', () => {
		const verdict = accepted({ ...SENT });
		expect(checkEcho(verdict, SENT)).toBe(verdict);
	});

	it('does not believe one that repeats other values', () => {
		const verdict = checkEcho(accepted({ amount: 1500 }), SENT);
		const known = { status: 201, serviceMessage: 'Done', code: 'amount' };
		expect(verdict).toEqual(failedVerdict('mismatch', known));
		expect(outcomeOf(verdict)).toBe('unknown');
	});
});
