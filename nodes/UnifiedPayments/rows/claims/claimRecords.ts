import type { PaymentKey } from '../../payment/payment';
import type { ProcessedKeys } from '../../transport/processedKeys';

/** What a payment is claimed by. */
export type ClaimedPayment = Pick<PaymentKey, 'key' | 'values'>;

/**
 * `mine`: it may be sent, by nobody else. `sent`: an earlier run sent the same, and has the answer.
 * `open`: it may have been sent before, and no answer is on record. `busy`: another run is sending
 * it, or has just sent it again. `differs`: something else was sent under its name.
 */
export type Claim = 'mine' | 'sent' | 'open' | 'busy' | 'differs';

/** The three entries of a payment in the store: two before it is sent, one with its answer. */
export const claimedEntry = ({ key }: ClaimedPayment): string => key;
const valuesEntry = ({ key, values }: ClaimedPayment): string => `${key} ${values}`;
const answeredEntry = (payment: ClaimedPayment): string =>
	payment.values === null ? `${payment.key} answered` : `${valuesEntry(payment)} answered`;
/** Stands behind the answer only while that is being looked up. */
const askedEntry = (payment: ClaimedPayment): string => `${answeredEntry(payment)} asked`;

/** What is written to claim it. */
export const entriesOf = (payment: ClaimedPayment): string[] =>
	payment.values === null ? [claimedEntry(payment)] : [claimedEntry(payment), valuesEntry(payment)];

export const hasOtherValues = (payment: ClaimedPayment, before: ReadonlySet<string>): boolean =>
	payment.values !== null && !before.has(valuesEntry(payment));

type LocalState = 'underWay' | 'answered' | 'released';

/** A payment that this process claimed, until the store says the same about it. */
interface LocalClaim {
	state: LocalState;
	payment: ClaimedPayment;
	/** Whether it was sent before, without an answer. */
	isAgain: boolean;
}

/** What this process knows about the payments of a node, for all its runs. */
export interface LocalClaims {
	payments: Map<string, LocalClaim>;
	/** Entries that are not true, because they could not be removed yet. */
	leftovers: Set<string>;
}

const processWide = new Map<string, LocalClaims>();

export function localClaimsOf(store: { name: string }): LocalClaims {
	const local = processWide.get(store.name) ?? { payments: new Map(), leftovers: new Set() };
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

export const isReleased = ({ payments }: LocalClaims, { key }: ClaimedPayment): boolean =>
	payments.get(key)?.state === 'released';

/** Of a payment that this process itself knows about; the others are left to the store. */
export function locally(
	{ payments }: LocalClaims,
	{ key, values }: ClaimedPayment,
): Claim | undefined {
	const claim = payments.get(key);
	if (claim === undefined) return undefined;
	if (claim.state !== 'released' && claim.payment.values !== values) return 'differs';
	return claim.state === 'answered' ? 'sent' : 'busy';
}

export function setLocal(
	{ payments }: LocalClaims,
	each: readonly ClaimedPayment[],
	state: LocalState,
	isAgain = false,
): void {
	for (const payment of each) payments.set(payment.key, { state, payment, isAgain });
}

/** How often a write is tried, and how long an outcome may wait for one. */
const TRIES = 3;
const WAIT_MS = 1000;

/** n8n looks through its whole list for each entry that it removes: so many keep it for a twentieth of a second. */
const REMOVED_AT_ONCE = 24;

/** What is written to the store for claims, and read from it. Use `store.alone` around its calls. */
export type ClaimRecords = ReturnType<typeof createClaimRecords>;

export function createClaimRecords(store: ProcessedKeys, local: LocalClaims, now: () => number) {
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

	/** Records entries; gives those that were there before. */
	const record = async (entries: readonly string[]) =>
		await timed(async () => await store.record(entries));

	/** The same, together with all answers until now. */
	async function recordWithAnswers(entries: readonly string[]): Promise<ReadonlySet<string>> {
		const answered = paymentsThatAre(local, 'answered');
		if (entries.length + answered.length === 0) return new Set();
		const before = await record([...entries, ...answered.map(answeredEntry)]);
		for (const { key } of answered) local.payments.delete(key);
		lastWrite.answered = now();
		return before;
	}

	/** Removes these entries, and what could not be removed before. */
	async function removeLeftovers(entries: readonly string[] = []): Promise<void> {
		for (const entry of entries) local.leftovers.add(entry);
		while (local.leftovers.size > 0) {
			const gone = [...local.leftovers].slice(0, REMOVED_AT_ONCE);
			await retried(async () => await timed(async () => await store.remove(gone)));
			for (const entry of gone) local.leftovers.delete(entry);
		}
	}

	return {
		record,
		recordWithAnswers,
		removeLeftovers,

		/** Without a claim nobody waits for it, so it may be tried again. */
		recordAnswers: async () => void (await retried(async () => await recordWithAnswers([]))),

		/** Removes claims that were released, a few at a time: each is whole or gone. */
		async removeReleased(): Promise<void> {
			await removeLeftovers();
			for (;;) {
				const released = paymentsThatAre(local, 'released').slice(0, REMOVED_AT_ONCE / 2);
				if (released.length === 0) break;
				const gone = released.flatMap(entriesOf);
				await retried(async () => await timed(async () => await store.remove(gone)));
				for (const { key } of released) local.payments.delete(key);
			}
			lastWrite.released = now();
		},

		/**
		 * What is on record about payments that were claimed before with these values. The store can
		 * only be asked by writing, so what was not there is removed again. Where n8n was stopped in
		 * between, `asked` is left behind, and nobody knows whether there was an answer.
		 */
		async lookUp(
			earlier: readonly ClaimedPayment[],
			untrue: readonly string[] = [],
		): Promise<Array<'sent' | 'open' | 'unclear'>> {
			// In this order: when the oldest entries are forgotten, no answer outlives its question.
			const entries = earlier.flatMap((each) => [answeredEntry(each), askedEntry(each)]);
			const before = entries.length > 0 ? await record(entries) : new Set<string>();
			await removeLeftovers([...untrue, ...entries.filter((entry) => !before.has(entry))]);
			return earlier.map((each) => {
				if (before.has(askedEntry(each))) return 'unclear';
				return before.has(answeredEntry(each)) ? 'sent' : 'open';
			});
		},

		/** Another one has it with other values than these, which are not on record. */
		untrueValues: (payment: ClaimedPayment): string => valuesEntry(payment),

		/** The service turned out to have a payment that no answer was on record for. */
		found(payment: ClaimedPayment): void {
			setLocal(local, [payment], 'answered');
			// Left behind by a look-up that was interrupted; with it, the answer would not count.
			local.leftovers.add(askedEntry(payment));
			local.leftovers.delete(answeredEntry(payment));
		},

		/** An answer turned out to prove nothing. */
		doubt(payment: ClaimedPayment): void {
			local.payments.delete(payment.key);
			local.leftovers.add(answeredEntry(payment));
		},

		/** Whether answers or released claims have waited long enough. */
		isDue: (what: 'answered' | 'released', when: 'due' | 'always') =>
			(when === 'always' || now() - lastWrite[what] >= WAIT_MS) && isAny(local, what),

		/** How long the slowest write took: each one puts back the whole list as it was read. */
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
