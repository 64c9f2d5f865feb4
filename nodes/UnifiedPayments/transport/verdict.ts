import { linkOf } from '../payment/link';
import { ofAnother } from '../payment/whose';
import type { Account, ServiceSettings } from '../protocol/credential';
import { isAboutAccount, isInErrorTable } from '../protocol/errorTable';
import type { Outcome } from '../protocol/explainedError';
import type { Json } from '../protocol/parse';
import { readReply, referenceOf, type FieldNames, type Reply } from '../protocol/reply';
import { foldedSentence } from '../protocol/words';
import type { Answered, Attempt } from './exchange';
import { httpDate } from '../protocol/parse';

/**
 * Why a request did not do what was asked, and what that means for a create. Each kind has one
 * explanation for users.
 */
const OUTCOMES = {
	notConnected: 'not_sent',
	noReply: 'unknown',
	rateLimited: 'unknown',
	serverFault: 'unknown',
	refused: 'rejected',
	notAuthorized: 'rejected',
	/** A no that is in no list: it may mean that the payment is there. */
	unnamedRefusal: 'unknown',
	redirected: 'unknown',
	invalidReply: 'unknown',
	mismatch: 'unknown',
	namedTwice: 'unknown',
	/** The service's own record of a payment says that it failed. */
	recordFailed: 'rejected',
} as const satisfies Record<string, Outcome>;

export type FailureKind = keyof typeof OUTCOMES;

export interface Failure {
	kind: FailureKind;
	/** HTTP status, when there was a reply. */
	status: number | null;
	/** The service's own words, when it said any. */
	serviceMessage: string | null;
	/** Technical name of a network cause, the field that did not match, or why a body was not read. */
	code: string | null;
	/** What the service itself declined with, `success: false`; null when it did not. */
	refusal: Reply | null;
	/** How long the service asked us to wait. */
	retryAfterMs: number | null;
}

export type Verdict = { ok: true; status: number; reply: Reply } | { ok: false; failure: Failure };

/** Nothing waits for longer, whatever the service asks. */
export const LONGEST_ASKED_WAIT_MS = 60_000;

/** What one attempt means, for reads and creates alike. */
export function verdictOf(attempt: Attempt, nowMs: number): Verdict {
	if (attempt.kind === 'unanswered') {
		return failedVerdict(attempt.sent === 'no' ? 'notConnected' : 'noReply', {
			code: attempt.code,
		});
	}
	const { status } = attempt;
	const reply = readReply(attempt.body);
	const refusal = reply.success === false ? reply : null;
	const details = {
		status,
		serviceMessage: reply.message,
		refusal,
		code: attempt.unread ?? null,
	};

	if (status === 429) {
		return failedVerdict('rateLimited', { ...details, retryAfterMs: retryAfter(attempt, nowMs) });
	}
	if (status >= 500 || PASSING.includes(status)) return failedVerdict('serverFault', details);
	if (status === 401 || status === 403) return failedVerdict('notAuthorized', details);
	// Only the service itself can decline. An error page of a gateway says nothing about the request.
	if (status >= 400) return failedVerdict(refusal ? 'refused' : 'invalidReply', details);
	// Written so that a status that is no number is no success either.
	if (!(status >= 200 && status < 300)) return failedVerdict('redirected', details);
	if (reply.success === null) return failedVerdict('invalidReply', details);
	if (!reply.success) return failedVerdict('refused', details);
	return { ok: true, status, reply };
}

/** Time-out, conflict and too early: another try may be answered otherwise. */
const PASSING: readonly number[] = [408, 409, 425];

export const failureOf = (kind: FailureKind, known: Partial<Failure> = {}): Failure => ({
	kind,
	status: null,
	serviceMessage: null,
	code: null,
	refusal: null,
	retryAfterMs: null,
	...known,
});

export const failedVerdict = (kind: FailureKind, known: Partial<Failure>): Verdict => ({
	ok: false,
	failure: failureOf(kind, known),
});

/** `Retry-After` as seconds or as a date; null when absent or unreadable. */
function retryAfter({ headers }: Answered, nowMs: number): number | null {
	const value = headers['retry-after'];
	if (typeof value !== 'string') return null;
	const wait = /^\d+$/.test(value) ? Number(value) * 1000 : httpDate(value) - nowMs;
	return Number.isNaN(wait) ? null : Math.max(wait, 0);
}

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 10_000;

