import { accountOf, type Credential } from '../protocol/credential';
import type { Client } from './client';
import { CallError } from './errors';
import type { FailureKind } from './verdict';

/**
 * Who makes us ask: somebody who called an address that only the service was given, or anybody.
 * Each has a budget of its own, so that strangers cannot use up that of genuine callbacks.
 */
export type Caller = 'knowsAddress' | 'stranger';

/** Status requests per account. As many may come at once, after a quiet minute. */
export const PER_MINUTE: Readonly<Record<Caller, number>> = { knowsAddress: 1_200, stranger: 300 };

const MINUTE_MS = 60_000;
/** After an answer of the service that asks for a pause, unless it says how long. */
const PAUSE_MS: Readonly<Partial<Record<FailureKind, number>>> = {
	rateLimited: 5_000,
	serverFault: 1_000,
};
const MAX_ACCOUNTS = 1_000;

/** A question that was not asked, because too many others were. */
export class AskedTooOftenError extends Error {
	override readonly name = 'AskedTooOftenError';

	constructor() {
		super(
			'The service was not asked: too many callbacks without a token came within a minute, or the service is busy',
		);
	}
}

interface Account {
	/** What is left of each budget; below zero for those who wait for their turn. */
	left: Record<Caller, number>;
	filledAt: number;
	pausedUntil: number;
}

const accounts = new Map<string, Account>();

function accountFor(credential: Credential, now: number): Account {
	const name = JSON.stringify(accountOf(credential));
	const account = accounts.get(name) ?? {
		left: { ...PER_MINUTE },
		filledAt: now,
		pausedUntil: now,
	};
	const minutes = Math.max(0, now - account.filledAt) / MINUTE_MS;
	for (const caller of Object.keys(PER_MINUTE) as Caller[]) {
		const max = PER_MINUTE[caller];
		account.left[caller] = Math.min(max, account.left[caller] + max * minutes);
	}
	account.filledAt = now;
	accounts.delete(name);
	accounts.set(name, account);
	// Those used longest ago come first; after a minute without a question all of it is there again.
	for (const [other, { filledAt }] of accounts) {
		if (accounts.size <= MAX_ACCOUNTS && now - filledAt <= MINUTE_MS) break;
		accounts.delete(other);
	}
	return account;
}

/** How long to wait before one may ask; throws when that is too long. */
function turnOf(account: Account, caller: Caller, mostMs: number, now: number): number {
	const missing = Math.max(0, 1 - account.left[caller]);
	const turn = Math.max(account.pausedUntil - now, (missing * MINUTE_MS) / PER_MINUTE[caller]);
	if (turn > mostMs) throw new AskedTooOftenError();
	account.left[caller]--;
	return Math.max(0, turn);
}

interface Asking {
	caller: Caller;
	/** How long one waits for a turn. */
	patienceMs: number;
	sleep(ms: number): Promise<void>;
}

/** The same client for what a caller without a token makes us ask: once each, within the budget. */
export const withBudget = (
	client: Pick<Client, 'query'>,
	credential: Credential,
	{ caller, patienceMs, sleep }: Asking,
): Pick<Client, 'query'> => ({
	async query(path, params, options, name) {
		const account = accountFor(credential, Date.now());
		const wait = turnOf(account, caller, patienceMs, Date.now());
		if (wait > 0) await sleep(wait);
		return await client
			.query(path, params, { ...options, maxRetries: 0 }, name)
			.catch((error: unknown) => pauseAndThrow(account, error));
	},
});

function pauseAndThrow(account: Account, error: unknown): never {
	const pause = pauseAfter(error);
	if (pause !== null) account.pausedUntil = Math.max(account.pausedUntil, Date.now() + pause);
	throw error;
}

function pauseAfter(error: unknown): number | null {
	if (!(error instanceof CallError)) return null;
	const { kind, retryAfterMs } = error.failure;
	const pause = PAUSE_MS[kind];
	return pause === undefined ? null : (retryAfterMs ?? pause);
}
