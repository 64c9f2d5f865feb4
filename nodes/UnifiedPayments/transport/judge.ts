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
	| 'redirected'
	| 'unreadable'
	| 'mismatch';

export interface Failure {
	kind: FailureKind;
	/** HTTP status, when there was a reply. */
	status: number | null;
	/** The service's own words, when it said any. */
	serviceMessage: string | null;
	/** Technical name of a network cause, or the field that did not match. */
	code: string | null;
	/** How long the service asked us to wait. */
	retryAfterMs: number | null;
}

export type Verdict = { ok: true; status: number; reply: Reply } | { ok: false; failure: Failure };

const LONGEST_WAIT_MS = 60_000;

/** What one attempt means, for reads and creates alike. */
export function judge(attempt: Attempt, nowMs: number): Verdict {
	if (attempt.kind === 'unanswered') {
		return fail(attempt.sent === 'no' ? 'notConnected' : 'noReply', { code: attempt.code });
	}
	const { status } = attempt;
	const reply = readReply(attempt.body);
	const details = { status, serviceMessage: reply.message };

	if (status === 429) {
		return fail('rateLimited', { ...details, retryAfterMs: retryAfter(attempt, nowMs) });
	}
	if (status >= 500) return fail('serverFault', details);
	if (status === 401 || status === 403) return fail('notAuthorized', details);
	if (status >= 400) return fail(isReadable(reply) ? 'refused' : 'unreadable', details);
	if (status < 200 || status >= 300) return fail('redirected', details);
	if (reply.success === null) return fail('unreadable', details);
	if (!reply.success) return fail('refused', details);
	return { ok: true, status, reply };
}

const isReadable = (reply: Reply) => reply.success === false || reply.message !== null;

export const failureOf = (kind: FailureKind, known: Partial<Failure> = {}): Failure => ({
	kind,
	status: null,
	serviceMessage: null,
	code: null,
	retryAfterMs: null,
	...known,
});

export const fail = (kind: FailureKind, known: Partial<Failure>): Verdict => ({
	ok: false,
	failure: failureOf(kind, known),
});

/** `Retry-After` as seconds or as a date, never more than a minute; null when absent or unreadable. */
function retryAfter({ headers }: Answered, nowMs: number): number | null {
	const value = headers['retry-after'];
	if (typeof value !== 'string') return null;
	const wait = /^\s*\d+\s*$/.test(value) ? Number(value) * 1000 : Date.parse(value) - nowMs;
	return Number.isNaN(wait) ? null : Math.min(Math.max(wait, 0), LONGEST_WAIT_MS);
}
