import type { Transaction } from '../model.mts';
import { moneyText } from '../store/money.mts';
import { renamed, type Switches } from '../switches.mts';

type WireRecord = Record<string, unknown>;

const wordOf = ({ status }: Transaction, { successStatus, failureStatus }: Switches): string =>
	({ pending: status, success: successStatus, failed: failureStatus })[status];

/** The fields that are the same in both versions. */
const common = (transaction: Transaction, switches: Switches): WireRecord => ({
	currency: transaction.currency,
	status: wordOf(transaction, switches),
	payee: transaction.payee,
	invoice_no: transaction.invoice_no,
	mobile: transaction.mobile,
	account_number: transaction.account_number,
	ref: transaction.ref,
	transaction_detail: transaction.transaction_detail,
	payment_channel: transaction.payment_channel,
	transaction_date: transaction.transaction_date,
	created_at: transaction.created_at,
	updated_at: transaction.updated_at,
	...(switches.records === 'callbackUrl' && { callback_url: transaction.callback_url }),
});

/** Numbers as numbers, without the fields only v3 has. */
export const v2Record = (transaction: Transaction, switches: Switches): WireRecord =>
	withNames(
		{
			amount: transaction.amount,
			fee: transaction.fee,
			balance: transaction.balance,
			...common(transaction, switches),
		},
		switches,
	);

const withNames = (record: WireRecord, { referenceField }: Switches): WireRecord =>
	renamed(record, 'ref', referenceField);

/** Every field is a string, except the reason of a failure. */
export const v3Record = (transaction: Transaction, switches: Switches): WireRecord =>
	withNames(
		{
			amount: moneyText(transaction.amount, transaction.currency),
			fee: moneyText(transaction.fee, transaction.currency),
			balance: moneyText(transaction.balance, transaction.currency),
			...common(transaction, switches),
			status_code: transaction.status_code,
			failureReason:
				switches.failureReason === 'stated' ? { ...transaction.failureReason } : NO_REASON,
		},
		switches,
	);

const NO_REASON = { failureCode: null, failureMessage: null };

/** The specification shows no callback. The sandbox sends the v3 record and the caller's own references. */
export function callbackBody(
	transaction: Transaction,
	switches: Switches,
	moment: 'now' | 'asOpened' = 'now',
): WireRecord {
	const past: Partial<Transaction> =
		moment === 'now'
			? {}
			: {
					status: 'pending',
					status_code: '100',
					failureReason: { failureCode: null, failureMessage: null },
					updated_at: transaction.created_at,
				};
	return {
		...v3Record({ ...transaction, ...past }, switches),
		third_party_reference_1: transaction.third_party_reference_1,
		third_party_reference_2: transaction.third_party_reference_2,
	};
}
