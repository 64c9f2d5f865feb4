import type { ProcessedKeys } from '../../transport/processedKeys';
import {
	answersOf,
	askedEntry,
	claimedEntry,
	earlierClaim,
	entriesOf,
	hasOtherValues,
	noteUnanswered,
	valuesEntry,
	type Claim,
	type ClaimedPayment,
	type ClaimRequest,
	createClaimRecords,
	localClaimsOf,
	locally,
	markAs,
} from './claimRecords';
import { createClaimWriter, type Settling, type WrittenClaims } from './writtenClaims';

/** How a claim ended that was `mine`. */
type End = 'answered' | 'released' | 'unanswered';

export interface Claims {
	claim(requests: readonly ClaimRequest[]): Promise<Claim[]>;
	/** Whether another run may have sent these rows without a record of it. */
	hasStalled(): boolean;
	/** How many rows to claim ahead of sending them; undefined: as few as possible. */
	ahead(): number | undefined;
	/** Says what became of a claim. It is written with a later claim, or with `flush`. */
	end(key: string, end: End): void;
	/** The service turned out to have a payment that no answer was on record for. */
	found(payment: ClaimedPayment): void;
	/** The service turned out to have filed it as a failure, so that it may be sent again. */
	release(payment: ClaimedPayment): void;
	/** Its answer turned out to prove nothing. */
	doubt(payment: ClaimedPayment): void;
	/** Writes how claims ended, when that is due or `always`. */
	flush(when?: 'due' | 'always'): Promise<void>;
	/** The same answers without claiming anything: for a dry run. */
	peek(requests: readonly ClaimRequest[]): Promise<Claim[]>;
	/** Forgets the oldest payments beyond the limit, which a run never lowers. */
	trim(rows: number): Promise<void>;
}

/** Claims that settle take a second, so more rows are claimed at a time. */
const AHEAD_WHEN_SETTLING = 100;

/** The lowest limit, and the most entries that a payment of a sheet has. */
const MIN_ENTRIES = 100_000;
const ENTRIES_PER_ROW = 4;

const ONE_PROCESS: Settling = { others: 'no', wait: async () => {} };

/**
 * Claims payments before they are sent. The store can only be asked by writing to it, and each
 * write costs the more the longer its list is. So one write for a chunk of rows holds the claims of
 * these rows, and the answers to the ones before. The claim of a payment that was not accepted is
 * removed, together with others: a mark that says so could outlive its claim when the oldest
 * entries are forgotten, and set a later claim free. Only a payment that was claimed earlier is
 * asked about, and what was recorded in asking is removed again. An interruption leaves a claim
 * without an answer, or, in the middle of a look-up, an unclear one: never an answer that was not
 * given, and never nothing for a payment that may have been sent.
 */
