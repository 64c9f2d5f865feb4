import type { RowNames } from './rowNames';
import { failed, type RowResult } from './result';

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
	/** A reason for all rows, or for those of one account. */
	because(reason: string, account?: object): void;
	/** What happened to one row can be a reason not to send the next. */
	after(row: number, result: RowResult): void;
	/** For a row of this account. */
	reason(account: object): string | null;
}

export function createHalt(stopOnError: boolean, cancelled: () => boolean, names: RowNames): Halt {
	let forAll: string | null = null;
	const forAccount = new Map<object, string>();
	return {
		because(reason, account) {
			if (account === undefined) forAll ??= reason;
			else forAccount.set(account, reason);
		},
		after(row, result) {
			const isToBlame = failed(result) && !result.dryRun;
			if (stopOnError && isToBlame) forAll ??= `of what happened to ${names.name(row)}`;
		},
		reason(account) {
			if (cancelled()) forAll ??= 'the execution was cancelled';
			return forAll ?? forAccount.get(account) ?? null;
		},
	};
}
