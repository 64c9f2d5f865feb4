import type { LoggedRequest, Verdict } from '../model.mts';
import type { Evidence } from '../protocol/verify.mts';
import type { Events } from './events.mts';

export interface RequestOutcome extends Omit<LoggedRequest, 'id' | 'verdict'> {
	evidence: Evidence | null;
}

const KEPT_CHARACTERS = 64 * 1024;

interface Entry {
	request: LoggedRequest;
	/** Null once the verdict has been derived. */
	evidence: Evidence | null;
}

/** The newest requests in a ring: the log must not grow with a benchmark. */
export class RequestLog {
	private readonly ring: Entry[] = [];
	private next = 0;
	private count = 0;

	constructor(
		private readonly limit: number,
		private readonly events: Events,
		private readonly judge: (evidence: Evidence) => Verdict,
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
				fault: outcome.fault,
			},
			evidence: outcome.evidence,
		};
		// A verdict on a long text is short: better derived at once than kept waiting beside the text.
		if ((outcome.evidence?.received.params?.length ?? 0) > KEPT_CHARACTERS) this.look(entry);
		if (this.limit > 0) {
			this.ring[this.next] = entry;
			this.next = (this.next + 1) % this.limit;
		}
		if (this.events.watched) this.events.emit('request', this.look(entry));
	}

	/** Newest first. */
	list(): LoggedRequest[] {
		return [...this.ring.slice(this.next), ...this.ring.slice(0, this.next)]
			.reverse()
			.map((entry) => this.look(entry));
	}

	get total(): number {
		return this.count;
	}

	clear(): void {
		this.ring.length = 0;
		this.next = 0;
		this.count = 0;
	}

	/** Derives the verdict when it is first looked at, and keeps it. */
	private look(entry: Entry): LoggedRequest {
		if (entry.evidence !== null) {
			entry.request.verdict = this.judge(entry.evidence);
			entry.evidence = null;
		}
		return entry.request;
	}
}
