import { randomUUID } from 'node:crypto';

import type { ProcessedKeys } from '../../transport/processedKeys';
import { setLocal, type ClaimedPayment, type ClaimRecords, type LocalClaims } from './claimRecords';

/** How long a claim waits before it is looked at again. No write of the store may take longer. */
export const SETTLE_MS = 1000;

/** How long a write may take where nobody waits. */
const WRITE_MS = 10_000;

/** How often a claim that other processes wrote over is written again. */
const LOOKS = 8;

/** What is written for payments, so that nobody else has them. */
export interface Wording {
	entries(payment: ClaimedPayment): string[];
	/** By the entries that were there before. */
	isTaken(payment: ClaimedPayment, before: ReadonlySet<string>): boolean;
	/** Whether the payments were sent before, without an answer. */
	isAgain: boolean;
}

/** Payments of which a claim was written. */
export interface WrittenClaims {
	requests: readonly ClaimedPayment[];
	wording: Wording;
	/** Those that nobody had before. */
	first: ClaimedPayment[];
	/** The entries that were there before. */
	before: Set<string>;
	/** Tells this very write from that of another process; empty where nobody looks at it again. */
	sign: readonly string[];
}

export interface Settling {
	/** Whether other processes may use the store. */
	others: boolean;
	/** Waits for at least `SETTLE_MS`; it is told how often the claim was looked at before. */
	wait(looks: number): Promise<void>;
}

/** Writes claims so that they hold among all processes that use the store. */
export function createClaimWriter(
	store: ProcessedKeys,
	records: ClaimRecords,
	local: LocalClaims,
	{ others, wait }: Settling,
) {
	return {
		/** Writes claims of payments that this process knows nothing about. Needs the store alone. */
		async write(requests: readonly ClaimedPayment[], wording: Wording): Promise<WrittenClaims> {
			const sign = others && requests.length > 0 ? [`${randomUUID()} settles`] : [];
			const entries = requests.flatMap(wording.entries);
			const before = new Set(await records.recordWithAnswers([...entries, ...sign]));
			const first = requests.filter((request) => !wording.isTaken(request, before));
			setLocal(local, first, 'underWay', wording.isAgain);
			return { requests, wording, first, before, sign };
		},

		/**
		 * Waits until no other process can undo them; takes those out that another one has claimed.
		 * The store is read and written as a whole, so another process that read it before our write
		 * can undo that without either knowing. After a wait that is longer than its reading and
		 * writing, we look whether ours is there. What was undone is written again by that look, and
		 * waits again.
		 */
		async settle(written: WrittenClaims): Promise<void> {
			const { sign, wording } = written;
			if (sign.length === 0) return;
			for (let looks = 0; written.first.length > 0; looks++) {
				if (looks === LOOKS) throw new Error('other workers wrote over it again and again');
				await wait(looks);
				const entries = [...written.first.flatMap(wording.entries), ...sign];
				const there = await store.alone(async () => await records.record(entries));
				if (entries.every((entry) => there.has(entry))) return;
				// It was written together with the claims: without it, they are not ours.
				if (sign.every((entry) => there.has(entry))) continue;
				const theirs = written.first.filter((request) => wording.isTaken(request, there));
				written.first = written.first.filter((request) => !theirs.includes(request));
				for (const request of theirs) {
					local.payments.delete(request.key);
					for (const entry of wording.entries(request)) {
						if (there.has(entry)) written.before.add(entry);
					}
				}
			}
		},

		/**
		 * Whether another run may have sent these rows without a record of it.
		 * A process that stands still between reading the list and writing it back undoes what others
		 * claimed meanwhile, and they may have sent it.
		 */
		hasStalled: () => records.slowestMs() > (others ? SETTLE_MS : WRITE_MS),
	};
}
