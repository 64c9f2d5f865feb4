import type { Look, PollOperation } from './operation';
import { readOptions } from '../fields/options';
import type { Json } from '../protocol/parse';
import type { RunClient } from '../transport/client';
import { NotAttemptedError, CallError } from '../transport/errors';
import { createLimiter } from '../transport/limiter';
import { RETRYABLE } from '../transport/verdict';
import type { Pacer } from './lanes';
import type { RowValues } from './read/readRows';
import { failed, resultOf, type RowResult } from './row';

interface PollClock {
	now(): number;
	/** Rejects when the signal ends it. */
	sleep(ms: number, signal?: AbortSignal): Promise<void>;
	random(): number;
}

interface PollRun {
	operation: PollOperation;
	count: number;
	read: (row: number) => RowValues;
	client: RunClient;
	lanes: number;
	pacer: Pacer;
	clock: PollClock;
	/** Ask no more once a row went wrong. */
	stopOnError: boolean;
	/** Ends the waiting when the execution is cancelled. */
	signal: AbortSignal | undefined;
}

/** By how much an interval may be longer, so that the rows of a run spread out. */
const JITTER = 0.25;

/**
 * Asks about all rows side by side, each at its own intervals. A row takes one of the lanes only
 * while it asks, so that a slow one keeps no other waiting.
 */
export async function runPolls(run: PollRun): Promise<RowResult[]> {
	const limit = createLimiter(run.lanes);
	const halt = new AbortController();
	const end = endOf(run.signal ? AbortSignal.any([run.signal, halt.signal]) : halt.signal);
	const one = async (row: number): Promise<RowResult> => {
		const result = await resultOf(async () => [await pollRow(run, row, limit, end)]);
		if (run.stopOnError && failed(result)) halt.abort();
		return result;
	};
	return await Promise.all(Array.from({ length: run.count }, async (_, row) => await one(row)));
}

async function pollRow(
	{ operation, read, client: ofRun, pacer, clock }: PollRun,
	row: number,
	limit: ReturnType<typeof createLimiter>,
	end: End,
): Promise<Json> {
	const { fields, options } = read(row);
	const poll = operation.prepare(fields, readOptions(options));
	const client = ofRun.forRow(row);
	const shown = (json: Json) => client.redactor.deep(json) as Json;
	const timeIsUp = clock.now() + poll.longestMs;
	let last: Json | null = null;
	for (;;) {
		const look = await limit(async () => {
			if (end.isReached()) throw stopped();
			await pacer.turn();
			return await lookOnce(async () => await poll.look(client));
		});
		if (look?.kind === 'answer') {
			last = look.json;
			if (look.isFinal) return shown(poll.found(last));
		}
		const left = timeIsUp - clock.now();
		if (left <= 0) {
			if (look?.kind === 'noAnswer' && last === null) throw look.error;
			return shown(poll.timedOut(last));
		}
		const asked = look?.kind === 'noAnswer' ? (look.error.failure.retryAfterMs ?? 0) : 0;
		const pause = Math.max(poll.intervalMs * (1 + JITTER * clock.random()), asked);
		// The last look is when time is up, and no sooner after the one before than an interval.
		const isLast = left < pause + poll.intervalMs;
		// When the run is stopped meanwhile, this is found out before the next question.
		await end.orAfter(isLast ? left : pause, clock);
	}
}

interface End {
	isReached(): boolean;
	/** Resolves when it is reached, or after so long. */
	orAfter(ms: number, clock: PollClock): Promise<void>;
}

/** One listener for all rows, however many of them sleep. */
function endOf(signal: AbortSignal): End {
	const reached = new Promise<void>((resolve) =>
		signal.addEventListener('abort', () => resolve(), { once: true }),
	);
	return {
		isReached: () => signal.aborted,
		async orAfter(ms, { sleep }) {
			const own = new AbortController();
			await Promise.race([sleep(ms, own.signal).catch(() => undefined), reached]);
			own.abort();
		},
	};
}

type Looked = ({ kind: 'answer' } & Look) | { kind: 'noAnswer'; error: CallError };

async function lookOnce(look: () => Promise<Look | null>): Promise<Looked | null> {
	const found = await look().catch(noAnswer);
	if (found === null || 'error' in found) return found;
	return { kind: 'answer', ...found };
}

/** Errors that may pass stop nothing: the service is asked again after the interval. */
function noAnswer(error: unknown): Extract<Looked, { kind: 'noAnswer' }> {
	if (error instanceof CallError && RETRYABLE.includes(error.failure.kind)) {
		return { kind: 'noAnswer', error };
	}
	throw error;
}

const stopped = () =>
	new NotAttemptedError('This row was not final yet', 'The run was stopped before it was.');
