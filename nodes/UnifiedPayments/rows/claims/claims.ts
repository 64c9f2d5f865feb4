import { randomUUID } from 'node:crypto';

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

/** What became of a claim that was `mine`. */
type End = 'answered' | 'released' | 'unanswered';

export interface Claims {
	claim(wishes: readonly ClaimRequest[]): Promise<Claim[]>;
	/** Whether others may have sent what this run wants to send, without leaving a record. */
	stoodStill(): boolean;
	/** Says what became of a claim. It is written with a later claim, or with `flush`. */
	settle(key: string, end: End): void;
	/** The service turned out to have a payment that no answer was on record for. */
	found(key: string): void;
	/** Writes what was settled, when that is due or `always`. */
	flush(when?: 'due' | 'always'): Promise<void>;
	/** The same answers without claiming anything: for a dry run. */
	peek(wishes: readonly ClaimRequest[]): Promise<Claim[]>;
	/** Forgets the oldest payments beyond the limit, which a run never lowers. */
	trim(rows: number): Promise<void>;
}

/** Entries of a payment in the store. */
const claimed = ({ key }: { key: string }) => key;
const sent = ({ key, values }: ClaimRequest) => `${key} ${values}`;
const answered = ({ key }: { key: string }) => `${key} answered`;
const asked = ({ key }: { key: string }) => `${key} asked`;

/** How often a claim that other workers overwrote is written again. */
const LOOKS = 8;

/** How long a write may take where nobody said how long claims rest. */
const WRITE_MS = 10_000;

/** How often a write is tried, and how long what was settled may wait for one. */
const TRIES = 3;
const WAIT_MS = 1000;

/** The least limit, and the most entries that one payment has. */
const LEAST_ENTRIES = 100_000;
const ENTRIES_A_ROW = 3;

/** A payment that this process claimed, until the store says the same about it. */
interface Known {
	state: 'underWay' | 'answered' | 'released';
	/** Those of its claim. */
	entries: readonly string[];
}

interface Local {
	payments: Map<string, Known>;
	/** Those under way that were sent before, without an answer. */
	sentBefore: Set<string>;
	/** Entries that a look-up left behind, because they could not be removed. */
	leftovers: Set<string>;
}

const processWide = new Map<string, Local>();

