import type { ProcessedKeys } from '../../transport/processedKeys';

/** A payment that a run wants to send. */
export interface ClaimRequest {
	/** Names the payment. */
	key: string;
	/** What is sent for it, where that is no part of its name; null otherwise. */
	values: string | null;
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
type OnRecord = 'answered' | 'unanswered' | 'unclear';

/** The entries of a payment in the store. */
export const claimedEntry = ({ key }: { key: string }): string => key;
export const valuesEntry = ({ key, values }: ClaimRequest): string => `${key} ${values}`;
const answeredEntry = ({ key }: { key: string }): string => `${key} answered`;
export const askedEntry = ({ key }: { key: string }): string => `${key} asked`;

/** What is written to claim it. */
export const entriesOf = (request: ClaimRequest): string[] =>
	request.values === null ? [claimedEntry(request)] : [claimedEntry(request), valuesEntry(request)];

/** Whether it was claimed with other values than these. */
export const hasOtherValues = (request: ClaimRequest, before: ReadonlySet<string>): boolean =>
	request.values !== null && !before.has(valuesEntry(request));

export const isSentAgain = ({ sendUnanswered }: ClaimRequest, onRecord: OnRecord): boolean =>
	onRecord === 'unanswered' && sendUnanswered;

/** What a run hears about a payment that was claimed before. */
export function earlierClaim(
	request: ClaimRequest,
	onRecord: OnRecord,
	before: ReadonlySet<string>,
): Claim {
	if (isSentAgain(request, onRecord)) return 'mine';
	if (onRecord === 'unclear' || !hasOtherValues(request, before)) return onRecord;
	return onRecord === 'answered' ? 'answeredWithOtherValues' : 'unansweredWithOtherValues';
}

type LocalState = 'underWay' | 'answered' | 'released';

/** A payment that this process claimed, until the store says the same about it. */
interface LocalClaim {
	state: LocalState;
	/** Those of its claim. */
	entries: readonly string[];
}

/** What this process knows about the payments of a node, for all its runs. */
export interface LocalClaims {
	payments: Map<string, LocalClaim>;
	/** Those under way that were sent before, without an answer. */
	sentBefore: Set<string>;
	/** Entries that a look-up left behind, because they could not be removed. */
	leftovers: Set<string>;
}

const processWide = new Map<string, LocalClaims>();

export function localClaimsOf(store: { name: string }): LocalClaims {
	const local = processWide.get(store.name) ?? {
		payments: new Map(),
		sentBefore: new Set(),
		leftovers: new Set(),
	};
	processWide.set(store.name, local);
	return local;
}

const keysThatAre = ({ payments }: LocalClaims, state: LocalState): string[] =>
	[...payments].flatMap(([key, claim]) => (claim.state === state ? [key] : []));

/** Asked for every row, so without a list of its own. */
function isAny({ payments }: LocalClaims, state: LocalState): boolean {
	for (const claim of payments.values()) if (claim.state === state) return true;
	return false;
}

/** Of a payment that this process itself knows about; the others are left to the store. */
export function locally({ payments }: LocalClaims, { key }: ClaimRequest): Claim | undefined {
	const state = payments.get(key)?.state;
	return state === 'released' ? 'mine' : state;
}

export function markAs(
	{ payments }: LocalClaims,
	requests: readonly ClaimRequest[],
	state: LocalState,
): void {
	for (const request of requests) {
		payments.set(request.key, { state, entries: entriesOf(request) });
	}
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
		const answered = keysThatAre(local, 'answered');
		if (entries.length + answered.length === 0) return new Set();
		const before = await record([...entries, ...answered.map((key) => answeredEntry({ key }))]);
		for (const key of answered) local.payments.delete(key);
		lastWrite.answered = now();
		return before;
	}

	async function remove(entries: readonly string[] = []): Promise<void> {
		for (const entry of entries) local.leftovers.add(entry);
		const released = keysThatAre(local, 'released');
		const claims = released.flatMap((key) => local.payments.get(key)?.entries ?? []);
		const gone = [...local.leftovers, ...claims];
		if (gone.length === 0) return;
		await retried(async () => await timed(async () => await store.remove(gone)));
		for (const entry of gone) local.leftovers.delete(entry);
		for (const key of released) local.payments.delete(key);
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
			const entries = earlier.flatMap((request) => [answeredEntry(request), askedEntry(request)]);
			const before = await record(entries);
			const wrong = entries.filter((entry) => !before.has(entry));
			for (const request of earlier) {
				const onRecord = before.has(askedEntry(request))
					? 'unclear'
					: before.has(answeredEntry(request))
						? 'answered'
						: 'unanswered';
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
