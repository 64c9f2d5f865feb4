import { sleep, type IExecuteFunctions, type IWebhookFunctions } from 'n8n-workflow';

import type { Json } from '../protocol/parse';
import { createLimiter } from '../transport/limiter';
import { Redactor } from '../transport/redact';
import type { AwaitedPayment } from './awaited';
import {
	canBeAsked,
	lookUp,
	mayStillBePaid,
	RecordOwners,
	type Answer,
	type PaymentStatus,
	type StatusLookup,
} from './status';

/**
 * So many callbacks to one execution are heard at the same time; others are told to come again. As
 * long as one is not answered, n8n keeps the execution in memory for it: about 10 MB were measured.
 */
const MOST_CALLS = 20;
/** So many questions about one execution are open at the same time. */
const LANES = 10;
/** So many callbacks of one execution may wait for a record that is behind them. */
const MOST_PATIENT = 20;
/** What is kept is read again after this time, in case the execution has gone on elsewhere. */
const FRESH_MS = 60_000;
/** Up to so many others are asked about with every callback; more of them only once in a while. */
const FEW = 5;
const GAP_MS = 1_000;

/**
 * What is known of an execution that sleeps, so that a callback neither reads all of it nor asks
 * about all of it again. It is lost with the process, and then the service is asked.
 */
export class Sleeper {
	isOver = false;
	calls = 0;
	usedAt = 0;
	/** About what it takes in memory. */
	bytes = 0;
	/** Knows the secrets of its account. */
	readonly redactor = new Redactor();
	private payments: ReadonlyMap<string, AwaitedPayment> = new Map();
	private readAt = -Infinity;
	private readonly confirmed = new Map<string, PaymentStatus>();
	private owners = new RecordOwners([]);
	private lookup: Promise<StatusLookup> | undefined;
	private readonly limit = createLimiter(LANES);
	private readonly underWay = new Map<string, UnderWay>();
	private readonly patient = new Set<string>();
	private sweep: Promise<void> | undefined;
	private sweptAt = -Infinity;
	/** Whether a caller waits until it may ask about all of them again. */
	private isSweepDue = false;
	/** One that was found open, and is asked about first. */
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

	/** What is kept is not what the node waits for any more. */
	expire(): void {
		this.readAt = -Infinity;
	}

	/** The credential is read once for all callbacks that come at the same time. */
	async lookupOf(open: () => Promise<StatusLookup>): Promise<StatusLookup> {
		this.lookup ??= open();
		const { lookup } = this;
		lookup.catch(() => (this.lookup = undefined));
		return await lookup;
	}

	/** What belongs to a single call must not outlive it. */
	rest(): void {
		if (this.calls === 0) this.lookup = undefined;
	}

	statusOf = ({ key }: AwaitedPayment): PaymentStatus | null => this.confirmed.get(key) ?? null;

	/**
	 * Gives what is final, and keeps it; null for whatever is not. A link that failed is asked about
	 * again when it is called about: it may have been paid at another try.
	 */
	async confirm(
		payment: AwaitedPayment,
		lookup: StatusLookup,
		callback?: Json,
	): Promise<PaymentStatus | null> {
		const known = this.statusOf(payment);
		const isAskedAgain = callback !== undefined && known !== null && mayStillBePaid(known, payment);
		if (known !== null && !isAskedAgain) return known;
		const status = await lookUp(
			payment,
			lookup,
			callback,
			async (question, ask) => await this.shared(question, ask),
		);
		if (status === null || !this.owners.claim(status, payment)) return this.statusOf(payment);
		const meanwhile = this.statusOf(payment);
		if (meanwhile !== null && !mayStillBePaid(meanwhile, payment)) return meanwhile;
		this.bytes -= 2 * (meanwhile?.size ?? 0);
		this.confirmed.delete(payment.key);
		if (!status.isFinal) return null;
		this.confirmed.set(payment.key, status);
		this.bytes += 2 * status.size;
		return status;
	}

