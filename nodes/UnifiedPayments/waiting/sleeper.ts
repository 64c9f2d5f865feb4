import { sleep } from 'n8n-workflow';

import { supersedes } from '../payment/state';
import type { Json } from '../protocol/parse';
import { createLimiter } from '../transport/limiter';
import { Redactor } from '../transport/redact';
import type { AwaitedPayment, PaymentStatus } from './awaited';
import {
	canBeAsked,
	createSharing,
	lookUp,
	PAUSES,
	RecordOwners,
	type StatusLookup,
} from './status';

/**
 * As long as `webhook()` has not returned, n8n keeps the execution in memory for it: about 10 MB were
 * measured. So of the callbacks that come at the same time, one leads. The others join it, which
 * takes no more than their own bodies, up to these limits; beyond them, they are told to come again.
 */
const MAX_JOINED = 1_000;
const MAX_JOINED_BYTES = 8 * 1024 * 1024;
/** Then the next one leads, with the credential as it is by then. */
const LEADS_MS = 10_000;
/** So many questions about one execution are open at the same time. */
const LANES = 10;
/** So many callbacks of one execution may wait for a record that is behind them. */
const MAX_PATIENT = 20;
/** What is kept is read again after this time, in case the execution has gone on elsewhere. */
const FRESH_MS = 60_000;
/** Up to so many others are asked about with every callback; more of them once it is quiet. */
const FEW = 5;
/** What came while n8n was storing that the execution goes on needs not be asked about again. */
const OVER_MS = 5_000;

/** What a callback led to: its payment is final, or not. */
export type Heard =
	{ status: PaymentStatus } | { answer: 'not_final' | 'try_again_later'; cause?: string };

/**
 * What is known of an execution that sleeps, so that a callback neither reads all of it nor asks
 * about all of it again. It is lost with the process, and then the service is asked.
 */
export class Sleeper {
	usedAt = 0;
	/** When the execution went on, and with the callback about which payment. */
	over: { at: number; by: string } | undefined;
	/** About what it takes in memory. */
	bytes = 0;
	/** Knows the secrets of its account. */
	readonly redactor = new Redactor();
	private payments: ReadonlyMap<string, AwaitedPayment> = new Map();
	private readAt = -Infinity;
	private readonly confirmed = new Map<string, PaymentStatus>();
	private owners = new RecordOwners([]);
	private leader: Leader | undefined;
	private readonly joined = new Set<Promise<void>>();
	private joinedBytes = 0;
	private joins = 0;
	/** Answers the last that joined and is final, which it does once all payments were looked at. */
	private held: ((areLookedAt: boolean) => void) | undefined;
	private readonly shared = createSharing(LANES);
	private readonly patient = new Set<string>();
	/** A payment that was open at the last look. It is asked about first. */
	private open: string | undefined;

	/** What is awaited by this name; what the node has put aside is read at times only. */
	payment(
		key: string,
		read: () => ReadonlyMap<string, AwaitedPayment>,
		now: number,
	): AwaitedPayment | undefined {
		const isFresh = now - this.readAt <= FRESH_MS;
		const known = isFresh ? this.named(key) : undefined;
		if (known !== undefined) return known;
		this.setPayments(read(), now);
		return this.named(key);
	}

	/** A service may cut a long address: what is left of it can still name one payment alone. */
	private named(key: string): AwaitedPayment | undefined {
		const whole = this.payments.get(key);
		if (whole !== undefined) return whole;
		const cut = [...this.payments.values()].filter((each) => each.key.startsWith(key));
		return cut.length === 1 ? cut[0] : undefined;
	}

	private setPayments(payments: ReadonlyMap<string, AwaitedPayment>, now: number): void {
		this.payments = payments;
		this.readAt = now;
		this.owners = new RecordOwners(payments.values());
		for (const [key, status] of this.confirmed) {
			const payment = payments.get(key);
			if (payment === undefined || !this.owners.claim(status, payment)) this.confirmed.delete(key);
		}
		this.bytes = payments.size * BYTES_OF_PAYMENT;
		for (const { size } of this.confirmed.values()) this.bytes += 2 * size;
	}

	/** Whether it is to be asked about a payment; once it went on, about its own and not for long. */
	isFor(key: string, now: number): boolean {
		if (this.over === undefined) return true;
		// The one that woke it comes again only if n8n could not store that it goes on.
		const isOther = key !== this.over.by && this.payments.has(key);
		return isOther && now - this.over.at <= OVER_MS;
	}

	/** Null while another one leads. */
	lead(open: () => Promise<StatusLookup>, now: number): Leader | null {
		if (this.leader !== undefined && now - this.leader.since <= LEADS_MS) return null;
		this.leader = { since: now, open };
		return this.leader;
	}

	/** The credential is read once for all callbacks that come at the same time. */
	async lookup(): Promise<StatusLookup> {
		const { leader } = this;
		if (leader === undefined) throw new Error('Nobody can ask the service any more');
		leader.lookup ??= leader.open();
		leader.lookup.catch(() => (leader.lookup = undefined));
		return await leader.lookup;
	}

