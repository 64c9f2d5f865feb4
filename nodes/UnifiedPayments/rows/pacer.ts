/** Spaces out sends: at most so many a second, and none while the service asked for a pause. */
export interface Pacer {
	/** Resolves when the next request may leave. */
	turn(): Promise<void>;
	pause(ms: number): void;
}

export interface Clock {
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
			// Looked at anew after each sleep: a pause may have been asked for meanwhile. Then a later
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
