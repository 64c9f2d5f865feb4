import type { Look, PollOperation, ReadOperation } from './operation';
import { readOptions } from '../fields/options';
import type { Json } from '../protocol/parse';
import type { RunClient } from '../transport/client';
import { CallError, NotAttemptedError } from '../transport/errors';
import { createLimiter, createYield } from '../transport/limiter';
import type { Redactor } from '../transport/redact';
import { RETRYABLE } from '../transport/verdict';
import type { Pacer } from './lanes';
import type { RowValues } from './read/readRows';
import { failed, resultOf, type RowResult } from './row';

interface Run<Kind> {
	operation: Kind;
	count: number;
	read: (row: number) => RowValues;
	client: RunClient;
	lanes: number;
	pacer: Pacer;
	/** Ask no more once a row went wrong. */
	stopOnError: boolean;
	/** Aborted when the execution is cancelled. */
	signal: AbortSignal;
}

/** Runs rows independently, several at a time. Results are in the order of the rows. */
export async function runReads(run: Run<ReadOperation>): Promise<RowResult[]> {
	const limit = createLimiter(run.lanes);
	let halted = false;
	const one = async (row: number): Promise<RowResult> => {
		if (halted || run.signal.aborted) return { error: notReached() };
		const result = await resultOf(async () => {
			const { fields, options: given } = run.read(row);
			const options = readOptions(given);
			await run.pacer.turn();
			const client = run.client.forRow(row);
			const items = await run.operation.run(fields, options, client);
			return await maskedOf(items, client.redactor);
		});
		halted ||= run.stopOnError && failed(result);
		return result;
	};
	return await Promise.all(
		Array.from({ length: run.count }, async (_, row) => await limit(async () => await one(row))),
	);
}

/** A list may have tens of thousands of entries. */
async function maskedOf(items: readonly Json[], redactor: Redactor): Promise<Json[]> {
	const giveWay = createYield();
	const masked: Json[] = [];
	for (const item of items) {
		masked.push(redactor.deep(item) as Json);
		await giveWay();
	}
	return masked;
}

const notReached = () =>
	new NotAttemptedError('This row was not reached', 'The run was stopped before its turn came.');

interface PollClock {
	now(): number;
	/** Rejects when the signal ends it. */
	sleep(ms: number, signal?: AbortSignal): Promise<void>;
	random(): number;
}

type PollRun = Run<PollOperation> & { clock: PollClock };

/** By how much an interval may be longer, so that the rows of a run spread out. */
const JITTER = 0.25;

/**
 * Asks about all rows side by side, each at its own intervals. A row takes one of the lanes only
 * while it asks, so that a slow one keeps no other waiting.
 */
export async function runPolls(run: PollRun): Promise<RowResult[]> {
	const limit = createLimiter(run.lanes);
	const halt = new AbortController();
	const end = endOf(AbortSignal.any([run.signal, halt.signal]));
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
		const look: Look | NoAnswer | null = await limit(async () => {
			if (end.isReached()) throw stopped();
			await pacer.turn();
			return await poll.look(client).catch(noAnswer);
		});
		const failure = look !== null && 'error' in look ? look.error : null;
		if (look !== null && 'json' in look) {
			last = look.json;
			if (look.isFinal) return shown(poll.found(last));
		}
		const left = timeIsUp - clock.now();
		if (left <= 0) {
			if (failure !== null && last === null) throw failure;
			return shown(poll.timedOut(last));
		}
		const asked = failure?.failure.retryAfterMs ?? 0;
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

interface NoAnswer {
	error: CallError;
}

/** Errors that may pass stop nothing: the service is asked again after the interval. */
function noAnswer(error: unknown): NoAnswer {
	if (error instanceof CallError && RETRYABLE.includes(error.failure.kind)) return { error };
	throw error;
}

const stopped = () =>
	new NotAttemptedError('This row was not final yet', 'The run was stopped before it was.');
