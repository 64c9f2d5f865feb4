interface Entry<T> {
	value: Promise<T>;
	until: number;
}

/** Keeps for a while what is costly to read. Requests at the same moment share one read. */
export class ExpiringCache<T> {
	private readonly entries = new Map<string, Entry<T>>();

	constructor(
		private readonly keepMs: number,
		private readonly now: () => number,
	) {}

	/** `isFresh`: it was read for this caller, not before. */
	async get(key: string, read: () => Promise<T>): Promise<{ value: T; isFresh: boolean }> {
		const entry = this.entries.get(key);
		if (entry !== undefined && this.now() < entry.until) {
			return { value: await entry.value, isFresh: false };
		}
		return { value: await this.renew(key, read), isFresh: true };
	}

	/** Reads it now, and keeps it unless that fails. */
	async renew(key: string, read: () => Promise<T>): Promise<T> {
		const began = this.now();
		for (const [other, { until }] of this.entries) {
			if (began >= until) this.entries.delete(other);
		}
		const entry = { value: read(), until: began + this.keepMs };
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
