import type { FailureReason, Transaction, TransactionState } from '../model.mts';
import type { Settings } from '../options.mts';
import type { Keep } from '../store/journal.mts';
import { feeOf, toMinor, fromMinor } from '../store/money.mts';
import type { Store } from '../store/store.mts';
import type { Switches } from '../switches.mts';
import { callbackBody } from './records.mts';
import type { Callbacks } from './callbacks.mts';
import { Lifetime } from './lifetime.mts';
import type { Script } from './magic.mts';
import { dateTime, isoMicros } from './time.mts';

type NewTransaction = Pick<
	Transaction,
	| 'kind'
	| 'integration'
	| 'ref'
	| 'amount'
	| 'currency'
	| 'country'
	| 'order'
	| 'mobile'
	| 'callback_url'
	| 'payment_channel'
	| 'transaction_detail'
> &
	Partial<
		Pick<
			Transaction,
			'payee' | 'invoice_no' | 'third_party_reference_1' | 'third_party_reference_2'
		>
	>;

export type Outcome = { status: 'success' } | { status: 'failed'; failure: FailureReason };

const STATUS_CODES: Record<TransactionState, string> = {
	pending: '100',
	success: '200',
	failed: '400',
};

const SUCCESS: Outcome = { status: 'success' };

const outcomeOf = ({ failure }: Script): Outcome =>
	failure === null ? SUCCESS : { status: 'failed', failure };

/** A transaction goes from pending to success or failed, and a final state never changes. */
export class Lifecycle {
	private lifetime = new Lifetime();

	constructor(
		private readonly settings: Settings,
		private readonly switches: Switches,
		private readonly store: Store,
		private readonly keep: Keep,
		private readonly callbacks: Callbacks,
	) {}

	open(fields: NewTransaction): Transaction {
		const now = this.settings.clock();
		const at = isoMicros(now);
		// Written out because spreading is slower, and this runs for every create.
		const transaction: Transaction = {
			kind: fields.kind,
			integration: fields.integration,
			ref: fields.ref,
			amount: fields.amount,
			fee: feeOf(fields.amount, fields.currency),
			currency: fields.currency,
			country: fields.country,
			order: fields.order,
			mobile: fields.mobile,
			callback_url: fields.callback_url,
			payment_channel: fields.payment_channel,
			transaction_detail: fields.transaction_detail,
			payee: fields.payee ?? '',
			invoice_no: fields.invoice_no ?? '',
			third_party_reference_1: fields.third_party_reference_1 ?? '',
			third_party_reference_2: fields.third_party_reference_2 ?? '',
			status: 'pending',
			state: 'pending',
			status_code: STATUS_CODES.pending,
			failureReason: { failureCode: null, failureMessage: null },
			account_number: '',
			balance: this.store.wallets.balance(fields.integration, fields.currency),
			transaction_date: dateTime(now),
			created_at: at,
			updated_at: at,
			history: [{ at, status: 'pending' }],
		};
		this.store.transactions.set(transaction.ref, transaction);
		this.keep('transaction', transaction);
		return transaction;
	}

	/** Settles the transaction when its script says so. The reply to the create waits for the returned promise. */
	follow(transaction: Transaction, script: Script): Promise<void> | undefined {
		if (script.outcome === null) return undefined;
		const outcome = outcomeOf(script);
		if (script.settle === 0) {
			const settled = this.settle(transaction, outcome, script.callbacks);
			return script.callbacks === 'beforeReply' ? settled : undefined;
		}
		const delay = this.settings.settleDelayMs * script.settle;
		if (Number.isFinite(delay))
			this.lifetime.after(delay, (elapsed) => {
				if (elapsed) void this.settle(transaction, outcome, script.callbacks);
			});
		return undefined;
	}

	/** Resolves after the first attempt of the first callback. A final transaction stays as it is. */
	settle(
		transaction: Transaction,
		outcome: Outcome,
		callbacks: Script['callbacks'] = 'once',
	): Promise<void> | undefined {
		if (transaction.state !== 'pending') return undefined;
		const at = isoMicros(this.settings.clock());
		if (outcome.status === 'success') this.moveMoney(transaction);
		else transaction.failureReason = { ...outcome.failure };
		transaction.status = transaction.state = outcome.status;
		transaction.status_code = STATUS_CODES[outcome.status];
		transaction.updated_at = at;
		transaction.history.push({ at, status: outcome.status });
		this.keep('transaction', transaction);
		return this.callBack(transaction, callbacks);
	}

	stop(): void {
		this.lifetime.end();
		this.lifetime = new Lifetime();
		this.callbacks.stop();
	}

	private moveMoney(transaction: Transaction): void {
		const { integration, currency, kind } = transaction;
		const [amount, fee] = [toMinor(transaction.amount), toMinor(transaction.fee)];
		const moved = kind === 'payout' ? -(amount + fee) : amount - fee;
		const wallet = this.store.wallets.move(integration, currency, fromMinor(moved));
		transaction.balance = wallet.balance;
		this.keep('wallet', wallet);
	}

	private callBack(transaction: Transaction, how: Script['callbacks']): Promise<void> | undefined {
		const { ref, callback_url: url } = transaction;
		if (url === '' || how === 'never') return undefined;
		const first = this.callbacks.send(ref, url, callbackBody(transaction, this.switches));
		if (how === 'twice') void this.afterwards(first.done, transaction, 'same', 0);
		if (how === 'outOfOrder')
			void this.afterwards(first.done, transaction, 'pending', this.settings.settleDelayMs);
		return first.firstAttempt;
	}

	private async afterwards(
		before: Promise<void>,
		transaction: Transaction,
		what: 'same' | 'pending',
		delay: number,
	): Promise<void> {
		const { lifetime } = this;
		await before;
		if (!(await lifetime.pause(Number.isFinite(delay) ? delay : 0))) return;
		const body = callbackBody(transaction, this.switches, what === 'pending' ? 'asOpened' : 'now');
		await this.callbacks.send(transaction.ref, transaction.callback_url, body).done;
	}
}