	/**
	 * Hears a callback while another one leads; false when there are too many. The last one that is
	 * final is answered only when the leader has looked at all payments, or it comes again.
	 */
	join(bytes: number, hear: () => Promise<Heard>, answer: (heard: Heard) => void): boolean {
		const isTooMuch = this.joinedBytes + bytes > MAX_JOINED_BYTES;
		if (this.joined.size >= MAX_JOINED || isTooMuch) return false;
		const work = hear().then((heard) => {
			this.joined.delete(work);
			this.joinedBytes -= bytes;
			if (!('status' in heard) || this.leader === undefined) {
				return answer('status' in heard ? { answer: 'try_again_later' } : heard);
			}
			this.held?.(true);
			this.held = (areLookedAt) => answer(areLookedAt ? heard : { answer: 'try_again_later' });
		});
		this.joins++;
		this.joined.add(work);
		this.joinedBytes += bytes;
		return true;
	}

	get isBusy(): boolean {
		return this.leader !== undefined || this.joined.size > 0;
	}

	/** Nothing is waited for between the last look at all of it and this: whoever comes now leads. */
	private resign(leader: Leader, areLookedAt: boolean): void {
		if (this.leader !== leader) return;
		this.leader = undefined;
		this.held?.(areLookedAt);
		this.held = undefined;
	}

	private async joinedEnd(): Promise<void> {
		while (this.joined.size > 0) await Promise.all(this.joined);
	}

	/** For a leader that is not final itself, so that the execution sleeps on. */
	async leave(leader: Leader, isOpen: boolean): Promise<void> {
		await this.joinedEnd();
		this.resign(leader, isOpen);
	}

	statusOf = ({ key }: AwaitedPayment): PaymentStatus | null => this.confirmed.get(key) ?? null;

	/**
	 * Gives what is known by now, and keeps what is final. With a callback, the service is asked
	 * again about what is known, and its newest word counts, but a success is never pending again.
	 */
	async confirm(
		payment: AwaitedPayment,
		lookup: StatusLookup,
		callback?: Json,
	): Promise<PaymentStatus | null> {
		const known = this.statusOf(payment);
		if (known !== null && callback === undefined) return known;
		const status = await lookUp(payment, lookup, callback, this.shared);
		if (status === null || !this.owners.claim(status, payment)) return this.statusOf(payment);
		const meanwhile = this.statusOf(payment);
		if (meanwhile !== null && !supersedes(status, meanwhile, payment.kind === 'link'))
			return meanwhile;
		this.bytes -= 2 * (meanwhile?.size ?? 0);
		this.confirmed.delete(payment.key);
		if (!status.isFinal) return status;
		this.confirmed.set(payment.key, status);
		this.bytes += 2 * status.size;
		return status;
	}

	/** One callback for each payment may wait for its record; the others come again. */
	async patiently<T>({ key }: AwaitedPayment, work: () => Promise<T>): Promise<T | null> {
		if (this.patient.has(key) || this.patient.size >= MAX_PATIENT) return null;
		this.patient.add(key);
		try {
			return await work();
		} finally {
			this.patient.delete(key);
		}
	}

	/** Asks about those that nobody has called about, until one is found that is open. */
	async areAllFinal(leader: Leader): Promise<boolean> {
		let areLookedAt = false;
		try {
			const areAllFinal = await this.haveAllEnded(leader);
			areLookedAt = true;
			return areAllFinal;
		} finally {
			this.resign(leader, areLookedAt);
		}
	}

	private async haveAllEnded(leader: Leader): Promise<boolean> {
		for (;;) {
			await this.joinedEnd();
			if (this.leader !== leader) return false;
			if (this.confirmed.size === this.payments.size) return true;
			const left = [...this.payments.values()].filter((each) => this.statusOf(each) === null);
			if (!left.every(canBeAsked)) return false;
			const { joins } = this;
			if (left.length > FEW) {
				// Their own callbacks may be on their way.
				await sleep(PAUSES.quiet);
				if (this.joins !== joins || this.leader !== leader) continue;
			}
			await this.askAbout(left);
			if (this.joins === joins && this.leader === leader) {
				return this.confirmed.size === this.payments.size;
			}
		}
	}

	private async askAbout(left: readonly AwaitedPayment[]): Promise<void> {
		const lookup = await this.lookup();
		const isFinal = async (payment: AwaitedPayment) => {
			if ((await this.confirm(payment, lookup))?.isFinal) return true;
			this.open = payment.key;
			return false;
		};
		const first = left.find(({ key }) => key === this.open);
		if (first !== undefined && !(await isFinal(first))) return;
		const lanes = createLimiter(FEW);
		let isOpen = false;
		await Promise.all(
			left.map(
				async (payment) =>
					await lanes(async () => {
						if (!isOpen && payment !== first && !(await isFinal(payment))) isOpen = true;
					}),
			),
		);
	}
}

interface Leader {
	since: number;
	open(): Promise<StatusLookup>;
	lookup?: Promise<StatusLookup>;
}

const BYTES_OF_PAYMENT = 2_000;
