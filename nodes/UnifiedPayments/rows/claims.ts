import { NotSentError } from '../transport/errors';
import type { ProcessedKeys } from '../transport/processedKeys';
import type { ReadyRow } from './checkRows';
import type { Halt } from './pacer';
import { outcomeOfRow, type RowResult } from './result';

/** A payment that a run wants to send. */
export interface Wish {
	/** Names the payment. */
	key: string;
	/** What is sent for it, where that is no part of its name; null otherwise. */
	values: string | null;
	/** Whether to send it when an earlier run sent it and no answer is on record. */
	sendUnanswered: boolean;
}

/**
 * `mine`: it may be sent, by nobody else. `answered`: an earlier run sent it and has the answer;
 * `answeredOtherwise`: with other values. `unanswered`: an earlier run claimed it, and no answer is
 * on record. `unclear`: n8n was stopped while this was being looked up, so it is not on record
 * whether there was an answer. `underWay`: another run of this process is sending it.
 */
export type Claim =
	'mine' | 'answered' | 'answeredOtherwise' | 'unanswered' | 'unclear' | 'underWay';

/** What became of a claim that was `mine`. */
type End = 'answered' | 'released' | 'unanswered';

export interface Claims {
	claim(wishes: readonly Wish[]): Promise<Claim[]>;
	/** Says what became of a claim. It is written with the next claim, or with `flush`. */
	settle(key: string, end: End): void;
	/** Writes what was settled, when that is due or `always`. */
	flush(when?: 'due' | 'always'): Promise<void>;
	/** The same answers without claiming anything: for a dry run. */
	peek(wishes: readonly Wish[]): Promise<Claim[]>;
	/** Forgets the oldest payments beyond the limit, which a run never lowers. */
	trim(rows: number): Promise<void>;
}

/** Entries of a payment in the store. */
const claimed = ({ key }: { key: string }) => key;
const answered = ({ key }: { key: string }) => `${key} answered`;
const released = ({ key }: { key: string }) => `${key} released`;
const asked = ({ key }: { key: string }) => `${key} asked`;
const sent = ({ key, values }: Wish) => `${key} ${values}`;

/** How often a write is tried, and how long what was settled may wait for one. */
const TRIES = 3;
const WAIT_MS = 1000;

/** The least limit, and the most entries that one payment has. */
const LEAST_ENTRIES = 100_000;
const ENTRIES_A_ROW = 3;