/** A read may be repeated, so every error that may pass is tried again. */
export const RETRYABLE: readonly FailureKind[] = [
	'notConnected',
	'noReply',
	'rateLimited',
	'serverFault',
	'invalidReply',
];

/** A create is sent again only when not a byte of it left; twice at the most. */
const CREATE_RETRIES = 2;

export interface RetryTools {
	/** Resolves early when the execution is cancelled. */
	sleep(ms: number): Promise<void>;
	random(): number;
	cancelled(): boolean;
}

const backoff = (tries: number, random: number) =>
	Math.min(FIRST_WAIT_MS * 2 ** tries, LONGEST_WAIT_MS) * (0.5 + random / 2);

/** A reply that is too long will be so the next time. */
const isTooLong = ({ kind, code }: Failure): boolean => kind === 'invalidReply' && code !== null;

async function tryUntil(
	attempt: () => Promise<Verdict>,
	maxRetries: number,
	retryable: readonly FailureKind[],
	tools: RetryTools,
): Promise<Verdict> {
	for (let tries = 0; ; tries++) {
		const verdict = await attempt();
		if (verdict.ok || tries >= maxRetries) return verdict;
		if (!retryable.includes(verdict.failure.kind) || isTooLong(verdict.failure)) return verdict;
		if (tools.cancelled()) return verdict;
		const wait = verdict.failure.retryAfterMs ?? backoff(tries, tools.random());
		await tools.sleep(Math.min(wait, LONGEST_ASKED_WAIT_MS));
		if (tools.cancelled()) return verdict;
	}
}

/** Three tries in all. */
const READ_RETRIES = 2;

export const tryRead = (
	attempt: () => Promise<Verdict>,
	tools: RetryTools,
	maxRetries: number = READ_RETRIES,
) => tryUntil(attempt, maxRetries, RETRYABLE, tools);

export const tryCreate = (attempt: () => Promise<Verdict>, tools: RetryTools) =>
	tryUntil(attempt, CREATE_RETRIES, ['notConnected'], tools);

export const outcomeOf = (verdict: Verdict): Outcome =>
	verdict.ok ? 'accepted' : OUTCOMES[verdict.failure.kind];

/** Every other row would end the same way, so the batch stops. */
export const stopsBatch = ({ kind, status, serviceMessage }: Failure): boolean =>
	kind === 'notAuthorized' ||
	kind === 'redirected' ||
	status === 401 ||
	status === 403 ||
	(kind === 'refused' && serviceMessage !== null && isAboutAccount(serviceMessage));

type Lists = FieldNames & Pick<ServiceSettings, 'finalRefusals'>;

/**
 * A create is rejected only by a no that is known by name; every other no may mean that the payment is
 * there. A rejected row may be sent again, so nothing else may release it.
 */
export function namedRefusalOnly(verdict: Verdict, lists: Lists): Verdict {
	if (verdict.ok || OUTCOMES[verdict.failure.kind] !== 'rejected') return verdict;
	const { failure } = verdict;
	if (failure.refusal !== null && isNamed(failure.refusal, lists)) return verdict;
	return { ok: false, failure: { ...failure, kind: 'unnamedRefusal' } };
}

const isNamed = (refusal: Reply, lists: Lists): boolean =>
	refusal.message !== null &&
	(isInErrorTable(refusal.message) || isListed(refusal.message, lists.finalRefusals)) &&
	referenceOf(refusal, lists) === null &&
	linkOf(refusal, lists) === null;

const isListed = (message: string, lines: readonly string[]): boolean =>
	lines.some((line) => foldedSentence(line) === foldedSentence(message));

/** A reply that carries another payment's mark or order is not believed. */
export function ofThisPayment(verdict: Verdict, sent: Readonly<Json>, account: Account): Verdict {
	if (!verdict.ok) return verdict;
	const field = ofAnother(verdict.reply, sent, account);
	if (field === null) return verdict;
	return failedVerdict('mismatch', {
		status: verdict.status,
		serviceMessage: verdict.reply.message,
		code: field,
	});
}
