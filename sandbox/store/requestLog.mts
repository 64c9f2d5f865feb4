import type { LoggedRequest, Verdict } from '../model.mts';
import type { Evidence } from '../protocol/verify.mts';
import type { Events } from './events.mts';

export interface RequestOutcome extends Omit<LoggedRequest, 'id' | 'verdict'> {
	evidence: Evidence | null;
}

const KEPT_CHARACTERS = 64 * 1024;

/** The newest requests in a ring: the log must not grow with a benchmark. */
export class RequestLog {
	private readonly ring: (() => LoggedRequest)[] = [];
	private next = 0;
	private count = 0;

	constructor(
		private readonly limit: number,
		private readonly events: Events,
		private readonly judge: (evidence: Evidence) => Verdict,
	) {}

	add({ evidence, ...outcome }: RequestOutcome): void {
		const id = ++this.count;
		// Derived when first looked at, then kept.
		let entry: LoggedRequest | undefined;
		const look = () => {
			entry ??= { id, ...outcome, verdict: evidence === null ? null : this.judge(evidence) };
			evidence = null;
			return entry;
		};
		if (this.limit > 0) {
			this.ring[this.next] = look;
			this.next = (this.next + 1) % this.limit;
		}
		// A verdict on a long text is short: better derived at once than kept waiting beside the text.
		if ((evidence?.received.params?.length ?? 0) > KEPT_CHARACTERS) look();
		this.events.emit('request', look);
	}

	/** Newest first. */
	list(): LoggedRequest[] {
		return [...this.ring.slice(this.next), ...this.ring.slice(0, this.next)]
			.reverse()
			.map((look) => look());
	}

	get total(): number {
		return this.count;
	}

	clear(): void {
		this.ring.length = 0;
		this.next = 0;
		this.count = 0;
	}
}
