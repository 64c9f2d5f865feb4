import { readReply, type Reply } from '../protocol/reply';
import type { Answered, Attempt } from './attempt';

/** Why a request did not do what was asked. Each kind has one explanation for users. */
export type FailureKind =
	| 'notConnected'
	| 'noReply'
	| 'rateLimited'
	| 'serverFault'
	| 'refused'
	| 'notAuthorized'
	| 'unclearRefusal'
	| 'redirected'
	| 'invalidReply'
	| 'mismatch';

export interface Failure {
	kind: FailureKind;
	/** HTTP status, when there was a reply. */
	status: number | null;
	/** The service's own words, when it said any. */
	serviceMessage: string | null;
	/** Technical name of a network cause, or the field that did not match. */
	code: string | null;
	/** True when the service itself said `success: false`. */
	saidNo: boolean;
	/** How long the service asked us to wait. */
	retryAfterMs: number | null;
}

export type Verdict = { ok: true; status: number; reply: Reply } | { ok: false; failure: Failure };

const LONGEST_WAIT_MS = 60_000;

/** What one attempt means, for reads and creates alike. */
export function verdictOf(attempt: Attempt, nowMs: number): Verdict {
	if (attempt.kind === 'unanswered') {
		return failedVerdict(attempt.sent === 'no' ? 'notConnected' : 'noReply', {
			code: attempt.code,
		});
	}
	const { status } = attempt;
	const reply = readReply(attempt.body);
	const details = { status, serviceMessage: reply.message, saidNo: reply.success === false };

	if (status === 429) {
		return failedVerdict('rateLimited', { ...details, retryAfterMs: retryAfter(attempt, nowMs) });
	}
	if (status >= 500) return failedVerdict('serverFault', details);
	if (status === 401 || status === 403) return failedVerdict('notAuthorized', details);
	// Only the service's own "no" is one; a page of some gateway says nothing about the request.
	if (status >= 400)
		return failedVerdict(reply.success === false ? 'refused' : 'invalidReply', details);
	// Written so that a status that is no number is no success either.
	if (!(status >= 200 && status < 300)) return failedVerdict('redirected', details);
	if (reply.success === null) return failedVerdict('invalidReply', details);
	if (!reply.success) return failedVerdict('refused', details);
	return { ok: true, status, reply };
}

export const failureOf = (kind: FailureKind, known: Partial<Failure> = {}): Failure => ({
	kind,
	status: null,
	serviceMessage: null,
	code: null,
	saidNo: false,
	retryAfterMs: null,
	...known,
});

export const failedVerdict = (kind: FailureKind, known: Partial<Failure>): Verdict => ({
	ok: false,
	failure: failureOf(kind, known),
});

/** `Retry-After` as seconds or as a date, never more than a minute; null when absent or unreadable. */
function retryAfter({ headers }: Answered, nowMs: number): number | null {
	const value = headers['retry-after'];
	if (typeof value !== 'string') return null;
	const wait = /^\d+$/.test(value) ? Number(value) * 1000 : httpDate(value) - nowMs;
	return Number.isNaN(wait) ? null : Math.min(Math.max(wait, 0), LONGEST_WAIT_MS);
}

/** Always in GMT. `Date.parse` alone would also see a date in "in 5 minutes". */
const httpDate = (text: string): number => (text.endsWith(' GMT') ? Date.parse(text) : NaN);