function localOf(name: string): Local {
	const local = processWide.get(name) ?? {
		payments: new Map(),
		sentBefore: new Set(),
		leftovers: new Set(),
	};
	processWide.set(name, local);
	return local;
}

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
	/** Lets a claim rest before it is looked at again; null where one process does all the work. */
	rest: Rest | null = null,
	/** A write that takes longer is not relied on. */
	writeMs = WRITE_MS,
): Claims {
	const local = localOf(store.name);
	/** Whether this process stood still between reading the list and writing it back. */
	let stoodStill = false;
	let lastWrite = now();
	let lastRemoval = now();
	let limit: number | undefined;

	const keysThatAre = (state: Known['state']) =>
		[...local.payments].flatMap(([key, known]) => (known.state === state ? [key] : []));

	/** Asked for every row, so without a list of its own. */
	function isAny(state: Known['state']): boolean {
		for (const known of local.payments.values()) if (known.state === state) return true;
		return false;
	}

	/** What is written before a claim is watched: each write puts back the whole list as it was read. */
	async function watched<T>(work: () => Promise<T>): Promise<T> {
		const began = now();
		try {
			return await work();
		} finally {
			stoodStill ||= now() - began > writeMs;
		}
	}
	const recordIn = async (entries: readonly string[]) =>
		await watched(async () => await store.record(entries));

	/** Records entries together with all answers until now. */
	async function write(entries: readonly string[]): Promise<ReadonlySet<string>> {
		const ended = keysThatAre('answered');
		if (entries.length + ended.length === 0) return new Set();
		const before = await recordIn([...entries, ...ended.map((key) => answered({ key }))]);
		for (const key of ended) local.payments.delete(key);
		lastWrite = now();
		return before;
	}

	/** Removes what is not true any more: claims that were released, and what look-ups left behind. */
	async function remove(): Promise<void> {
		const released = keysThatAre('released');
		const claims = released.flatMap((key) => local.payments.get(key)!.entries);
		const gone = [...local.leftovers, ...claims];
		if (gone.length === 0) return;
		await retried(async () => await watched(async () => await store.remove(gone)));
		for (const entry of gone) local.leftovers.delete(entry);
		for (const key of released) local.payments.delete(key);
		lastRemoval = now();
	}

	async function removeLeftovers(entries: readonly string[]): Promise<void> {
		for (const entry of entries) local.leftovers.add(entry);
		if (local.leftovers.size > 0) await remove();
	}

	/** What is on record about payments that were claimed before; says it, and leaves no trace. */
	async function lookUp(
		known: readonly ClaimRequest[],
		/** Entries that are not true, because of what is done now. */
		untrue: (wish: ClaimRequest, state: State) => string[],
	): Promise<Map<ClaimRequest, State>> {
		if (known.length === 0) return new Map();
		// In this order: when the oldest entries are forgotten, no answer outlives its question.
		const before = await recordIn(known.flatMap((wish) => [answered(wish), asked(wish)]));
		const states = new Map<ClaimRequest, State>();
		for (const wish of known) {
			if (before.has(asked(wish))) states.set(wish, 'unclear');
			else states.set(wish, before.has(answered(wish)) ? 'answered' : 'unanswered');
		}
		await removeLeftovers([
			...known.flatMap((wish) => [answered(wish), asked(wish)]).filter((each) => !before.has(each)),
			...known.flatMap((wish) => untrue(wish, states.get(wish)!)),
		]);
		return states;
	}

	/** Of those that this process itself knows about; the others are left to the store. */
	function locally({ key }: ClaimRequest): Claim | undefined {
		const state = local.payments.get(key)?.state;
		return state === 'released' ? 'mine' : state;
	}

	const markAs = (wishes: readonly ClaimRequest[], state: Known['state']) =>
		wishes.forEach((wish) => local.payments.set(wish.key, { state, entries: entriesOf(wish) }));

	/** Writes claims of payments that this process knows nothing about. */
	async function take(wishes: readonly ClaimRequest[]): Promise<Taken> {
		const mark = rest === null ? [] : [`${randomUUID()} settles`];
		const before = await write([...wishes.flatMap(entriesOf), ...(wishes.length > 0 ? mark : [])]);
		const first = wishes.filter((wish) => !before.has(claimed(wish)));
		markAs(first, 'underWay');
		return { wishes, first, before: new Set(before), mark };
	}

	/**
	 * The store is read and written as a whole, so another worker that read it before our write can
	 * undo that without either knowing. After a rest that is longer than its reading and writing, we
	 * look whether ours is there. What was undone is written again by that look, and rests again.
	 */
	async function letSettle(taken: Taken, rest: Rest): Promise<void> {
		for (let looks = 0; taken.first.length > 0; looks++) {
			if (looks === LOOKS) throw new Error('other workers wrote over it again and again');
			await rest(looks);
			const entries = [...taken.first.flatMap(entriesOf), ...taken.mark];
			const there = await store.alone(async () => await recordIn(entries));
			if (entries.every((entry) => there.has(entry))) return;
			// The mark was written together with the claims: without it, they are not ours.
			if (taken.mark.every((entry) => there.has(entry))) continue;
			const theirs = taken.first.filter((wish) => there.has(claimed(wish)));
			taken.first = taken.first.filter((wish) => !theirs.includes(wish));
			for (const wish of theirs) {
				local.payments.delete(wish.key);
				for (const entry of entriesOf(wish)) if (there.has(entry)) taken.before.add(entry);
			}
		}
	}

	/** Says whose these payments are, and how it stands with those that were claimed earlier. */
	async function judge({ wishes, first, before }: Taken): Promise<Map<ClaimRequest, Claim>> {
		const isOther = (wish: ClaimRequest) => wish.values !== null && !before.has(sent(wish));
		const claims = new Map<ClaimRequest, Claim>();
		const earlier = wishes.filter((wish) => !first.includes(wish));
		for (const wish of earlier) {
			// Another run of this process may have taken it while this one rested.
			const since = locally(wish);
			if (since !== undefined) claims.set(wish, since === 'mine' ? 'underWay' : since);
		}
		const states = await lookUp(
			earlier.filter((wish) => !claims.has(wish)),
			(wish, state) => (isOther(wish) && !isTaken(wish, state) ? [sent(wish)] : []),
		);
		for (const wish of wishes) {
			if (claims.has(wish)) continue;
			const state = states.get(wish);
			const isMine = state === undefined || isTaken(wish, state);
			claims.set(wish, isMine ? 'mine' : claimOf(state, isOther(wish)));
			if (isMine && state === 'unanswered') local.sentBefore.add(wish.key);
		}
		markAs(
			wishes.filter((wish) => claims.get(wish) === 'mine'),
			'underWay',
		);
		return claims;
	}

	/** None of them is sent by this run. */
	function giveUp(wishes: readonly ClaimRequest[]): void {
		if (stoodStill) for (const { key } of wishes) local.payments.delete(key);
		else markAs(wishes, 'released');
	}

	/** When it cannot be said whose they are, none of them is sent. */
	async function orRelease<T>({ first }: Taken, work: Promise<T>): Promise<T> {
		let isDone = false;
		try {
			const result = await work;
			isDone = true;
			return result;
		} finally {
			if (!isDone) giveUp(first);
		}
	}

	/**
	 * Who stands still writes an old list back: what others claimed meanwhile is gone, and may have
	 * been sent. So this run claims no more to send, and its claims stay, also those of the rows to come.
	 */
	function relyOn(claim: Claim, wish: ClaimRequest): Claim {
		if (!stoodStill || claim !== 'mine') return claim;
		giveUp([wish]);
		return 'doubtful';
	}

	return {
		stoodStill: () => stoodStill,

		async claim(wishes) {
			let known = new Map<ClaimRequest, Claim | undefined>();
			const begin = async () => {
				await removeLeftovers([]);
				// What is free again is claimed anew, with what is sent for it now.
				while (wishes.some((wish) => locally(wish) === 'mine')) await remove();
				limit ??= limitFor(await store.count(), 0);
				known = new Map(wishes.map((wish) => [wish, locally(wish)]));
				return await take(wishes.filter((wish) => known.get(wish) === undefined));
			};
			const end = async (taken: Taken) => await orRelease(taken, judge(taken));
			let fresh: Map<ClaimRequest, Claim>;
			if (rest === null) fresh = await store.alone(async () => await end(await begin()));
			else {
				const taken = await store.alone(begin);
				// Others of this process may claim meanwhile.
				await orRelease(taken, letSettle(taken, rest));
				fresh = await store.alone(async () => await end(taken));
			}
			return wishes.map((wish) => known.get(wish) ?? relyOn(fresh.get(wish)!, wish));
		},

		settle(key, end) {
			// A no to the second request says nothing about the first.
			const isOpen = end === 'unanswered' || (end === 'released' && local.sentBefore.has(key));
			local.sentBefore.delete(key);
			const claim = local.payments.get(key);
			if (claim === undefined) return;
			if (isOpen) local.payments.delete(key);
			else local.payments.set(key, { state: end, entries: claim.entries });
		},

		found(key) {
			local.payments.set(key, { state: 'answered', entries: [] });
			// Left behind by a look-up that was interrupted; with it, the answer would not count.
			local.leftovers.add(asked({ key }));
		},

		async flush(when = 'always') {
			const isDue = (state: Known['state'], last: number) =>
				(when === 'always' || now() - last >= WAIT_MS) && isAny(state);
			if (!isDue('answered', lastWrite) && !isDue('released', lastRemoval)) return;
			await store.alone(async () => {
				if (isDue('answered', lastWrite)) await retried(async () => await write([]));
				if (isDue('released', lastRemoval)) await remove();
			});
		},

		async peek(wishes) {
			return await store.alone(async () => {
				await removeLeftovers([]);
				const known = new Map(wishes.map((wish) => [wish, locally(wish)]));
				const rest = wishes.filter((wish) => known.get(wish) === undefined);
				if (rest.length === 0) return wishes.map((wish) => known.get(wish)!);
				const before = await recordIn(rest.flatMap(entriesOf));
				const isOther = (wish: ClaimRequest) => wish.values !== null && !before.has(sent(wish));
				const earlier = rest.filter((wish) => before.has(claimed(wish)));
				const unseen = rest.filter((wish) => !before.has(claimed(wish)));
				await removeLeftovers([...unseen.map(claimed), ...rest.filter(isOther).map(sent)]);
				const states = await lookUp(earlier, () => []);
				const fromStore = (wish: ClaimRequest): Claim => {
					const state = states.get(wish);
					if (state === undefined || isTaken(wish, state)) return 'mine';
					return claimOf(state, isOther(wish));
				};
				return wishes.map((wish) => known.get(wish) ?? fromStore(wish));
			});
		},

		async trim(rows) {
			const most = limitFor(limit ?? 0, rows);
			await store.alone(async () => {
				if ((await store.count()) > most) await store.trim(most);
			});
		},
	};
}

