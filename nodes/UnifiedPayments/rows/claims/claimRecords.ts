import type { ProcessedKeys } from '../../transport/processedKeys';

export interface ClaimedPayment {
	/** Names the payment. */
	key: string;
	/** What is sent for it, where that is no part of its name; null otherwise. */
	values: string | null;
}

/** A payment that a run wants to send. */
export interface ClaimRequest extends ClaimedPayment {
	/** Whether to send it when an earlier run sent it and no answer is on record. */
	sendUnanswered: boolean;
}

/**
 * `mine`: it may be sent, by nobody else. `answered`: an earlier run sent it and has the answer;
 * `answeredWithOtherValues`: with other values. `unanswered`: an earlier run claimed it, and no answer is
 * on record; `unansweredWithOtherValues`: with other values. `unclear`: n8n was stopped while this was
 * being looked up, so it is not on record whether there was an answer. `underWay`: another run of
 * this process is sending it. `doubtful`: another run may have sent it, and its claim be lost.
 */
export type Claim =
	| 'mine'
	| 'answered'
	| 'answeredWithOtherValues'
	| 'unanswered'
	| 'unansweredWithOtherValues'
	| 'unclear'
	| 'underWay'
	| 'doubtful';

/** What is on record about a payment that was claimed before. */
type OnRecord = 'answered' | 'answeredWithOtherValues' | 'unanswered' | 'unclear';

/** The entries of a payment in the store. */
export const claimedEntry = ({ key }: { key: string }): string => key;
export const valuesEntry = ({ key, values }: ClaimedPayment): string => `${key} ${values}`;
const answeredEntry = ({ key }: { key: string }): string => `${key} answered`;
/** Only an answer writes this, and only a look-up asks for it: what was claimed to look at it proves nothing. */
const answeredValuesEntry = (payment: ClaimedPayment): string => `${valuesEntry(payment)} answered`;
export const askedEntry = ({ key }: { key: string }): string => `${key} asked`;

/** What is written to claim it. */
export const entriesOf = (request: ClaimedPayment): string[] =>
	request.values === null ? [claimedEntry(request)] : [claimedEntry(request), valuesEntry(request)];

/** Whether it was claimed with other values than these. */
export const hasOtherValues = (request: ClaimRequest, before: ReadonlySet<string>): boolean =>
	request.values !== null && !before.has(valuesEntry(request));

/** The claim that a run gets for a payment that was claimed before. */
export function earlierClaim(
	request: ClaimRequest,
	onRecord: OnRecord,
	before: ReadonlySet<string>,
	isSentAgain = request.sendUnanswered,
): Claim {
	if (onRecord === 'unanswered' && isSentAgain) return 'mine';
	const isAnswered = onRecord === 'answered' || onRecord === 'answeredWithOtherValues';
	return isAnswered || !hasOtherValues(request, before) ? onRecord : 'unansweredWithOtherValues';
}

type LocalState = 'underWay' | 'answered' | 'released';

/** A payment that this process claimed, until the store says the same about it. */
interface LocalClaim {
	state: LocalState;
	payment: ClaimedPayment;
}

/** What this process knows about the payments of a node, for all its runs. */
export interface LocalClaims {
	payments: Map<string, LocalClaim>;
	/** Those under way that were sent before, without an answer. */
	sentBefore: Set<string>;
	/** Entries that a look-up left behind, because they could not be removed. */
	leftovers: Set<string>;
	/** How many requests of this process had no answer, and which of them was the last of a payment. */
	unanswered: number;
	lastUnanswered: Map<string, number>;
	/** The last of those that were forgotten, so that they do not fill the memory. */
	forgotten: number;
}

const MAX_UNANSWERED = 10_000;

/** Notes that the last request of a payment had no answer that counts. */
export function noteUnanswered(local: LocalClaims, key: string): void {
	const { lastUnanswered } = local;
	lastUnanswered.delete(key);
	lastUnanswered.set(key, ++local.unanswered);
	const [oldest] = lastUnanswered;
	if (oldest === undefined || lastUnanswered.size <= MAX_UNANSWERED) return;
	lastUnanswered.delete(oldest[0]);
	local.forgotten = oldest[1];
}

const processWide = new Map<string, LocalClaims>();

export function localClaimsOf(store: { name: string }): LocalClaims {
	const local = processWide.get(store.name) ?? {
		payments: new Map(),
		sentBefore: new Set(),
		leftovers: new Set(),
		unanswered: 0,
		lastUnanswered: new Map(),
		forgotten: 0,
	};
	processWide.set(store.name, local);
	return local;
}

const paymentsThatAre = ({ payments }: LocalClaims, state: LocalState): ClaimedPayment[] =>
	[...payments.values()].flatMap((claim) => (claim.state === state ? [claim.payment] : []));

/** Asked for every row, so without a list of its own. */
function isAny({ payments }: LocalClaims, state: LocalState): boolean {
	for (const claim of payments.values()) if (claim.state === state) return true;
	return false;
}

/** Of a payment that this process itself knows about; the others are left to the store. */
export function locally({ payments }: LocalClaims, request: ClaimRequest): Claim | undefined {
	const claim = payments.get(request.key);
	if (claim === undefined) return undefined;
	if (claim.state !== 'answered') return claim.state === 'released' ? 'mine' : claim.state;
	return claim.payment.values === request.values ? 'answered' : 'answeredWithOtherValues';
}

export function markAs(
	{ payments }: LocalClaims,
	requests: readonly ClaimRequest[],
	state: LocalState,
): void {
	for (const payment of requests) payments.set(payment.key, { state, payment });
}

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
export const answersOf = (payment: ClaimedPayment): string[] =>
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
