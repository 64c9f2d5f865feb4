import {
	failedVerdict,
	type FailureKind,
	type Verdict,
	checkEcho,
	outcomeOf,
	plainNoOnly,
	stopsBatch,
} from '../../../nodes/UnifiedPayments/transport/verdict.ts';
import { HOOK, marked } from '../rows/sentLinks.mts';

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
	it.each([
		['nothing', {}],
		['no object', null],
		['a list', [{ amount: 1 }]],
		['text', 'amount'],
		['the same', { ...SENT }],
		['the amount as text', { amount: '1500.5' }],
		['the amount with another zero', { amount: '1500.50' }],
		['the amount as people write it', { amount: '1,500.50' }],
		['the currency in small letters', { currency: 'kes' }],
		['a reference with spaces around it', { third_party_reference_1: ' order-1 ' }],
		['fields it does not know', { mobile: '0', reference: 'x', fee: 3 }],
		['values that say nothing', { amount: null, currency: undefined, third_party_reference_1: {} }],
		['a switch', { amount: true }],
		['empty text', { amount: '', currency: '', third_party_reference_1: '' }],
	])('believes a reply that repeats %s', (_, data) => {
		const verdict = accepted(data);
		expect(checkEcho(verdict, SENT)).toBe(verdict);
	});

	it.each([
		['amount', { amount: 1500 }],
		['amount', { amount: '1500.51' }],
		['amount', { amount: 'many' }],
		['currency', { currency: 'UGX' }],
		['third_party_reference_1', { third_party_reference_1: 'order-2' }],
		['third_party_reference_2', { third_party_reference_2: 'customer-2' }],
		['amount', { currency: 'UGX', amount: 2 }],
	])('does not believe another %s', (field, data) => {
		const verdict = checkEcho(accepted(data), SENT);
		const known = { status: 201, serviceMessage: 'Done', code: field };
		expect(verdict).toEqual(failedVerdict('mismatch', known));
		expect(outcomeOf(verdict)).toBe('unknown');
	});

	describe('of payer, item and callback URL', () => {
		const sent = {
			...{ email: 'Amina@example.com', item_name: 'Tea & Café, 2 kg' },
			callback_url: marked({ order: 'A-1' }),
		};

		it.each([
			{ email: ' amina@EXAMPLE.com', item_name: 'TEA &amp; Cafe, 2 k', callback_url: HOOK },
			{ email: 'a***@example.com', item_name: 'Tea & Caf?', callback_url: sent.callback_url },
			{ email: 'no address', item_name: '', callback_url: `${sent.callback_url}&x=1` },
		])('believes %j', (data) => {
			expect(checkEcho(accepted(data), sent).ok).toBe(true);
			expect(checkEcho(accepted({ email: 'us@example.com', item_name: 'x' }), {}).ok).toBe(true);
		});

		it.each([
			['email', { email: 'brian@example.com' }],
			['item_name', { item_name: 'Rent' }],
			['callback_url', { callback_url: marked({ order: 'B-2' }) }],
		])('does not believe another %s', (code, data) => {
			expect(checkEcho(accepted(data), sent)).toMatchObject({
				failure: { kind: 'mismatch', code },
			});
		});
	});

	it.each([
		['of which none was sent', {}],
		['of which something odd was sent', { third_party_reference_1: { a: 1 } }],
		['of which a list was sent', { third_party_reference_1: ['order-1'] }],
	])('does not believe a reference %s', (_, sent) => {
		const verdict = checkEcho(accepted({ third_party_reference_1: 'order-1' }), sent);
		expect(verdict).toMatchObject({ failure: { code: 'third_party_reference_1' } });
	});

	it.each([
		[7, '7', true],
		['7', 7, true],
		['7', '8', false],
		['007', '7', false],
		['1e3', '1000', false],
		['12345678901234567890', '12345678901234567891', false],
	])('compares the references %j and %j as text', (echoed, sent, believed) => {
		const verdict = accepted({ third_party_reference_1: echoed });
		expect(checkEcho(verdict, { third_party_reference_1: sent }).ok).toBe(believed);
	});

	it.each([
		['1500.00', '1500', true],
		['1500.00', 1500, true],
		[1500, '1500', true],
		[1500, '1500.01', false],
		[1500, undefined, false],
	])('compares the amounts %j and %j as numbers', (echoed, sent, believed) => {
		expect(checkEcho(accepted({ amount: echoed }), { amount: sent }).ok).toBe(believed);
	});
});
