interface Entry<T> {
	value: Promise<T>;
	began: number;
}

/**
 * Keeps for a while what is costly to read. Requests at the same moment share one read, and no more
 * than one read begins in `gapMs`, however many ask for a new one.
 */
export class ExpiringCache<T> {
	private readonly entries = new Map<string, Entry<T>>();

	/** Reads that will begin when the gap is over. */
	private readonly upcoming = new Map<string, Promise<T>>();

	constructor(
		private readonly times: { keepMs: number; gapMs: number },
		private readonly now: () => number,
		private readonly sleep: (ms: number) => Promise<void>,
	) {}

	/** `isFresh`: it was read for this caller, not before. */
	async get(key: string, read: () => Promise<T>): Promise<{ value: T; isFresh: boolean }> {
		const entry = this.entries.get(key);
		if (entry !== undefined && this.now() < entry.began + this.times.keepMs) {
			return { value: await entry.value, isFresh: false };
		}
		return { value: await this.begin(key, read), isFresh: true };
	}

	/** What is read from now on: a read that has begun before may not know the latest. */
	async renew(key: string, read: () => Promise<T>): Promise<T> {
		const shared = this.upcoming.get(key);
		if (shared !== undefined) return await shared;
		const { began = -Infinity } = this.entries.get(key) ?? {};
		const wait = began + this.times.gapMs - this.now();
		if (wait <= 0) return await this.begin(key, read);
		const next = this.sleep(wait).then(async () => {
			this.upcoming.delete(key);
			return await this.begin(key, read);
		});
		this.upcoming.set(key, next);
		return await next;
	}

	/** Reads it now, and keeps it unless that fails. */
	private async begin(key: string, read: () => Promise<T>): Promise<T> {
		const began = this.now();
		for (const [other, entry] of this.entries) {
			if (began >= entry.began + this.times.keepMs) this.entries.delete(other);
		}
		const entry = { value: read(), began };
		this.entries.set(key, entry);
		try {
			return await entry.value;
		} finally {
			await entry.value.catch(() => this.drop(key, entry));
		}
	}

	private drop(key: string, entry: Entry<T>): void {
		if (this.entries.get(key) === entry) this.entries.delete(key);
	}
}
