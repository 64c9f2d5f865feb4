import { readState, stateOf } from '../../../nodes/UnifiedPayments/payment/state.ts';

const WORDS: Record<string, string[]> = {
	success: ['success', 'successful', 'succeeded', 'completed', 'complete', 'paid', 'settled'],
	failed: [
		...['failed', 'failure', 'fail', 'declined', 'rejected', 'cancelled', 'canceled', 'expired'],
		...['reversed', 'error', 'timeout', 'timed out', 'time-out'],
	],
	pending: [
		...['pending', 'processing', 'initiated', 'queued', 'in progress', 'in_progress'],
		...['IN-PROGRESS', 'created', 'submitted', 'awaiting'],
	],
	other: ['', ' ', 'successes', 'unknown', 'ok', 'toString', '200'],
};

const REASON = { failureCode: 'E1', failureMessage: 'No funds' };

describe.each(Object.entries(WORDS))('%s', (state, words) => {
	it.each(words)('is what "%s" means, in either field and in any case', (status) => {
		expect(stateOf({ status })).toBe(state);
		expect(stateOf({ status_code: status })).toBe(state);
		expect(stateOf({ status: status.toUpperCase() })).toBe(state);
	});
});

describe('stateOf', () => {
	it('makes nothing of a status that is no text', () => {
		for (const status of [undefined, null, true, {}, ['success'], 7])
			expect(stateOf({ status })).toBe('other');
	});

	it('looks at the status first, and at its code when the status says nothing', () => {
		expect(stateOf({ status: 'pending', status_code: 'success' })).toBe('pending');
		expect(stateOf({ status: 'TS-01', status_code: 'failed' })).toBe('failed');
		expect(stateOf({})).toBe('other');
	});

	it.each([
		['success', 'other'],
		['pending', 'pending'],
		['TS-01', 'failed'],
	])('with a failure reason takes %s for %s', (status, expected) => {
		const code = { failureCode: 'E1', failureMessage: null };
		for (const failureReason of [REASON, code, { failureMessage: 'No' }])
			expect(stateOf({ status, failureReason })).toBe(expected);
	});

	it('makes nothing of a reason that says nothing', () => {
		const empty = [
			{ failureCode: null, failureMessage: null },
			{ failureCode: '' },
			{},
			{ failureCode: 0 },
		];
		for (const failureReason of [...empty, null, undefined, '', ' ', [], [{}], 'None'])
			for (const status of ['success', 'other'])
				expect(stateOf({ status, failureReason })).toBe(status);
	});

	it("puts the user's own words first, but for empty ones", () => {
		const failed = ['Block-ed', 'paid', 'done', '7', ''];
		const extra = { success: ['Done', 'pending', '', '-'], failed };
		const states = ['DONE', 'pending', 'blocked', 'paid', 'queued', ' ', '-'].map((status) =>
			stateOf({ status }, extra),
		);
		expect(states).toEqual([
			...['success', 'success', 'failed', 'failed', 'pending', 'other', 'other'],
		]);
		expect(stateOf({ status_code: 7 }, extra)).toBe('failed');
	});

	it('passes over a status that is only spaces', () => {
		expect(readState([{ status: '  ', transaction_status: 'paid' }])).toEqual({
			state: 'success',
			status: 'paid',
		});
	});
});

describe('one careful reading', () => {
	it.each([
		[{ status: 'success', status_code: 'FAILED' }, 'other'],
		[{ status: 'success', status_code: 'pending' }, 'pending'],
		[{ status: 'failed', status_code: 'success' }, 'failed'],
		[{ status: 'success', status_code: '200' }, 'success'],
		[{ status: 'success', transaction_status: 'declined' }, 'other'],
		[{ transaction_status: 'paid' }, 'success'],
		[{ payment_status: 'expired' }, 'failed'],
		[{ state: 'pending' }, 'pending'],
		[{ event: 'collection.success' }, 'success'],
		[{ event: ' payment_failed ' }, 'failed'],
		[{ event_type: 'transaction:in progress' }, 'pending'],
		[{ event: 'payment.not_completed' }, 'other'],
		[{ event: 'transaction.updated', status: 'paid' }, 'success'],
		[{ event: 'success' }, 'other'],
		[{ event: 'collection.failed', status: 'success' }, 'other'],
		[{ status: 'success', payment_status: 'unpaid' }, 'other'],
		[{ status: 'complete', state: 'not paid' }, 'other'],
		[{ status: 'success', status_code: 'REFUNDED' }, 'other'],
		...Object.entries({
			NOT_SUCCESSFUL: 'other',
			DS_FAILED: 'other',
			INSUFFICIENT_FUNDS: 'other',
			UNDERPAID: 'other',
			DISPUTED: 'other',
			NOT_PAID: 'other',
			CHARGEDBACK: 'other',
			PARTIALLY_PAID: 'other',
			RETURNED: 'other',
			ABANDONED: 'other',
			TIMED_OUT_AT_OPERATOR: 'other',
			PENDING_VERIFICATION: 'pending',
			AWAITING_PIN: 'pending',
			WAITING_FOR_CUSTOMER: 'pending',
			IN_PROGRESS_OPERATOR: 'pending',
			ON_HOLD: 'pending',
			HELD: 'pending',
			IN_QUEUE: 'pending',
			NOT_COMPLETED_PENDING: 'pending',
			INCOMPLETE_AWAITING: 'pending',
			PROCESSED: 'success',
			DEQUEUED: 'success',
			'Processing completed': 'success',
			'Processing: successful': 'success',
			INITIATED_AND_COMPLETED: 'success',
			'Initiated successfully': 'pending',
			QUEUED_TO_BE_PROCESSED: 'pending',
			'Pending, not yet completed': 'pending',
		}).map(([status_code, state]): [Record<string, unknown>, string] => [
			{ status: 'success', status_code },
			state,
		]),
		[{ status: 'failed', transaction_status: 'success' }, 'other'],
		[{ status: 'expired', payment_status: 'paid' }, 'other'],
		[{ status: 'success', amount: '-1,500' }, 'other'],
		[{ status: 'success', amount: '-0.00' }, 'success'],
		[{ status: 'success', status_code: 'TS' }, 'success'],
		[{ status: 'success', payment_status: '1' }, 'success'],
		[{ status: 'success', failureReason: 'Cancelled' }, 'other'],
		[{ status: 'success', failureReason: { failureCode: '00', failureMessage: 'OK' } }, 'success'],
		...['0', '000', 'Success', 'Successful', 'Approved', 'No error'].map(
			(failureReason): [Record<string, unknown>, string] => [
				{ status: 'success', failureReason },
				'success',
			],
		),
		[{ status: 'success', failureReason: [{ failureCode: 'X' }] }, 'other'],
	])('%j is %s', (record, state) => {
		expect(stateOf(record)).toBe(state);
	});

	it.each([
		[[{ status: 'success' }, { ref: 'TX-1' }], 'success', 'success'],
		[[{ status: 'success' }, { status: 'failed' }], 'failed', 'failed'],
		[[{ status: 'failed' }, { status: 'Paid' }], 'other', 'Paid'],
		[[{ event: 'collection.success' }, { ref: 'TX-1' }], 'success', null],
		[[{ status: 'Paid ' }, {}, { status: '' }], 'success', 'Paid'],
		[[{ status: 'success', failureReason: REASON }, {}], 'other', 'success'],
	])('along %j it is %s, in the word %j', (path, state, status) => {
		expect(readState(path)).toEqual({ state, status });
	});
});
