/** The records the sandbox keeps, as its page and the tests read them. */
import type { Order } from './protocol/orderMark.mts';

export type TransactionState = 'pending' | 'success' | 'failed';

export interface FailureReason {
	failureCode: string | null;
	failureMessage: string | null;
}

/** The specification's transaction record, with real numbers. */
interface TransactionRecord {
	amount: number;
	fee: number;
	currency: string;
	status: TransactionState;
	payee: string;
	invoice_no: string;
	mobile: string;
	account_number: string;
	ref: string;
	balance: number;
	transaction_detail: string;
	payment_channel: string;
	transaction_date: string;
	created_at: string;
	updated_at: string;
	callback_url: string;
	status_code: string;
	failureReason: FailureReason;
}

export interface Transaction extends TransactionRecord {
	kind: 'link' | 'collection' | 'payout';
	integration: string;
	country: string;
	/** What the callback URL said when it was sent, also if not all of it is kept. */
	order: Order | null;
	state: TransactionState;
	third_party_reference_1: string;
	third_party_reference_2: string;
	history: { at: string; status: TransactionState }[];
}

/** The caller's own name for the payment: in the callback URL, or as its first reference. */
export const orderOf = ({ order, third_party_reference_1 }: Transaction): string | null =>
	order?.reference ?? (third_party_reference_1 || null);

export type LinkState = 'open' | 'paid' | 'failed' | 'cancelled';

export interface PaymentLink {
	reference: string;
	integration: string;
	/** Address of the hosted payment page. */
	link: string;
	createdAt: string;
	state: LinkState;
	amount: number;
	currency: string;
	country: string;
	country_id: number;
	currency_country_id: number | null;
	business_name: string;
	item_name: string;
	first_name: string | null;
	last_name: string | null;
	email: string | null;
	phone: string | null;
	callback_url: string | null;
	redirection_url: string | null;
	/** What the callback URL said when it was sent, also if not all of it is kept. */
	order: Order | null;
	hasLogo: boolean;
	/** Reference of the payment made through the link. */
	transaction: string | null;
	/** What was paid, which may be a part of the amount. */
	paid?: number;
}

export interface Wallet {
	integration: string;
	wallet_account: number;
	currency: string;
	balance: number;
}

export interface CallbackAttempt {
	at: string;
	status: number | null;
	error: string | null;
	durationMs: number;
}

export interface Callback {
	id: string;
	reference: string;
	url: string;
	status: 'pending' | 'delivered' | 'failed';
	attempts: CallbackAttempt[];
	body: Record<string, unknown>;
}

/** A stretch that both texts have, or what each of them has in its place. */
export type TextPart = { same: string } | { expected: string; received: string };

export interface Verdict {
	ok: boolean;
	reason: string | null;
	explanation: string | null;
	expectedText: string | null;
	receivedText: string | null;
	/** Both texts part by part; empty when there is no integration to compare with. */
	comparison: TextPart[];
	expectedSignature: string | null;
	receivedSignature: string | null;
}

export interface LoggedRequest {
	id: number;
	at: string;
	method: string;
	path: string;
	/** Null when the connection was cut before a status was sent. */
	status: number | null;
	durationMs: number;
	integration: string | null;
	/** Null for routes that are not signed. */
	verdict: Verdict | null;
	message: string | null;
	/** The order reference of the payment it is about, if it is about one. */
	order: string | null;
	/** Kind of the fault that was played on it. */
	fault: string | null;
}

export interface LedgerEntry {
	integration: string;
	kind: 'link' | 'collection';
	reference: string;
	third_party_reference_1: string | null;
	amount: number;
	currency: string;
	at: string;
	/** As accepted; a logo is replaced by its length. */
	params: Readonly<Record<string, unknown>>;
}