/** Payments of a store that this process knows more about than the store does. */
interface Local {
	payments: Map<string, 'underWay' | 'answered' | 'released'>;
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
 * write costs the more the longer its list is. So what is sent only adds entries, with one write
 * for a chunk of rows: the claims of these rows, and what became of the ones before. Only a payment
 * that was claimed earlier is asked about, and what was recorded in asking is removed again. An
 * interruption leaves a claim without an answer, or, in the middle of a look-up, an unclear one:
 * never an answer that was not given, and never nothing for a payment that may have been sent.
 */
export function createClaims(store: ProcessedKeys, now: () => number = Date.now): Claims {
	const local = localOf(store.name);
	let lastWrite = now();
	let limit: number | undefined;

	const settled = () =>
		[...local.payments].flatMap(([key, state]) => {
			if (state === 'underWay') return [];
			return [{ key, entry: state === 'answered' ? answered({ key }) : released({ key }) }];
		});

	/** Records entries together with everything that was settled until now. */
	async function write(entries: readonly string[]): Promise<ReadonlySet<string>> {
		const ends = settled();
		if (entries.length + ends.length === 0) return new Set();
		const before = await store.record([...entries, ...ends.map(({ entry }) => entry)]);
		for (const { key } of ends) local.payments.delete(key);
		lastWrite = now();
		return before;
	}

	async function removeLeftovers(entries: readonly string[]): Promise<void> {
		for (const entry of entries) local.leftovers.add(entry);
		if (local.leftovers.size === 0) return;
		const gone = [...local.leftovers];
		await retried(async () => await store.remove(gone));
		for (const entry of gone) local.leftovers.delete(entry);
	}

	/** What is on record about payments that were claimed before; says it, and leaves no trace. */
	async function lookUp(
		known: readonly Wish[],
		/** Entries that are not true any more because of what is done now. */
		obsolete: (wish: Wish, state: State) => string[],
	): Promise<Map<Wish, State>> {
		if (known.length === 0) return new Map();
		const before = await store.record(known.flatMap((wish) => [asked(wish), answered(wish)]));
		const open = known.filter((wish) => !before.has(asked(wish)) && !before.has(answered(wish)));
		const ended = open.length > 0 ? await store.record(open.map(released)) : new Set<string>();
		const states = new Map<Wish, State>();
		for (const wish of known) {
			if (before.has(asked(wish))) states.set(wish, 'unclear');
			else if (before.has(answered(wish))) states.set(wish, 'answered');
			else states.set(wish, ended.has(released(wish)) ? 'released' : 'unanswered');
		}
		await removeLeftovers([
			...known.filter((wish) => states.get(wish) !== 'unclear').map(asked),
			...open.map(answered),
			...open.filter((wish) => !ended.has(released(wish))).map(released),
			...known.flatMap((wish) => obsolete(wish, states.get(wish)!)),
		]);
		return states;
	}

	/** Of those that this process itself knows about; the others are left to the store. */
	function locally({ key }: Wish): Claim | undefined {
		const state = local.payments.get(key);
		return state === 'released' ? 'mine' : state;
	}

	const mark = (wishes: readonly Wish[], state: 'underWay' | 'released') =>
		wishes.forEach(({ key }) => local.payments.set(key, state));

	/** Claims payments that this process knows nothing about. */
	async function claimFresh(wishes: readonly Wish[]): Promise<Map<Wish, Claim>> {
		const before = await write(wishes.flatMap(entriesOf));
		const earlier = wishes.filter((wish) => before.has(claimed(wish)));
		// They are claimed now, and not sent if the look-up of the others goes wrong.
		mark(
			wishes.filter((wish) => !before.has(claimed(wish))),
			'released',
		);
		const isOther = (wish: Wish) => wish.values !== null && !before.has(sent(wish));
		const states = await lookUp(earlier, (wish, state) => {
			if (isTaken(wish, state)) return state === 'released' ? [released(wish)] : [];
			return isOther(wish) ? [sent(wish)] : [];
		});
		const claims = new Map<Wish, Claim>();
		for (const wish of wishes) {
			const state = states.get(wish);
			const isMine = state === undefined || isTaken(wish, state);
			claims.set(wish, isMine ? 'mine' : claimOf(state, isOther(wish)));
			if (isMine && state === 'unanswered') local.sentBefore.add(wish.key);
		}
		mark(
			wishes.filter((wish) => claims.get(wish) === 'mine'),
			'underWay',
		);
		return claims;
	}

	return {
		async claim(wishes) {
			return await store.alone(async () => {
				await removeLeftovers([]);
				limit ??= limitFor(await store.count(), 0);
				const claims = new Map<Wish, Claim>();
				for (const wish of wishes) {
					const claim = locally(wish);
					if (claim) claims.set(wish, claim);
				}
				const takenBack = wishes.filter((wish) => claims.get(wish) === 'mine');
				// From here on they must not be written down as released.
				mark(takenBack, 'underWay');
				let isWritten = false;
				try {
					const fresh = wishes.filter((wish) => !claims.has(wish));
					for (const [wish, claim] of await claimFresh(fresh)) claims.set(wish, claim);
					isWritten = true;
				} finally {
					if (!isWritten) mark(takenBack, 'released');
				}
				return wishes.map((wish) => claims.get(wish)!);
			});
		},

		settle(key, end) {
			// A no to the second request says nothing about the first.
			const isOpen = end === 'unanswered' || (end === 'released' && local.sentBefore.has(key));
			local.sentBefore.delete(key);
			if (isOpen) local.payments.delete(key);
			else local.payments.set(key, end);
		},

		async flush(when = 'always') {
			if (settled().length === 0) return;
			if (when === 'due' && now() - lastWrite < WAIT_MS) return;
			await store.alone(async () => {
				if (settled().length > 0) await retried(async () => await write([]));
			});
		},

		async peek(wishes) {
			return await store.alone(async () => {
				await removeLeftovers([]);
				const claims = new Map<Wish, Claim>();
				for (const wish of wishes) {
					const claim = locally(wish);
					if (claim) claims.set(wish, claim);
				}
				const rest = wishes.filter((wish) => !claims.has(wish));
				if (rest.length === 0) return wishes.map((wish) => claims.get(wish)!);
				const before = await store.record(rest.flatMap(entriesOf));
				const isOther = (wish: Wish) => wish.values !== null && !before.has(sent(wish));
				const earlier = rest.filter((wish) => before.has(claimed(wish)));
				const unseen = rest.filter((wish) => !before.has(claimed(wish)));
				await removeLeftovers([...unseen.map(claimed), ...rest.filter(isOther).map(sent)]);
				const states = await lookUp(earlier, () => []);
				for (const wish of unseen) claims.set(wish, 'mine');
				for (const wish of earlier) {
					const state = states.get(wish)!;
					claims.set(wish, isTaken(wish, state) ? 'mine' : claimOf(state, isOther(wish)));
				}
				return wishes.map((wish) => claims.get(wish)!);
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

type State = 'answered' | 'unanswered' | 'released' | 'unclear';

const entriesOf = (wish: Wish): string[] =>
	wish.values === null ? [claimed(wish)] : [claimed(wish), sent(wish)];

const isTaken = ({ sendUnanswered }: Wish, state: State): boolean =>
	state === 'released' || (state === 'unanswered' && sendUnanswered);

const claimOf = (state: State, isOther: boolean): Claim => {
	if (state === 'answered') return isOther ? 'answeredOtherwise' : 'answered';
	return state === 'unclear' ? 'unclear' : 'unanswered';
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

/** Whether a row may be sent: by its claim; `free` when it needs none, or when nothing is sent. */
export type Permission = Claim | 'free' | { error: unknown };

const wishOf = ({ identity, options }: ReadyRow): Wish[] =>
	identity === null
		? []
		: [
				{
					key: identity.key,
					values: identity.values,
					sendUnanswered: options.onDuplicate === 'sendUnanswered',
				},
			];

/** Asks with `ask`; a row without a wish is free. */
async function permissions(
	wishes: ReadonlyArray<readonly Wish[]>,
	ask: (wishes: readonly Wish[]) => Promise<Claim[]>,
): Promise<Permission[]> {
	const wanted = wishes.flat();
	if (wanted.length === 0) return wishes.map(() => 'free');
	const claims = new Map((await ask(wanted)).map((claim, index) => [wanted[index], claim]));
	return wishes.map(([wish]) => (wish === undefined ? 'free' : claims.get(wish)!));
}

/** Writes down that these rows are about to be sent, so that no later run sends them again. */
export async function claimRows(
	claims: Claims,
	rows: readonly ReadyRow[],
	halt: Halt,
): Promise<Permission[]> {
	const wishes = rows.map((row) => (halt.reason(row.account) === null ? wishOf(row) : []));
	try {
		return await permissions(wishes, claims.claim);
	} catch (error) {
		const failed = { error: notRecorded(error as Error) };
		return wishes.map(([wish]) => (wish === undefined ? 'free' : failed));
	}
}

/** What earlier runs did with these rows, without claiming them. */
export const peekRows = async (claims: Claims, rows: readonly ReadyRow[]): Promise<Permission[]> =>
	await permissions(rows.map(wishOf), claims.peek);

/** Says what became of a row that was claimed. */
export function settleRow(
	claims: Claims,
	{ identity }: ReadyRow,
	permission: Permission,
	result: RowResult,
): void {
	if (identity === null || permission !== 'mine') return;
	const outcome = outcomeOfRow(result);
	if (outcome === 'accepted') claims.settle(identity.key, 'answered');
	else claims.settle(identity.key, outcome === 'unknown' ? 'unanswered' : 'released');
}

const notRecorded = ({ message }: Error) =>
	new NotSentError(
		`Not sent, because the row could not be recorded as being sent: ${message}`,
		"Without that record it could be sent twice. Check n8n's database, and that the workflow is saved.",
	);
