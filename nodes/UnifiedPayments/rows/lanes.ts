import { failed, type Row, type RowResult } from './row';

interface Lanes<Each> {
	rows: readonly Each[];
	/** The most rows under way at the same time. */
	lanes: number;
	/** The most rows that are claimed and not yet sent; two for each lane unless told. */
	ahead?: () => number | undefined;
	/** Called for a few rows before the first of them is sent. */
	claim(rows: readonly Each[]): Promise<void>;
	/** Called before a row is sent; it may wait. */
	turn(row: Each): Promise<void>;
	send(row: Each): Promise<void>;
}

/**
 * Rows that are claimed and not yet sent are in doubt after a crash, so there are no more of them
 * than two for each lane, unless a claim takes long. Each claim is a write of the whole list of claims, so it is for as
 * many rows as that allows.
 */
const AHEAD = 2;
/** Claimed again when this part of them is left, so that no lane has to wait. */
const LOW = 0.25;

/** Sends rows in lanes, in their order. */
export async function runInLanes<Each>(run: Lanes<Each>): Promise<void> {
	const { rows, lanes } = run;
	/** Asked each time: whether claims take long may turn out with the first of them. */
	const ahead = () => run.ahead?.() ?? AHEAD * lanes;
	const claimed: Each[] = [];
	/** Rows that a lane has taken, and that wait for their turn. */
	let waiting = 0;
	let next = 0;
	let claiming: Promise<void> | undefined;

	async function claimMore(): Promise<void> {
		const chunk = rows.slice(next, next + ahead() - claimed.length - waiting);
		next += chunk.length;
		await run.claim(chunk);
		claimed.push(...chunk);
		claiming = undefined;
	}
	const refill = async () => await (claiming ??= claimMore());

	async function lane(): Promise<void> {
		for (;;) {
			const row = claimed.shift();
			if (row === undefined) {
				if (claiming === undefined && next === rows.length) return;
				await refill();
				continue;
			}
			waiting++;
			await run.turn(row);
			waiting--;
			const sending = run.send(row);
			if (claimed.length + waiting <= LOW * ahead() && next < rows.length) void refill();
			await sending;
		}
	}
	await Promise.all(Array.from({ length: Math.min(lanes, rows.length) }, lane));
}

/** Spaces out sends: at most so many a second, and none while the service asked for a pause. */
export interface Pacer {
	/** Resolves when the next request may leave. */
	turn(): Promise<void>;
	pause(ms: number): void;
}

interface Clock {
	now(): number;
	sleep(ms: number): Promise<void>;
}

export function createPacer(requestsPerSecond: number, clock: Clock): Pacer {
	const gapMs = requestsPerSecond > 0 ? 1000 / requestsPerSecond : 0;
	let nextTurn = 0;
	let pausedUntil = 0;
	const book = () => {
		const mine = Math.max(clock.now(), nextTurn, pausedUntil);
		nextTurn = mine + gapMs;
		return mine;
	};
	return {
		async turn() {
			let mine = book();
			// Looked at again after each sleep: a pause may have been asked for meanwhile. Then a later
			// turn is booked, so that a pause does not end with all of them at once.
			for (;;) {
				if (mine < pausedUntil) mine = book();
				const wait = mine - clock.now();
				if (wait <= 0) return;
				await clock.sleep(wait);
			}
		},
		pause(ms) {
			pausedUntil = Math.max(pausedUntil, clock.now() + ms);
		},
	};
}

/** Why a row may not be sent any more, once there is a reason. */
export interface Halt {
	/** A reason for all rows of one account. */
	because(reason: string, account: object): void;
	/** What happened to one row can be a reason not to send the next. */
	after(row: Pick<Row, 'name'>, result: RowResult | null): void;
	/** For a row of this account. */
	reason(account: object): string | null;
}

export function createHalt(stopOnError: boolean, signal: AbortSignal): Halt {
	let forAll: string | null = null;
	const forAccount = new Map<object, string>();
	return {
		because: (reason, account) => void forAccount.set(account, reason),
		after(row, result) {
			const isToBlame = result !== null && failed(result) && !result.dryRun;
			if (stopOnError && isToBlame) forAll ??= `of what happened to ${row.name}`;
		},
		reason(account) {
			if (signal.aborted) forAll ??= 'the execution was cancelled';
			return forAll ?? forAccount.get(account) ?? null;
		},
	};
}