type State = 'answered' | 'unanswered' | 'unclear';

/** It is told how often the claim was looked at before. */
type Rest = (looks: number) => Promise<void>;

/** Payments of which a claim was written. */
interface Taken {
	wishes: readonly ClaimRequest[];
	/** Those that nobody had claimed before. */
	first: ClaimRequest[];
	/** What was there before. */
	before: Set<string>;
	/** Tells this very write from that of another worker, where that matters. */
	mark: readonly string[];
}

const entriesOf = (wish: ClaimRequest): string[] =>
	wish.values === null ? [claimed(wish)] : [claimed(wish), sent(wish)];

const isTaken = ({ sendUnanswered }: ClaimRequest, state: State): boolean =>
	state === 'unanswered' && sendUnanswered;

const claimOf = (state: State, isOther: boolean): Claim => {
	if (state === 'answered') return isOther ? 'answeredWithOtherValues' : 'answered';
	if (state === 'unclear') return 'unclear';
	return isOther ? 'unansweredWithOtherValues' : 'unanswered';
};

/** Doubled until it holds what there is and this run, so that no later run makes it smaller. */
function limitFor(entries: number, rows: number): number {
	let limit = LEAST_ENTRIES;
	while (limit < entries || limit < ENTRIES_A_ROW * rows) limit *= 2;
	return limit;
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
