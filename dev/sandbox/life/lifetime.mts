/**
 * Everything that is under way between two resets. Ending it ends all pauses and calls, so that
 * nothing of the old state arrives in the new one. It does not use one AbortSignal for all, because a
 * signal walks its list of listeners on every add, and thousands can wait at the same time.
 */
export class Lifetime {
	private readonly pauses = new Map<NodeJS.Timeout, (elapsed: boolean) => void>();
	private readonly calls = new Set<AbortController>();
	private over = false;

	get ended(): boolean {
		return this.over;
	}

	/** Calls `done` with true when the time has passed, or with false when the lifetime ended before. */
	after(ms: number, done: (elapsed: boolean) => void): void {
		if (this.over) return done(false);
		const timer = setTimeout(() => {
			this.pauses.delete(timer);
			done(true);
		}, ms);
		this.pauses.set(timer, done);
	}

	pause(ms: number): Promise<boolean> {
		return new Promise((done) => this.after(ms, done));
	}

	/** Runs a call with a signal that the end of the lifetime aborts. */
	async call<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> {
		const controller = new AbortController();
		if (this.over) controller.abort();
		this.calls.add(controller);
		try {
			return await run(controller.signal);
		} finally {
			this.calls.delete(controller);
		}
	}

	end(): void {
		this.over = true;
		for (const [timer, done] of this.pauses) {
			clearTimeout(timer);
			done(false);
		}
		for (const controller of this.calls) controller.abort();
		this.pauses.clear();
		this.calls.clear();
	}
}
