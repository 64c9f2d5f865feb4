import { randomUUID } from 'node:crypto';

import type { ProcessedKeys } from '../../transport/processedKeys';
import {
	claimedEntry,
	entriesOf,
	type ClaimRequest,
	type ClaimRecords,
	markAs,
	type LocalClaims,
} from './claimRecords';
import { signsToLeave, signToLookFor, type OtherProcesses } from './otherProcesses';

/** How long a claim waits before it is looked at again. No write of the store may take longer. */
export const SETTLE_MS = 1000;

/** How long a write may take where nobody waits. */
const WRITE_MS = 10_000;

/** How often a claim that other processes wrote over is written again. */
const LOOKS = 8;

/** How long the store counts as the store of one process after a look. */
const LOOK_AGAIN_MS = 10_000;

/** Payments of which a claim was written. */
export interface WrittenClaims {
	requests: readonly ClaimRequest[];
	/** Those that nobody had claimed before. */
	first: ClaimRequest[];
	/** The entries that were there before. */
	before: Set<string>;
	/** Tells this very write from that of another process; empty where nobody looks at it again. */
	mark: readonly string[];
}

export interface Settling {
	others: OtherProcesses;
	/** Waits for at least `SETTLE_MS`; it is told how often the claim was looked at before. */
	wait(looks: number): Promise<void>;
}

/** Writes claims so that they hold among all processes that use the store. */
export function createClaimWriter(
	store: ProcessedKeys,
	records: ClaimRecords,
	local: LocalClaims,
	now: () => number,
	{ others, wait }: Settling,
) {
	let isSettling = others === 'yes';
	let lastLook = -Infinity;

	/** Writes entries, a mark, and a sign by which we see whether there are other processes. */
	async function writeAndLook(entries: readonly string[], mark: string) {
		const sign = signToLookFor(now());
		const before = await records.recordWithAnswers([...entries, mark, sign]);
		isSettling = before.has(sign);
		lastLook = now();
		if (!isSettling) await records.remove([mark, sign]);
		return before;
	}

	async function writeEntries(entries: readonly string[], mark: string) {
		const isUnsure = others === 'look' && !isSettling && now() - lastLook >= LOOK_AGAIN_MS;
		if (isUnsure) return await writeAndLook(entries, mark);
		if (!isSettling) return await records.recordWithAnswers(entries);
		return await records.recordWithAnswers([...entries, mark, ...signsToLeave(now())]);
	}

	return {
		/** Writes claims of payments that this process knows nothing about. Needs the store alone. */
		async write(requests: readonly ClaimRequest[]): Promise<WrittenClaims> {
			const mark = `${randomUUID()} settles`;
			const entries = requests.flatMap(entriesOf);
			const before = new Set(
				entries.length > 0
					? await writeEntries(entries, mark)
					: await records.recordWithAnswers(entries),
			);
			const first = requests.filter((request) => !before.has(claimedEntry(request)));
			markAs(local, first, 'underWay');
			return { requests, first, before, mark: isSettling ? [mark] : [] };
		},

		/**
		 * Waits until no other process can undo them; takes those out that another one has claimed.
		 * The store is read and written as a whole, so another process that read it before our write
		 * can undo that without either knowing. After a wait that is longer than its reading and
		 * writing, we look whether ours is there. What was undone is written again by that look, and
		 * waits again.
		 */
		async settle(written: WrittenClaims): Promise<void> {
			if (written.mark.length === 0) return;
			for (let looks = 0; written.first.length > 0; looks++) {
				if (looks === LOOKS) throw new Error('other workers wrote over it again and again');
				await wait(looks);
				const entries = [...written.first.flatMap(entriesOf), ...written.mark];
				const there = await store.alone(
					async () => await records.record([...entries, ...signsToLeave(now())]),
				);
				if (entries.every((entry) => there.has(entry))) return;
				// The mark was written together with the claims: without it, they are not ours.
				if (written.mark.every((entry) => there.has(entry))) continue;
				const theirs = written.first.filter((request) => there.has(claimedEntry(request)));
				written.first = written.first.filter((request) => !theirs.includes(request));
				for (const request of theirs) {
					local.payments.delete(request.key);
					for (const entry of entriesOf(request)) {
						if (there.has(entry)) written.before.add(entry);
					}
				}
			}
		},

		/** Whether claims are waited for, because there may be other processes. */
		isSettling: () => isSettling,

		/**
		 * Whether another run may have sent these rows without a record of it.
		 * A process that stands still between reading the list and writing it back undoes what others
		 * claimed meanwhile, and they may have sent it.
		 */
		hasStalled: () => records.slowestMs() > (isSettling ? SETTLE_MS : WRITE_MS),
	};
}
