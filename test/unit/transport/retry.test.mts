import {
	failedVerdict,
	tryCreate,
	tryRead,
	type FailureKind,
	type Verdict,
} from '../../../nodes/UnifiedPayments/transport/verdict.ts';

const YES: Verdict = {
	ok: true,
	status: 200,
	reply: { success: true, message: null, data: undefined },
};

const MAY_PASS: FailureKind[] = [
	'notConnected',
	'noReply',
	'rateLimited',
	'serverFault',
	'invalidReply',
];
const FINAL: FailureKind[] = ['refused', 'notAuthorized', 'redirected', 'mismatch'];

/** Answers in turn, the last one for ever; counts tries and notes waits. */
function play(
	verdicts: Verdict[],
	settings: { random?: number; cancelAfter?: number; cancelInWait?: boolean } = {},
) {
	const played = { tries: 0, waits: [] as number[] };
	const attempt = async () => verdicts[Math.min(played.tries++, verdicts.length - 1)]!;
	const tools = {
		sleep: async (ms: number) => {
			played.waits.push(ms);
		},
		random: () => settings.random ?? 1,
		cancelled: () =>
			played.tries >= (settings.cancelAfter ?? Infinity) ||
			(settings.cancelInWait === true && played.waits.length > 0),
	};
	return { played, attempt, tools };
}

describe('a read', () => {
	it('that works is asked for once', async () => {
		const { played, attempt, tools } = play([YES]);
		expect(await tryRead(attempt, tools)).toBe(YES);
		expect(played).toEqual({ tries: 1, waits: [] });
	});

	it.each(MAY_PASS)('is tried again after %s, and gives up with the last', async (kind) => {
		const { played, attempt, tools } = play([failedVerdict(kind, {})]);
		expect(await tryRead(attempt, tools)).toEqual(failedVerdict(kind, {}));
		expect(played.tries).toBe(3);
	});

	it.each(MAY_PASS)('works after %s', async (kind) => {
		const { played, attempt, tools } = play([failedVerdict(kind, {}), YES]);
		expect(await tryRead(attempt, tools)).toBe(YES);
		expect(played.tries).toBe(2);
	});

	it.each(FINAL)('is not tried again after %s', async (kind) => {
		const { played, attempt, tools } = play([failedVerdict(kind, {})]);
		expect(await tryRead(attempt, tools)).toEqual(failedVerdict(kind, {}));
		expect(played).toEqual({ tries: 1, waits: [] });
	});

	it('is not tried again after a reply that is too long, but after a broken connection', async () => {
		const code = 'longer than 16 MB';
		const long = play([failedVerdict('invalidReply', { code })]);
		await tryRead(long.attempt, long.tools);
		const broken = play([failedVerdict('noReply', { code: 'ECONNRESET' })]);
		await tryRead(broken.attempt, broken.tools);
		expect([long.played.tries, broken.played.tries]).toEqual([1, 3]);
	});

	it.each([0, 1, 10])('is tried again %i times where the caller says so', async (maxRetries) => {
		const { played, attempt, tools } = play([failedVerdict('serverFault', {})]);
		await tryRead(attempt, tools, maxRetries);
		expect(played.tries).toBe(maxRetries + 1);
	});

	it('waits twice as long each time, up to ten seconds', async () => {
		const { played, attempt, tools } = play([failedVerdict('serverFault', {})]);
		await tryRead(attempt, tools, 8);
		expect(played.waits).toEqual([250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
	});

	it('waits half as long at the least', async () => {
		const { played, attempt, tools } = play([failedVerdict('serverFault', {})], { random: 0 });
		await tryRead(attempt, tools, 2);
		expect(played.waits).toEqual([125, 250]);
	});

	it.each([0, 7000])('waits for as long as the service says: %i ms', async (retryAfterMs) => {
		const { played, attempt, tools } = play([failedVerdict('rateLimited', { retryAfterMs }), YES]);
		await tryRead(attempt, tools);
		expect(played.waits).toEqual([retryAfterMs]);
	});

	it('ends when the run is cancelled', async () => {
		const { played, attempt, tools } = play([failedVerdict('serverFault', {})], { cancelAfter: 2 });
		expect(await tryRead(attempt, tools, 5)).toEqual(failedVerdict('serverFault', {}));
		expect(played.tries).toBe(2);
		expect(played.waits).toHaveLength(1);
	});
});

describe('a wait that is cancelled', () => {
	it('is followed by no further try', async () => {
		const read = play([failedVerdict('serverFault', {}), YES], { cancelInWait: true });
		expect(await tryRead(read.attempt, read.tools, 5)).toEqual(failedVerdict('serverFault', {}));
		const create = play([failedVerdict('notConnected', {}), YES], { cancelInWait: true });
		expect(await tryCreate(create.attempt, create.tools)).toEqual(
			failedVerdict('notConnected', {}),
		);
		expect([read.played.tries, create.played.tries]).toEqual([1, 1]);
	});
});

describe('a create', () => {
	it.each([...MAY_PASS.filter((kind) => kind !== 'notConnected'), ...FINAL])(
		'is never sent again after %s',
		async (kind) => {
			const { played, attempt, tools } = play([failedVerdict(kind, { retryAfterMs: 0 }), YES]);
			expect(await tryCreate(attempt, tools)).toMatchObject({ ok: false, failure: { kind } });
			expect(played).toEqual({ tries: 1, waits: [] });
		},
	);

	it('is tried at most twice more when not a byte left', async () => {
		const { played, attempt, tools } = play([failedVerdict('notConnected', {})]);
		expect(await tryCreate(attempt, tools)).toEqual(failedVerdict('notConnected', {}));
		expect(played).toEqual({ tries: 3, waits: [250, 500] });
	});

	it('stops at the first try whose bytes may have left', async () => {
		const { played, attempt, tools } = play([
			failedVerdict('notConnected', {}),
			failedVerdict('noReply', {}),
			YES,
		]);
		expect(await tryCreate(attempt, tools)).toEqual(failedVerdict('noReply', {}));
		expect(played.tries).toBe(2);
	});

	it('is not sent once the run is cancelled', async () => {
		const { played, attempt, tools } = play([failedVerdict('notConnected', {}), YES], {
			cancelAfter: 1,
		});
		expect(await tryCreate(attempt, tools)).toEqual(failedVerdict('notConnected', {}));
		expect(played.tries).toBe(1);
	});
});
