import type { ProcessedKeys } from '../../transport/processedKeys';
import {
	claimedEntry,
	createClaimRecords,
	entriesOf,
	hasOtherValues,
	isReleased,
	localClaimsOf,
	locally,
	setLocal,
	type Claim,
	type ClaimedPayment,
} from './claimRecords';
import {
	createClaimWriter,
	type Settling,
	type Wording,
	type WrittenClaims,
} from './writtenClaims';

/** How a claim ended that was `mine`. */
type End = 'answered' | 'released' | 'unanswered';

export interface Claims {
	claim(payments: readonly ClaimedPayment[]): Promise<Claim[]>;
	/** The same for payments that are `open`, and that a person wants to be sent again. */
	takeOver(payments: readonly ClaimedPayment[]): Promise<Claim[]>;
	/** Which of these payments were claimed before. Claims nothing. */
	known(payments: readonly ClaimedPayment[]): Promise<ReadonlySet<ClaimedPayment>>;
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
	/** Forgets the oldest payments beyond the limit, which a run never lowers. */
	trim(rows: number): Promise<void>;
}

/** Claims that settle take a second, so more rows are claimed at a time. */
const AHEAD_WHEN_SETTLING = 100;

/** The lowest limit, and the most entries that a payment of a sheet has. */
const MIN_ENTRIES = 100_000;
const ENTRIES_PER_ROW = 3;

/** So many are looked for at a time, so that a crash leaves few false claims behind. */
const KNOWN_AT_ONCE = 24;

const ONE_PROCESS: Settling = { others: false, wait: async () => {} };

const CLAIM: Wording = {
	entries: entriesOf,
	isTaken: (payment, before) => before.has(claimedEntry(payment)),
	isAgain: false,
};

const QUARTER_HOUR_MS = 15 * 60 * 1000;

/**
 * Whoever sends a payment once more has it alone for this quarter of an hour and the next: longer
 * than any request and the questions about it take.
 */
function takingOver(now: number): Wording {
	const quarter = Math.floor(now / QUARTER_HOUR_MS);
	const entries = ({ key }: ClaimedPayment) =>
		[quarter - 1, quarter].map((each) => `${key} again ${each}`);
	return {
		entries,
		isTaken: (payment, before) => entries(payment).some((entry) => before.has(entry)),
		isAgain: true,
	};
}

/**
 * Claims payments before they are sent. The store can only be asked by writing to it, and each
 * write costs the more the longer its list is. So one write for a chunk of rows holds the claims of
 * these rows, and the answers to the ones before. The claim of a payment that was not accepted is
 * removed, together with others: an entry that says so could outlive its claim when the oldest
 * entries are forgotten, and set a later claim free. Only a payment that was claimed earlier is
 * asked about, and what was recorded in asking is removed again. An interruption leaves a claim
 * without an answer: never an answer that was not given, and never nothing for a payment that may
 * have been sent.
 */
