import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import { supersedes } from '../payment/state';
import { Redactor } from '../transport/redact';
import type { AwaitedPayment, PaymentStatus } from './awaited';
import { RecordOwners } from './status';

/**
 * As long as `webhook()` has not returned, n8n keeps the execution in memory for it: about 10 MB were
 * measured for a large one. So a few wait for their turn, and not for long.
 */
const MAX_WAITING = 20;
const WAIT_MS = 10_000;
/** What was put aside is read again after this time, in case the execution has gone on elsewhere. */
const FRESH_MS = 60_000;
/** What came while n8n was storing that the execution goes on needs not be asked about again. */
const OVER_MS = 5_000;
/** So many payments may wait a moment for a record that is behind its callback. */
const MAX_PATIENT = 20;
/** Beyond these, what was used longest ago is forgotten, and asked for again. */
const MAX_EXECUTIONS = 1_000;
const MAX_BYTES = 64 * 1024 * 1024;
const KEEP_MS = 10 * 60_000;
const BYTES_OF_PAYMENT = 2_000;

/**
 * What is known of an execution that sleeps, so that a callback neither reads all of it nor asks
 * about all of it again. It is lost with the process, and then the service is asked.
 */
export class Memory {
	usedAt = 0;
	/** When the execution went on, and with the callback about which payment. */
	over: { at: number; by: string } | undefined;
	/** Knows the secrets of its account. */
	readonly redactor = new Redactor();
	private payments: ReadonlyMap<string, AwaitedPayment> = new Map();
	private readAt = -Infinity;
	private readonly final = new Map<string, PaymentStatus>();
	private owners = new RecordOwners([]);
	private last: Promise<unknown> = Promise.resolve();
	private turns = 0;
	private readonly patient = new Set<string>();

	/** One callback after the other; null when too many wait, or for too long. */
	async inTurn<T>(work: () => Promise<T>): Promise<T | null> {
		if (this.turns > MAX_WAITING) return null;
		this.turns++;
		const came = Date.now();
		const turn = this.last.then(async () => (Date.now() - came > WAIT_MS ? null : await work()));
		this.last = turn.catch(() => undefined);
		try {
			return await turn;
		} finally {
			this.turns--;
		}
	}

	get isBusy(): boolean {
		return this.turns > 0 || this.patient.size > 0;
	}

	/** What is awaited by this name; what the node has put aside is read at times only. */
	payment(
		key: string,
		read: () => ReadonlyMap<string, AwaitedPayment>,
		now: number,
	): AwaitedPayment | undefined {
		const known = now - this.readAt <= FRESH_MS ? this.named(key) : undefined;
		if (known !== undefined) return known;
		this.payments = read();
		this.readAt = now;
		this.owners = new RecordOwners(this.payments.values());
		for (const [name, status] of this.final) {
			const payment = this.payments.get(name);
			if (payment === undefined || !this.owners.claim(status, payment)) this.final.delete(name);
		}
		return this.named(key);
	}

	/** A service may cut a long address: what is left of it can still name one payment alone. */
	private named(key: string): AwaitedPayment | undefined {
		const whole = this.payments.get(key);
		if (whole !== undefined) return whole;
		const cut = [...this.payments.values()].filter((each) => each.mark.startsWith(key));
		return cut.length === 1 ? cut[0] : undefined;
	}

	statusOf = ({ mark }: AwaitedPayment): PaymentStatus | null => this.final.get(mark) ?? null;

	/** In the order of the wait. */
	open(): AwaitedPayment[] {
		return [...this.payments.values()].filter((payment) => this.statusOf(payment) === null);
	}

	/**
	 * What is known by now. The newest word counts, but a success is never pending again. Null when
	 * it is the record of another payment.
	 */
	note(payment: AwaitedPayment, status: PaymentStatus | null): PaymentStatus | null {
		const known = this.statusOf(payment);
		if (status === null || !this.owners.claim(status, payment)) return known;
		if (known !== null && !supersedes(status, known, payment.kind === 'link')) return known;
		this.final.delete(payment.mark);
		if (status.isFinal) this.final.set(payment.mark, status);
		return status;
	}

	/** One callback for each payment may wait for its record, beside the others; the rest come again. */
	async patiently<T>({ mark }: AwaitedPayment, work: () => Promise<T>): Promise<T | null> {
		if (this.patient.has(mark) || this.patient.size >= MAX_PATIENT) return null;
		this.patient.add(mark);
		try {
			return await work();
		} finally {
			this.patient.delete(mark);
		}
	}

	/** Whether it has just gone on with another callback, so that this one has nothing to add. */
	isOver(key: string, now: number): boolean {
		if (this.over === undefined || now - this.over.at > OVER_MS) return false;
		// The one that woke it comes again only if n8n could not store that it goes on.
		return key !== this.over.by && this.payments.has(key);
	}

	/** About what it takes. */
	get bytes(): number {
		let bytes = this.payments.size * BYTES_OF_PAYMENT;
		for (const { size } of this.final.values()) bytes += 2 * size;
		return bytes;
	}
}

const memories = new Map<string, Memory>();

const nameOf = (context: IWebhookFunctions | IExecuteFunctions): string =>
	JSON.stringify([context.getExecutionId(), context.getNode().id]);

export function memoryOf(context: IWebhookFunctions, key: string, now: number): Memory {
	const name = nameOf(context);
	const known = memories.get(name);
	const isOld = known?.over !== undefined && !known.isOver(key, now);
	const memory = known === undefined || isOld ? new Memory() : known;
	memory.usedAt = now;
	// Those used longest ago come first.
	memories.delete(name);
	memories.set(name, memory);
	freeMemory(now);
	return memory;
}

function freeMemory(now: number): void {
	let bytes = 0;
	for (const each of memories.values()) bytes += each.bytes;
	for (const [name, each] of memories) {
		const isTooMuch = memories.size > MAX_EXECUTIONS || bytes > MAX_BYTES;
		if (!isTooMuch && now - each.usedAt <= KEEP_MS) break;
		if (each.isBusy) continue;
		memories.delete(name);
		bytes -= each.bytes;
	}
}

/** It goes to sleep, maybe once more, as in a loop, and waits for something else. */
export const forgetExecution = (context: IExecuteFunctions): void => {
	memories.delete(nameOf(context));
};
