import type { FailureKind, Verdict } from './verdict';

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 10_000;

/** Asking twice changes nothing for a read, so whatever may pass is worth another try. */
const MAY_PASS: readonly FailureKind[] = [
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

async function tryUntil(
	attempt: () => Promise<Verdict>,
	maxRetries: number,
	mayPass: readonly FailureKind[],
	tools: RetryTools,
): Promise<Verdict> {
	for (let tries = 0; ; tries++) {
		const verdict = await attempt();
		if (verdict.ok || tries >= maxRetries || !mayPass.includes(verdict.failure.kind)) {
			return verdict;
		}
		if (tools.cancelled()) return verdict;
		await tools.sleep(verdict.failure.retryAfterMs ?? backoff(tries, tools.random()));
		if (tools.cancelled()) return verdict;
	}
}

export const tryRead = (attempt: () => Promise<Verdict>, maxRetries: number, tools: RetryTools) =>
	tryUntil(attempt, maxRetries, MAY_PASS, tools);

export const tryCreate = (attempt: () => Promise<Verdict>, tools: RetryTools) =>
	tryUntil(attempt, CREATE_RETRIES, ['notConnected'], tools);
