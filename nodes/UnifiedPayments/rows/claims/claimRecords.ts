import type { ProcessedKeys } from '../../transport/processedKeys';
import {
	answeredEntry,
	answeredValuesEntry,
	askedEntry,
	entriesOf,
	type ClaimedPayment,
	type ClaimRequest,
	type OnRecord,
} from './claim';
import { isAny, paymentsThatAre, type LocalClaims } from './localClaims';

/** How often a write is tried, and how long an outcome may wait for one. */
const TRIES = 3;
const WAIT_MS = 1000;

/** What is written to the store for claims, and read from it. Use `store.alone` around its calls. */
export interface ClaimRecords {
	/** Records entries; gives those that were there before. */
	record(entries: readonly string[]): Promise<ReadonlySet<string>>;
	/** The same, together with all answers until now. */
	recordWithAnswers(entries: readonly string[]): Promise<ReadonlySet<string>>;
	/** Removes claims that were released, what look-ups left behind, and these entries. */
	remove(entries?: readonly string[]): Promise<void>;
	/** The same, unless only released claims are there to be removed. */
	removeLeftovers(entries?: readonly string[]): Promise<void>;
	/** What is on record about payments that were claimed before; leaves no trace. */
	lookUp(
		earlier: readonly ClaimRequest[],
		/** Entries that are not true, because of what is done now. */
		untrue?: (request: ClaimRequest, onRecord: OnRecord) => string[],
	): Promise<Map<ClaimRequest, OnRecord>>;
	/** Whether answers or released claims have waited long enough. */
	isDue(what: 'answered' | 'released', when: 'due' | 'always'): boolean;
	/** How long the slowest write took: each one puts back the whole list as it was read. */
	slowestMs(): number;
}

export function createClaimRecords(
	store: ProcessedKeys,
	local: LocalClaims,
	now: () => number,
): ClaimRecords {
	let slowestMs = 0;
	const lastWrite = { answered: now(), released: now() };

	async function timed<T>(work: () => Promise<T>): Promise<T> {
		const began = now();
		try {
			return await work();
		} finally {
			slowestMs = Math.max(slowestMs, now() - began);
		}
	}

	const record = async (entries: readonly string[]) =>
		await timed(async () => await store.record(entries));

	async function recordWithAnswers(entries: readonly string[]): Promise<ReadonlySet<string>> {
		const answered = paymentsThatAre(local, 'answered');
		if (entries.length + answered.length === 0) return new Set();
		const before = await record([...entries, ...answered.flatMap(answersOf)]);
		for (const { key } of answered) local.payments.delete(key);
		lastWrite.answered = now();
		return before;
	}

	async function remove(entries: readonly string[] = []): Promise<void> {
		for (const entry of entries) local.leftovers.add(entry);
		const released = paymentsThatAre(local, 'released');
		const gone = [...local.leftovers, ...released.flatMap(entriesOf)];
		if (gone.length === 0) return;
		await retried(async () => await timed(async () => await store.remove(gone)));
		for (const entry of gone) local.leftovers.delete(entry);
		for (const { key } of released) local.payments.delete(key);
		lastWrite.released = now();
	}

	async function removeLeftovers(entries: readonly string[] = []): Promise<void> {
		if (local.leftovers.size + entries.length > 0) await remove(entries);
	}

	return {
		record,
		recordWithAnswers: async (entries) =>
			// Without entries nobody waits for the answer, so it may be tried again.
			entries.length > 0
				? await recordWithAnswers(entries)
				: await retried(async () => await recordWithAnswers(entries)),
		remove,
		removeLeftovers,

		async lookUp(earlier, untrue = () => []) {
			const found = new Map<ClaimRequest, OnRecord>();
			if (earlier.length === 0) return found;
			// In this order: when the oldest entries are forgotten, no answer outlives its question.
			const entries = earlier.flatMap((request) => [...answersOf(request), askedEntry(request)]);
			const before = await record(entries);
			const wrong = entries.filter((entry) => !before.has(entry));
			for (const request of earlier) {
				const onRecord = onRecordOf(request, before);
				found.set(request, onRecord);
				wrong.push(...untrue(request, onRecord));
			}
			await removeLeftovers(wrong);
			return found;
		},

		isDue: (what, when) =>
			(when === 'always' || now() - lastWrite[what] >= WAIT_MS) && isAny(local, what),
		slowestMs: () => slowestMs,
	};
}

/** In this order: when the oldest entries are forgotten, it is still known that there was an answer. */
const answersOf = (payment: ClaimedPayment): string[] =>
	payment.values === null
		? [answeredEntry(payment)]
		: [answeredValuesEntry(payment), answeredEntry(payment)];

function onRecordOf(request: ClaimRequest, before: ReadonlySet<string>): OnRecord {
	if (before.has(askedEntry(request))) return 'unclear';
	if (!before.has(answeredEntry(request))) return 'unanswered';
	return answersOf(request).every((entry) => before.has(entry))
		? 'answered'
		: 'answeredWithOtherValues';
}

async function retried<T>(work: () => Promise<T>): Promise<T> {
	for (let tries = 1; tries < TRIES; tries++) {
		try {
			return await work();
		} catch {
			// Tried again below; the last one tells what is wrong.
		}
	}
	return await work();
}