export function createClaims(
	store: ProcessedKeys,
	now: () => number = Date.now,
	settling: Settling = ONE_PROCESS,
): Claims {
	const local = localClaimsOf(store);
	const records = createClaimRecords(store, local, now);
	const writer = createClaimWriter(store, records, local, now, settling);
	let limit: number | undefined;
	/** How many requests had no answer when this run last looked. */
	let seen = local.unanswered;

	/** What was sent in vain since this run looked was not looked up by it. */
	const isSentAgain = ({ key, sendUnanswered }: ClaimRequest): boolean =>
		sendUnanswered && (local.lastUnanswered.get(key) ?? local.forgotten) <= seen;

	/** Decides which payments this run may send, and looks up those that were claimed before. */
	async function decide({ requests, first, before }: WrittenClaims) {
		const claims = new Map<ClaimRequest, Claim>();
		for (const request of requests) {
			// Another run of this process may have taken it while this one waited.
			const since = first.includes(request) ? undefined : locally(local, request);
			if (since !== undefined) claims.set(request, since === 'mine' ? 'underWay' : since);
		}
		const isEarlier = (request: ClaimRequest) => !claims.has(request) && !first.includes(request);
		const found = await records.lookUp(requests.filter(isEarlier), (request, onRecord) =>
			hasOtherValues(request, before) && !(onRecord === 'unanswered' && isSentAgain(request))
				? [valuesEntry(request)]
				: [],
		);
		for (const request of first) claims.set(request, 'mine');
		for (const [request, onRecord] of found) {
			const claim = earlierClaim(request, onRecord, before, isSentAgain(request));
			claims.set(request, claim);
			if (claim === 'mine') local.sentBefore.add(request.key);
		}
		markAs(
			local,
			requests.filter((request) => claims.get(request) === 'mine'),
			'underWay',
		);
		return claims;
	}

	/** None of them is sent by this run. After a standstill their claims stay: others may have sent them. */
	function giveUp(requests: readonly ClaimRequest[]): void {
		if (writer.hasStalled()) for (const { key } of requests) local.payments.delete(key);
		else markAs(local, requests, 'released');
	}

	/** If it cannot be decided which of them this run may send, none is sent. */
	async function orGiveUp<T>(written: WrittenClaims, work: () => Promise<T>): Promise<T> {
		let isDone = false;
		try {
			const result = await work();
			isDone = true;
			return result;
		} finally {
			if (!isDone) giveUp(written.first);
		}
	}

	/** A run that has stalled claims nothing more to send, but claims the rest of its rows for good. */
	function unlessStalled(claim: Claim, request: ClaimRequest): Claim {
		if (!writer.hasStalled() || claim !== 'mine') return claim;
		giveUp([request]);
		return 'doubtful';
	}

	return {
		hasStalled: writer.hasStalled,
		ahead: () => (writer.isSettling() ? AHEAD_WHEN_SETTLING : undefined),

		async claim(requests) {
			let known = new Map<ClaimRequest, Claim | undefined>();
			const write = async () => {
				await records.removeLeftovers();
				// What is free again is claimed anew, with what is sent for it now.
				while (requests.some((request) => locally(local, request) === 'mine')) {
					await records.remove();
				}
				limit ??= limitFor(await store.count(), 0);
				known = new Map(requests.map((request) => [request, locally(local, request)]));
				return await writer.write(requests.filter((request) => known.get(request) === undefined));
			};
			const written = await store.alone(write);
			const claims = await orGiveUp(written, async () => {
				// Others of this process may claim meanwhile.
				await writer.settle(written);
				return await store.alone(async () => await decide(written));
			});
			return requests.map(
				(request) =>
					known.get(request) ?? unlessStalled(claims.get(request) ?? 'doubtful', request),
			);
		},

		end(key, end) {
			// A rejected retry proves nothing about the first request.
			const isOpen = end === 'unanswered' || (end === 'released' && local.sentBefore.has(key));
			local.sentBefore.delete(key);
			const claim = local.payments.get(key);
			if (claim === undefined) return;
			if (isOpen) noteUnanswered(local, key);
			if (isOpen) local.payments.delete(key);
			else local.payments.set(key, { state: end, payment: claim.payment });
		},

		found(payment) {
			local.payments.set(payment.key, { state: 'answered', payment });
			// Left behind by a look-up that was interrupted; with it, the answer would not count.
			local.leftovers.add(askedEntry(payment));
			for (const entry of answersOf(payment)) local.leftovers.delete(entry);
		},

		release(payment) {
			local.payments.set(payment.key, { state: 'released', payment });
		},

		doubt(payment) {
			local.payments.delete(payment.key);
			for (const entry of answersOf(payment)) local.leftovers.add(entry);
			noteUnanswered(local, payment.key);
		},

		async flush(when = 'always') {
			const isLeft = when === 'always' && local.leftovers.size > 0;
			if (!isLeft && !records.isDue('answered', when) && !records.isDue('released', when)) return;
			await store.alone(async () => {
				if (isLeft) await records.removeLeftovers();
				if (records.isDue('answered', when)) await records.recordWithAnswers([]);
				if (records.isDue('released', when)) await records.remove();
			});
		},

		async peek(requests) {
			return await store.alone(async () => {
				seen = local.unanswered;
				await records.removeLeftovers();
				const known = new Map(requests.map((request) => [request, locally(local, request)]));
				const unknown = requests.filter((request) => known.get(request) === undefined);
				const before =
					unknown.length > 0 ? await records.record(unknown.flatMap(entriesOf)) : new Set<string>();
				await records.removeLeftovers(
					unknown.flatMap(entriesOf).filter((entry) => !before.has(entry)),
				);
				const found = await records.lookUp(
					unknown.filter((request) => before.has(claimedEntry(request))),
				);
				return requests.map((request) => {
					const onRecord = found.get(request);
					return (
						known.get(request) ??
						(onRecord === undefined ? 'mine' : earlierClaim(request, onRecord, before))
					);
				});
			});
		},

		async trim(rows) {
			const max = limitFor(limit ?? 0, rows);
			await store.alone(async () => {
				if ((await store.count()) > max) await store.trim(max);
			});
		},
	};
}

/** Doubled until it holds what there is and this run, so that no later run makes it smaller. */
function limitFor(entries: number, rows: number): number {
	let limit = MIN_ENTRIES;
	while (limit < entries || limit < ENTRIES_PER_ROW * rows) limit *= 2;
	return limit;
}
