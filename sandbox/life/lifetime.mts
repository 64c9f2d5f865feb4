/**
 * Everything that is under way between two resets. Ending it cuts pauses and calls short, so that
 * nothing of an old state arrives in a new one. A set per lifetime rather than one AbortSignal for
 * all: a signal walks its whole list of listeners on every add, and thousands wait at once.
 */
export class Lifetime {
	private readonly cuts = new Set<() => void>();
	private over = false;

	get ended(): boolean {
		return this.over;
	}

	/** True when the time has passed, false when the lifetime ended before. */
	pause(ms: number): Promise<boolean> {
		if (this.over) return Promise.resolve(false);
		return new Promise((done) => {
			const cut = () => {
				clearTimeout(timer);
				done(false);
			};
			const timer = setTimeout(() => {
				this.cuts.delete(cut);
				done(true);
			}, ms);
			this.cuts.add(cut);
		});
	}

	/** Runs a call with a signal that the end of the lifetime aborts. */
	async call<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> {
		const controller = new AbortController();
		const cut = () => controller.abort();
		if (this.over) cut();
		this.cuts.add(cut);
		try {
			return await run(controller.signal);
		} finally {
			this.cuts.delete(cut);
		}
	}

	end(): void {
		this.over = true;
		for (const cut of this.cuts) cut();
		this.cuts.clear();
	}
}
