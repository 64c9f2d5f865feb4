import { readState } from '../../../nodes/UnifiedPayments/payment/state.ts';
import { simplifyTransaction, withState } from '../../../nodes/UnifiedPayments/payment/record.ts';
import { READER, readerWith } from '../payment/reader.mts';

const RECORD = {
	amount: '1500.00',
	fee: '15.5',
	currency: 'KES',
	status: 'success',
	payee: 'Amina',
	invoice_no: 'INV-1',
	mobile: '254712345678',
	account_number: '0012',
	ref: 'TX-1',
	balance: '-20',
	transaction_detail: 'Order 1042',
	payment_channel: 'mobile',
	transaction_date: '2026-01-01 10:00:00',
	created_at: '2026-01-01T10:00:00.000000Z',
	updated_at: '2026-01-01T10:00:00.000000Z',
	callback_url: 'https://example.com/cb',
	status_code: '00',
	failureReason: { failureCode: null, failureMessage: null },
};

const shapedOf = (record: object, words = READER) =>
	withState({ raw: { ...record }, state: readState({ ...record }, words).state });

describe('withState', () => {
	it('invents no field that the record does not have, and touches no other', () => {
		const record = { ref: '007', account_number: '12' };
		expect(shapedOf(record)).toStrictEqual({ state: 'pending', ...record });
	});

	it('puts the state first, numbers as numbers, and keeps the rest', () => {
		const shaped = shapedOf(RECORD);
		expect(shaped).toEqual({ ...RECORD, state: 'success', amount: 1500, fee: 15.5, balance: -20 });
		expect(Object.keys(shaped)[0]).toBe('state');
	});

	it.each<[unknown, unknown]>([
		[' 7.25 ', 7.25],
		[12.5, 12.5],
		['123456789012345', 123456789012345],
		['1234567890123456', '1234567890123456'],
		['1,500.00', 1500],
		['1 500,50', 1500.5],
		['1,500', 1500],
		['1,50x', '1,50x'],
		['-0.00', 0],
		['KES 5', 'KES 5'],
		['1e3', '1e3'],
		[null, null],
	])('reads the amount %j as %j', (amount, expected) => {
		expect(shapedOf({ amount, fee: amount, balance: amount })).toEqual({
			state: 'pending',
			amount: expected,
			fee: expected,
			balance: expected,
		});
	});

	it("does not let the record's own state pass for ours", () => {
		expect(shapedOf({ status: 'failed', state: 'open' }).state).toBe('failed');
	});

	it("knows the user's words, and leaves the record it was given as it is", () => {
		const record = { status: 'done', amount: '5' };
		expect(shapedOf(record, readerWith({ successStatuses: 'done' })).state).toBe('success');
		expect(record).toEqual({ status: 'done', amount: '5' });
	});
});

describe('simplifyTransaction', () => {
	it('gives the ten most used fields, flat', () => {
		const reason = { failureCode: 'E1', failureMessage: 'No funds' };
		const simple = simplifyTransaction(shapedOf({ ...RECORD, failureReason: reason }));
		expect(Object.entries(simple)).toEqual([
			['ref', 'TX-1'],
			['state', 'pending'],
			['orderReference', null],
			['paidInFull', null],
			['amount', 1500],
			['fee', 15.5],
			['currency', 'KES'],
			['mobile', '254712345678'],
			['transaction_date', '2026-01-01 10:00:00'],
			['failureMessage', 'No funds'],
		]);
	});

	it('has the same fields for an empty record', () => {
		const simple = simplifyTransaction({ state: 'pending', failureReason: 'none' });
		expect(Object.keys(simple)).toHaveLength(10);
		expect(Object.values(simple).filter((value) => value !== null)).toEqual(['pending']);
	});
});