	/**
	 * Those who ask the same at the same time share the answer. One that was asked for before a caller
	 * came may be too old for it: then it is asked for once more, for all who wait.
	 */
	private async shared(question: string, ask: () => Promise<Answer>): Promise<Answer> {
		const start = async () => {
			const answer = this.limit(ask);
			const current: UnderWay = { answer };
			this.underWay.set(question, current);
			const end = () => {
				if (this.underWay.get(question) === current) this.underWay.delete(question);
			};
			answer.then(end, end);
			return await answer;
		};
		const current = this.underWay.get(question);
		if (current === undefined) return await start();
		current.next ??= current.answer
			.catch(() => null)
			.then(async (found) => (isOver(found) ? found : await start()));
		return await current.next;
	}

	/** One callback for each payment may wait for its record; the others come again. */
	async patiently<T>({ key }: AwaitedPayment, work: () => Promise<T>): Promise<T | null> {
		if (this.patient.has(key) || this.patient.size >= MOST_PATIENT) return null;
		this.patient.add(key);
		try {
			return await work();
		} finally {
			this.patient.delete(key);
		}
	}

	/** Asks about those that nobody has called about, until one is found that is open. */
	async areAllFinal(lookup: () => Promise<StatusLookup>, now: () => number): Promise<boolean> {
		for (;;) {
			if (this.confirmed.size === this.payments.size) return true;
			const left = [...this.payments.values()].filter((each) => this.statusOf(each) === null);
			if (!left.every(canBeAsked)) return false;
			const gap = this.sweptAt + GAP_MS - now();
			if (left.length > FEW && gap > 0) {
				// Nobody may call after this one, so one caller waits and looks for all of them.
				if (this.isSweepDue) return false;
				this.isSweepDue = true;
				await sleep(gap);
				this.isSweepDue = false;
				continue;
			}
			if (this.sweep === undefined) {
				this.sweptAt = now();
				this.sweep = this.askAbout(left, lookup);
				try {
					await this.sweep;
				} finally {
					this.sweep = undefined;
				}
				return this.confirmed.size === this.payments.size;
			}
			await this.sweep.catch(() => undefined);
		}
	}

	private async askAbout(
		left: readonly AwaitedPayment[],
		open: () => Promise<StatusLookup>,
	): Promise<void> {
		const lookup = await open();
		const isFinal = async (payment: AwaitedPayment) => {
			if ((await this.confirm(payment, lookup)) !== null) return true;
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

interface UnderWay {
	answer: Promise<Answer>;
	next?: Promise<Answer>;
}

/** A success stays one; whatever else was found may be something else by now. */
const isOver = (found: Answer): boolean =>
	found !== null && found !== 'unknown' && found.state === 'success';

const BYTES_OF_PAYMENT = 2_000;

/** Beyond these, what was used longest ago is forgotten, and asked for again. */
const MOST_SLEEPERS = 1_000;
const MOST_BYTES = 64 * 1024 * 1024;
const KEEP_MS = 10 * 60_000;

const sleepers = new Map<string, Sleeper>();

const nameOf = (context: IWebhookFunctions | IExecuteFunctions): string =>
	JSON.stringify([context.getExecutionId(), context.getNode().id]);

/** Null when too many call at the same time. */
export async function atSleeper<T>(
	context: IWebhookFunctions,
	now: number,
	work: (sleeper: Sleeper) => Promise<T>,
): Promise<T | null> {
	const name = nameOf(context);
	const sleeper = sleepers.get(name) ?? new Sleeper();
	if (sleeper.calls >= MOST_CALLS) return null;
	sleepers.delete(name);
	sleepers.set(name, sleeper);
	sleeper.usedAt = now;
	sleeper.calls++;
	try {
		return await work(sleeper);
	} finally {
		sleeper.calls--;
		sleeper.rest();
		if (sleeper.isOver && sleepers.get(name) === sleeper) sleepers.delete(name);
		freeMemory(now);
	}
}

/** Those used longest ago come first. */
function freeMemory(now: number): void {
	let bytes = 0;
	for (const each of sleepers.values()) bytes += each.bytes;
	for (const [name, each] of sleepers) {
		const isTooMuch = sleepers.size > MOST_SLEEPERS || bytes > MOST_BYTES;
		if (!isTooMuch && now - each.usedAt <= KEEP_MS) break;
		if (each.calls > 0) continue;
		sleepers.delete(name);
		bytes -= each.bytes;
	}
}

/** A node that goes to sleep once more, as in a loop, waits for something else. */
export const forgetSleeper = (context: IExecuteFunctions): void => {
	sleepers.delete(nameOf(context));
};
