import type { LoggedRequest, Verdict } from '../model.mts';
import type { Evidence } from '../protocol/verify.mts';

interface RequestOutcome extends Omit<LoggedRequest, 'id' | 'verdict'> {
	evidence: Evidence | null;
}

const KEPT_CHARACTERS = 64 * 1024;

interface Entry {
	request: LoggedRequest;
	/** Null once the verdict has been derived. */
	evidence: Evidence | null;
}

/** Keeps the newest requests in a ring, so that the log does not grow during a benchmark. */
export class RequestLog {
	private readonly ring: Entry[] = [];
	private next = 0;
	private count = 0;

	constructor(
		private readonly limit: number,
		private readonly verdictFrom: (evidence: Evidence) => Verdict,
	) {}

	add(outcome: RequestOutcome): void {
		const entry: Entry = {
			request: {
				id: ++this.count,
				at: outcome.at,
				method: outcome.method,
				path: outcome.path,
				status: outcome.status,
				durationMs: outcome.durationMs,
				integration: outcome.integration,
				verdict: null,
				message: outcome.message,
				order: outcome.order,
				fault: outcome.fault,
			},
			evidence: outcome.evidence,
		};
		// A verdict is short, so it is derived at once when its evidence is long: the text need not be kept.
		if ((outcome.evidence?.received.params?.length ?? 0) > KEPT_CHARACTERS) this.withVerdict(entry);
		if (this.limit > 0) {
			this.ring[this.next] = entry;
			this.next = (this.next + 1) % this.limit;
		}
	}

	/** Newest first. */
	list(): LoggedRequest[] {
		return [...this.ring.slice(this.next), ...this.ring.slice(0, this.next)]
			.reverse()
			.map((entry) => this.withVerdict(entry));
	}

	get total(): number {
		return this.count;
	}

	clear(): void {
		this.ring.length = 0;
		this.next = 0;
		this.count = 0;
	}

	/** Derives the verdict when somebody first looks at it, and keeps it. */
	private withVerdict(entry: Entry): LoggedRequest {
		if (entry.evidence !== null) {
			entry.request.verdict = this.verdictFrom(entry.evidence);
			entry.evidence = null;
		}
		return entry.request;
	}
}