export function createClaims(
	store: ProcessedKeys,
	now: () => number = Date.now,
	settling: Settling = ONE_PROCESS,
): Claims {
	const local = localClaimsOf(store);
	const records = createClaimRecords(store, local, now);
	const writer = createClaimWriter(store, records, local, settling);
	/** How many entries there were when the run began. */
	let atStart: number | undefined;

	/** What this process knows by now of payments that were not given to this run. */
	const since = (payment: ClaimedPayment): Claim | undefined =>
		isReleased(local, payment) ? 'busy' : locally(local, payment);

	/** Which payments this run may send, and what is on record of those that were claimed before. */
	async function decide({
		requests,
		first,
		before,
	}: WrittenClaims): Promise<Map<ClaimedPayment, Claim>> {
		const claims = new Map<ClaimedPayment, Claim>();
		const earlier: ClaimedPayment[] = [];
		const untrue: string[] = [];
		const mine = new Set(first);
		for (const request of requests) {
			// Another run of this process may have taken it while this one waited.
			const known = mine.has(request) ? 'mine' : since(request);
			if (known !== undefined) claims.set(request, known);
			else if (hasOtherValues(request, before)) {
				claims.set(request, 'differs');
				untrue.push(records.untrueValues(request));
			} else earlier.push(request);
		}
		const found = await records.lookUp(earlier, untrue);
		earlier.forEach((each, at) => claims.set(each, found[at] === 'sent' ? 'sent' : 'open'));
		return claims;
	}

	/** Of payments that were `open`: what was found out meanwhile, and whether this run has them now. */
	async function decideAgain({ requests, first, before, wording }: WrittenClaims) {
		const claims = new Map<ClaimedPayment, Claim>();
		const found = await records.lookUp(
			first,
			requests
				.filter((request) => !first.includes(request))
				.flatMap((request) => wording.entries(request).filter((entry) => !before.has(entry))),
		);
		first.forEach((each, at) => {
			const claim = found[at] === 'open' ? 'mine' : found[at] === 'sent' ? 'sent' : 'open';
			claims.set(each, claim);
			if (claim !== 'mine') local.payments.delete(each.key);
		});
		for (const request of requests) if (!claims.has(request)) claims.set(request, 'busy');
		return claims;
	}

	/** None of them is sent by this run. */
	function giveUp(payments: readonly ClaimedPayment[], isAgain: boolean): void {
		// After a standstill their claims stay: others may have sent them. So do those of earlier runs.
		if (isAgain || writer.hasStalled()) for (const { key } of payments) local.payments.delete(key);
		else setLocal(local, payments, 'released');
	}

	/** If it cannot be decided which of them this run may send, none is sent. */
	async function orGiveUp<T>(written: WrittenClaims, work: () => Promise<T>): Promise<T> {
		let isDecided = false;
		try {
			const decided = await work();
			isDecided = true;
			return decided;
		} finally {
			if (!isDecided) giveUp(written.first, written.wording.isAgain);
		}
	}

	/** A run that has stalled claims nothing more to send, but claims the rest of its rows for good. */
	function unlessStalled(claim: Claim, payment: ClaimedPayment): Claim {
		if (!writer.hasStalled() || claim !== 'mine') return claim;
		giveUp([payment], false);
		return 'open';
	}

	async function take(
		payments: readonly ClaimedPayment[],
		wording: Wording,
		decideOn: (written: WrittenClaims) => Promise<Map<ClaimedPayment, Claim>>,
	): Promise<Claim[]> {
		let known = new Map<ClaimedPayment, Claim | undefined>();
		const written = await store.alone(async () => {
			await records.removeLeftovers();
			// What is free again is claimed anew, with what is sent for it now.
			while (payments.some((payment) => isReleased(local, payment))) await records.removeReleased();
			atStart ??= await store.count();
			known = new Map(payments.map((payment) => [payment, locally(local, payment)]));
			return await writer.write(
				payments.filter((payment) => known.get(payment) === undefined),
				wording,
			);
		});
		const claims = await orGiveUp(written, async () => {
			// Others of this process may claim meanwhile.
			await writer.settle(written);
			return await store.alone(async () => await decideOn(written));
		});
		return payments.map(
			(payment) => known.get(payment) ?? unlessStalled(claims.get(payment) ?? 'open', payment),
		);
	}

	return {
		hasStalled: writer.hasStalled,
		ahead: () => (settling.others ? AHEAD_WHEN_SETTLING : undefined),
		claim: async (payments) => await take(payments, CLAIM, decide),
		takeOver: async (payments) => await take(payments, takingOver(now()), decideAgain),

		async known(payments) {
			const known = new Set<ClaimedPayment>();
			for (let at = 0; at < payments.length; at += KNOWN_AT_ONCE) {
				const chunk = payments.slice(at, at + KNOWN_AT_ONCE);
				await store.alone(async () => {
					await records.removeLeftovers();
					const asked = chunk.filter(({ key }) => !local.payments.has(key));
					const entries = asked.map(claimedEntry);
					const before = entries.length > 0 ? await records.record(entries) : new Set<string>();
					await records.removeLeftovers(entries.filter((entry) => !before.has(entry)));
					for (const payment of chunk) {
						const isKnown = local.payments.has(payment.key)
							? !isReleased(local, payment)
							: before.has(claimedEntry(payment));
						if (isKnown) known.add(payment);
					}
				});
			}
			return known;
		},

		end(key, end) {
			const claim = local.payments.get(key);
			if (claim === undefined) return;
			// A rejected retry proves nothing about the first request.
			const isOpen = end === 'unanswered' || (end === 'released' && claim.isAgain);
			if (isOpen) local.payments.delete(key);
			else setLocal(local, [claim.payment], end);
		},

		found: records.found,
		release: (payment) => setLocal(local, [payment], 'released'),
		doubt: records.doubt,

		async flush(when = 'always') {
			const isLeft = when === 'always' && local.leftovers.size > 0;
			if (!isLeft && !records.isDue('answered', when) && !records.isDue('released', when)) return;
			await store.alone(async () => {
				if (isLeft) await records.removeLeftovers();
				if (records.isDue('answered', when)) await records.recordAnswers();
				if (records.isDue('released', when)) await records.removeReleased();
			});
		},

		async trim(rows) {
			const max = limitFor(atStart ?? 0, rows);
			await store.alone(async () => {
				if ((await store.count()) > max) await store.trim(max);
			});
		},
	};
}

/** Holds what there is and this run, so that no later run makes it smaller. */
const limitFor = (entries: number, rows: number): number =>
	Math.max(MIN_ENTRIES, entries, ENTRIES_PER_ROW * rows);
