import { readState, supersedes } from '../../../nodes/UnifiedPayments/payment/state.ts';
import { READER, readerWith } from './reader.mts';

const stateOf = (record: Record<string, unknown>, words = READER) => readState(record, words).state;
const REASON = { failureCode: null, failureMessage: 'No funds' };
const NO_REASON = { failureCode: null, failureMessage: null };

describe('the state of a transaction', () => {
	it.each([
		...['success', ' SUCCESS ', 'Successful.', 'completed', 'Paid!'].map((word) => [
			word,
			'success',
		]),
		...['failed', 'Declined', 'cancelled', 'canceled', 'expired', 'reversed'].map((word) => [
			word,
			'failed',
		]),
		...['pending', 'settled', 'succeeded', 'not paid', 'paid out', '', 'x'.repeat(300)].map(
			(word) => [word, 'pending'],
		),
		...[null, undefined, {}, true, 1].map((word) => [word, 'pending']),
	])('of the status %j is %s', (status, state) => {
		expect(stateOf({ status })).toBe(state);
	});

	it.each([
		['success', NO_REASON, 'success'],
		['success', {}, 'success'],
		['success', [], 'success'],
		['success', { failureCode: '', failureMessage: ' ' }, 'success'],
		['success', REASON, 'pending'],
		['success', { failureCode: 0 }, 'pending'],
		['success', 'No funds', 'pending'],
		['pending', REASON, 'failed'],
		['a word', { failureCode: 'E1' }, 'failed'],
		['pending', NO_REASON, 'pending'],
		['failed', NO_REASON, 'failed'],
	])('of the status %j with the reason %j is %s', (status, failureReason, state) => {
		expect(stateOf({ status, failureReason })).toBe(state);
	});

	it('is read from no other field', () => {
		const others = {
			state: 'paid',
			status_code: 'FAILED',
			event: 'payment.success',
			type: 'refund',
		};
		expect(stateOf(others)).toBe('pending');
		expect(stateOf({ ...others, status: 'success', amount: -5 })).toBe('success');
	});

	it('is read by the words of the credential alone', () => {
		const own = readerWith({ successStatuses: 'done, Credited', failureStatuses: '' });
		const words = ['DONE', 'credited', 'success', 'failed'];
		expect(words.map((status) => stateOf({ status }, own))).toEqual([
			...['success', 'success', 'pending', 'pending'],
		]);
	});

	it('comes with the word of the service', () => {
		expect(readState({ status: ' Done ' }, READER)).toEqual({ state: 'pending', status: 'Done' });
		expect(readState({ status: ' ' }, READER).status).toBeNull();
	});
});

describe('a later word', () => {
	const seen = (state: 'success' | 'failed' | 'pending', reference = 'A') => ({ state, reference });

	it('counts, but for what takes back a success', () => {
		expect(supersedes(seen('success'), seen('failed'), true)).toBe(true);
		expect(supersedes(seen('pending'), seen('success'), false)).toBe(false);
		expect(supersedes(seen('failed'), seen('success'), false)).toBe(true);
		expect(supersedes(seen('failed', 'B'), seen('success'), true)).toBe(false);
		expect(supersedes(seen('failed'), seen('success'), true)).toBe(true);
	});
});
