import type { PollOperation } from '../../../nodes/UnifiedPayments/rows/operation.ts';
import type { Json } from '../../../nodes/UnifiedPayments/protocol/parse.ts';
import { failed } from '../../../nodes/UnifiedPayments/rows/row.ts';
import { runPolls } from '../../../nodes/UnifiedPayments/rows/runReads.ts';
import type { RunClient } from '../../../nodes/UnifiedPayments/transport/client.ts';
import { CallError, NotSentError } from '../../../nodes/UnifiedPayments/transport/errors.ts';
import { Redactor } from '../../../nodes/UnifiedPayments/transport/redact.ts';
import { failureOf } from '../../../nodes/UnifiedPayments/transport/verdict.ts';
import { createClock } from './clock.mts';

const SUBJECT = { name: 'the transaction status', creates: false };

interface Scene {
	/** What each row is told, look by look; the last one is repeated. */
	answers: Array<Array<string | null | Error>>;
	longestMs?: number;
	intervalMs?: number;
	lanes?: number;
	stopOnError?: boolean;
	random?: number;
	signal?: AbortSignal;
	/** How long one question takes. */
	askMs?: number;
}

/** Runs on a clock that stands still unless somebody sleeps. */
async function poll({
	answers,
	longestMs = 20_000,
	intervalMs = 5_000,
	lanes = 5,
	stopOnError = false,
	random = 0,
	signal = new AbortController().signal,
	askMs = 0,
}: Scene) {
	const { now, sleep, run } = createClock();
	let underWay = 0;
	let most = 0;
	const looks: Array<{ row: number; at: number }> = [];
	const operation: PollOperation = {
		kind: 'poll',
		option: { name: 'Poll', value: 'poll' },
		properties: [],
		prepare: (raw) => ({
			longestMs,
			intervalMs,
			async look() {
				const row = raw.row as number;
				const nth = looks.filter((each) => each.row === row).length;
				looks.push({ row, at: now() });
				most = Math.max(most, ++underWay);
				if (askMs > 0) await sleep(askMs);
				underWay--;
				const own = answers[row]!;
				const answer = own[Math.min(nth, own.length - 1)]!;
				if (answer instanceof Error) throw answer;
				return answer === null ? null : { json: { answer }, isFinal: answer === 'final' };
			},
			found: (json) => ({ ...json, found: true }),
			timedOut: (last: Json | null) => ({ ...last, timedOut: true }),
		}),
	};
	const running = runPolls({
		operation,
		count: answers.length,
		read: (row) => ({ fields: { row }, options: {} }),
		client: { forRow: () => ({ redactor: new Redactor() }) } as unknown as RunClient,
		lanes,
		pacer: { turn: async () => undefined, pause: () => undefined },
		clock: { now, sleep, random: () => random },
		stopOnError,
		signal,
	});
	const results = await run(running);
	const ends = results.map((result) => (failed(result) ? result.error : result.items[0]));
	return { ends, looks, times: looks.map(({ at }) => at), most, now: now() };
}

describe('asking until the answer is final', () => {
	it('asks once in every interval, and once when time is up', async () => {
		const { ends, times } = await poll({ answers: [['pending']] });
		expect(ends).toEqual([{ answer: 'pending', timedOut: true }]);
		expect(times).toEqual([0, 5_000, 10_000, 15_000, 20_000]);
	});

	it.each([0, 0.3, 0.999])(
		'never sooner than an interval, whatever the dice say: %s',
		async (random) => {
			const { times } = await poll({ answers: [['pending']], random, longestMs: 61_000 });
			const gaps = times.slice(1).map((at, index) => at - times[index]!);
			expect(Math.min(...gaps)).toBeGreaterThanOrEqual(5_000);
			expect(times.at(-1)).toBe(61_000);
		},
	);

	it('looks once more when time is up before the first interval is', async () => {
		const { ends, times } = await poll({ answers: [['pending', 'final']], longestMs: 2_000 });
		expect(times).toEqual([0, 2_000]);
		expect(ends).toEqual([{ answer: 'final', found: true }]);
	});
});

describe('all rows side by side', () => {
	it('a slow one keeps no other waiting, although there is one lane', async () => {
		const answers = [['pending'], ['pending', 'final'], ['final']];
		const { ends, times, now } = await poll({ answers, lanes: 1 });
		expect(ends).toMatchObject([{ timedOut: true }, { found: true }, { found: true }]);
		expect(times.filter((at) => at === 0)).toHaveLength(3);
		expect(now).toBe(20_000);
	});

	it('no more questions are under way than there are lanes', async () => {
		const answers = Array.from({ length: 9 }, () => ['final']);
		expect((await poll({ answers, lanes: 2, askMs: 10 })).most).toBe(2);
	});
});

describe('a question that goes wrong', () => {
	it('waits as long as the service asks for', async () => {
		const slow = new CallError(failureOf('rateLimited', { retryAfterMs: 12_000 }), SUBJECT);
		const { times } = await poll({ answers: [[slow, 'final']], longestMs: 60_000 });
		expect(times).toEqual([0, 12_000]);
	});

	it('is the result when no other came, and costs nothing that is known', async () => {
		const error = new CallError(failureOf('noReply'), SUBJECT);
		const { ends } = await poll({ answers: [[error], ['pending', error]] });
		expect(ends).toEqual([error, { answer: 'pending', timedOut: true }]);
	});

	it('ends a row at once when it cannot pass', async () => {
		const error = new CallError(failureOf('notAuthorized'), SUBJECT);
		const { ends, looks } = await poll({ answers: [[error, 'final']] });
		expect(ends).toEqual([error]);
		expect(looks).toHaveLength(1);
	});

	it('ends all rows when the workflow is to stop, and none otherwise', async () => {
		const error = new CallError(failureOf('notAuthorized'), SUBJECT);
		const answers = [['pending', 'final'], [error]];
		const stopping = await poll({ answers, stopOnError: true });
		expect(stopping.now).toBe(0);
		expect(stopping.ends).toEqual([
			expect.objectContaining({ message: 'This row was not final yet' }),
			error,
		]);
		const going = await poll({ answers });
		expect(going.ends).toEqual([{ answer: 'final', found: true }, error]);
	});
});

it('a cancelled execution asks nothing more', async () => {
	const cancel = new AbortController();
	cancel.abort();
	const { ends, looks } = await poll({ answers: [['pending']], signal: cancel.signal });
	expect(looks).toEqual([]);
	expect(ends[0]).toBeInstanceOf(NotSentError);
});
