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
	reply: { success: true, message: null, data: undefined, body: {} },
};
const failed = (kind: FailureKind) => failedVerdict(kind, {});

const RETRYABLE: FailureKind[] = ['noReply', 'rateLimited', 'serverFault', 'invalidReply'];
const FINAL: FailureKind[] = ['refused', 'notAuthorized', 'redirected', 'mismatch'];

interface Settings {
	random?: number;
	cancelAfter?: number;
	cancelInWait?: boolean;
	maxRetries?: number;
}

/** A service that answers in turn, the last one for ever: how it ends, the tries and the waits. */
function play(
	verdicts: Verdict[],
	{ random = 1, cancelAfter = Infinity, cancelInWait = false, maxRetries }: Settings = {},
) {
	let tries = 0;
	const waits: number[] = [];
	const attempt = async () => verdicts[Math.min(tries++, verdicts.length - 1)]!;
	const tools = {
		sleep: async (ms: number) => void waits.push(ms),
		random: () => random,
		cancelled: () => tries >= cancelAfter || (cancelInWait && waits.length > 0),
	};
	return {
		read: async () => ({ end: await tryRead(attempt, tools, maxRetries), tries, waits }),
		create: async () => ({ end: await tryCreate(attempt, tools), tries, waits }),
	};
}

describe('a read', () => {
	it('that works is asked for once', async () => {
		expect(await play([YES]).read()).toEqual({ end: YES, tries: 1, waits: [] });
	});

	it.each<FailureKind>(['notConnected', ...RETRYABLE])(
		'is tried again after %s, and gives up with the last',
		async (kind) => {
			expect(await play([failed(kind)]).read()).toMatchObject({ end: failed(kind), tries: 3 });
			expect(await play([failed(kind), YES]).read()).toMatchObject({ end: YES, tries: 2 });
		},
	);

	it.each(FINAL)('is not tried again after %s', async (kind) => {
		expect(await play([failed(kind)]).read()).toEqual({ end: failed(kind), tries: 1, waits: [] });
	});

	it('is not tried again after a reply that is too long, but after a broken connection', async () => {
		const long = failedVerdict('invalidReply', { code: 'longer than 16 MB' });
		const broken = failedVerdict('noReply', { code: 'ECONNRESET' });
		expect(await play([long]).read()).toMatchObject({ end: long, tries: 1 });
		expect(await play([broken]).read()).toMatchObject({ end: broken, tries: 3 });
	});

	it.each([0, 1, 10])('is tried again %i times where the caller says so', async (maxRetries) => {
		const { tries } = await play([failed('serverFault')], { maxRetries }).read();
		expect(tries).toBe(maxRetries + 1);
	});

	it('waits twice as long each time, up to ten seconds, and half as long at the least', async () => {
		const long = await play([failed('serverFault')], { maxRetries: 8 }).read();
		expect(long.waits).toEqual([250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
		const short = await play([failed('serverFault')], { random: 0, maxRetries: 2 }).read();
		expect(short.waits).toEqual([125, 250]);
	});

	it.each([
		[0, 0],
		[7000, 7000],
		[3_600_000, 60_000],
	])('asked to wait %i ms, waits %i', async (retryAfterMs, waited) => {
		const busy = failedVerdict('rateLimited', { retryAfterMs });
		expect((await play([busy, YES]).read()).waits).toEqual([waited]);
	});

	it('ends when the run is cancelled', async () => {
		const settings = { cancelAfter: 2, maxRetries: 5 };
		const { end, tries, waits } = await play([failed('serverFault')], settings).read();
		expect([end, tries, waits.length]).toEqual([failed('serverFault'), 2, 1]);
	});
});

it('a wait that is cancelled is followed by no further try', async () => {
	const answers = [failed('notConnected'), YES];
	const ended = { end: failed('notConnected'), tries: 1 };
	const settings = { cancelInWait: true, maxRetries: 5 };
	expect(await play(answers, settings).read()).toMatchObject(ended);
	expect(await play(answers, settings).create()).toMatchObject(ended);
});

describe('a create', () => {
	it.each([...RETRYABLE, ...FINAL])('is never sent again after %s', async (kind) => {
		const end = failedVerdict(kind, { retryAfterMs: 0 });
		expect(await play([end, YES]).create()).toEqual({ end, tries: 1, waits: [] });
	});

	it('is tried at most twice more when not a byte left', async () => {
		const end = failed('notConnected');
		expect(await play([end]).create()).toEqual({ end, tries: 3, waits: [250, 500] });
	});

	it('stops at the first try whose bytes may have left', async () => {
		const answers = [failed('notConnected'), failed('noReply'), YES];
		expect(await play(answers).create()).toMatchObject({ end: failed('noReply'), tries: 2 });
	});

	it('is not sent once the run is cancelled', async () => {
		const end = failed('notConnected');
		expect(await play([end, YES], { cancelAfter: 1 }).create()).toMatchObject({ end, tries: 1 });
	});
});
