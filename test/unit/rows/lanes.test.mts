import { createHalt, createPacer, runInLanes } from '../../../nodes/UnifiedPayments/rows/lanes.ts';
import { createClock } from './clock.mts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

interface Watched {
	/** The rows as they ended. */
	ended: number[];
	log: string[];
	/** The most rows under way at the same time. */
	most: number;
	/** The most rows that were claimed, or being claimed, and not yet sent. */
	doubt: number;
	claims: number[];
}

const rowsOf = (count: number) => Array.from({ length: count }, (_, row) => row);

async function run(count: number, lanes: number, wait = async () => {}): Promise<Watched> {
	const seen: Watched = { ended: [], log: [], most: 0, doubt: 0, claims: [] };
	const { ended, log, claims } = seen;
	const isClaimed = new Set<number>();
	let under = 0;
	let claimed = 0;
	await runInLanes<number>({
		rows: rowsOf(count),
		lanes,
		async claim(chunk) {
			claims.push(chunk.length);
			log.push(`claim ${chunk[0]}-${chunk.at(-1)}`);
			claimed += chunk.length;
			seen.doubt = Math.max(seen.doubt, claimed);
			await turn();
			chunk.forEach((row) => isClaimed.add(row));
		},
		turn: wait,
		async send(row) {
			expect(isClaimed).toContain(row);
			claimed--;
			log.push(`send ${row}`);
			seen.most = Math.max(seen.most, ++under);
			// The later a row, the sooner it ends: the order must come from elsewhere.
			for (let waited = 0; waited < (count - row) % 5; waited++) await turn();
			under--;
			ended.push(row);
		},
	});
	return seen;
}

it.each([1, 7, 50])(
	'sends each row once in %d lanes, in their order, and waits for all of them',
	async (lanes) => {
		const { ended, log } = await run(500, lanes);
		const rows = rowsOf(500);
		expect(log.filter((line) => line.startsWith('send'))).toEqual(rows.map((row) => `send ${row}`));
		expect(ended.sort((a, b) => a - b)).toEqual(rows);
	},
);

it.each([1, 3, 50])('has never more under way than %d lanes, and uses them all', async (lanes) => {
	expect((await run(400, lanes)).most).toBe(lanes);
});

it.each([1, 2, 5, 50])('has at most two rows for each of %d lanes in doubt', async (lanes) => {
	const slow = async () => void (await turn());
	for (const { doubt } of [await run(400, lanes), await run(200, lanes, slow)]) {
		expect(doubt).toBeLessThanOrEqual(2 * lanes);
	}
});

it('claims for many rows with one write', async () => {
	const { claims } = await run(2000, 50);
	expect(claims.reduce((sum, each) => sum + each, 0)).toBe(2000);
	expect(claims[0]).toBe(100);
	expect(claims.length).toBeLessThan(30);
});

it('claims the next rows before the last ones are taken, so that no lane waits', async () => {
	const { log } = await run(30, 4);
	expect(log[0]).toBe('claim 0-7');
	const second = log.findIndex((line) => line.startsWith('claim 8'));
	expect(second).toBeLessThan(log.indexOf('send 7'));
});

it('ends when there are fewer rows than lanes, or none', async () => {
	expect((await run(3, 50)).ended).toHaveLength(3);
	expect(await run(0, 5)).toMatchObject({ ended: [], log: [] });
});

it('gives every row its own turn, also beside rows that need not wait', async () => {
	const turns: number[] = [];
	const sentWithout: number[] = [];
	await runInLanes<number>({
		rows: rowsOf(60),
		lanes: 5,
		claim: async () => undefined,
		async turn(row) {
			if (row % 3 !== 0) await turn();
			turns.push(row);
		},
		async send(row) {
			if (!turns.includes(row)) sentWithout.push(row);
		},
	});
	expect(sentWithout).toEqual([]);
	expect(turns.sort((a, b) => a - b)).toEqual(rowsOf(60));
});

type Pacer = ReturnType<typeof createPacer>;

/** When each of `count` turns came, in milliseconds from the start. */
async function turns(
	{ perSecond = 0, count = 1 },
	before: (pacer: Pacer) => unknown = () => {},
	meanwhile: (pacer: Pacer) => void = () => {},
) {
	const clock = createClock();
	const pacer = createPacer(perSecond, clock);
	before(pacer);
	const times: number[] = [];
	const all = Array.from({ length: count }, async () => {
		await pacer.turn();
		times.push(clock.now());
	});
	meanwhile(pacer);
	await clock.run(Promise.all(all));
	return times;
}

describe('the pace', () => {
	it.each([
		[0, [0, 0, 0]],
		[1, [0, 1000, 2000]],
		[4, [0, 250, 500]],
		[0.5, [0, 2000, 4000]],
		[1000, [0, 1, 2]],
	])('of %d a second, where 0 is any', async (perSecond, expected) => {
		expect(await turns({ perSecond, count: 3 })).toEqual(expected);
	});

	it('does not save up turns while nothing is sent', async () => {
		const clock = createClock();
		const pacer = createPacer(1, clock);
		await pacer.turn();
		await clock.run(clock.sleep(10_000));
		await clock.run(Promise.all([pacer.turn(), pacer.turn()]));
		expect(clock.now()).toBe(11_000);
	});

	it('is held back during a pause, which is lengthened and never shortened', async () => {
		expect(await turns({}, (pacer) => pacer.pause(5000))).toEqual([5000]);
		expect(await turns({}, (pacer) => [5000, 1000, 0].forEach(pacer.pause))).toEqual([5000]);
		const lengthen = (pacer: Pacer) => pacer.pause(3000);
		expect(await turns({}, (pacer) => pacer.pause(1000), lengthen)).toEqual([3000]);
	});

	it('holds back also those who wait already, and keeps them apart afterwards', async () => {
		const pause = (pacer: Pacer) => pacer.pause(10_000);
		const times = await turns({ perSecond: 1, count: 4 }, undefined, pause);
		expect(times).toEqual([0, 10_000, 11_000, 12_000]);
	});

	it('goes on when a sleep ends too early', async () => {
		let now = 0;
		const sleeps: number[] = [];
		const sleep = async (ms: number) => {
			sleeps.push(ms);
			now += Math.max(1, ms - 1);
		};
		const pacer = createPacer(1, { now: () => now, sleep });
		await pacer.turn();
		await pacer.turn();
		expect(sleeps).toEqual([1000, 1]);
		expect(now).toBe(1000);
	});
});

describe('createHalt', () => {
	const named = (place: number) => ({ name: `row ${place + 1}` });
	const one = {};
	const other = {};
	const bad = { error: new Error('bad') };
	const never = new AbortController().signal;

	it('stops the rows of one account', () => {
		const halt = createHalt(false, never);
		expect(halt.reason(one)).toBeNull();
		halt.because('its key is wrong', one);
		expect([halt.reason(one), halt.reason(other)]).toEqual(['its key is wrong', null]);
	});

	it('stops all after a row that went wrong, unless the run goes on', () => {
		const stops = createHalt(true, never);
		stops.after(named(0), { items: [] });
		stops.after(named(1), { ...bad, dryRun: true });
		expect(stops.reason(one)).toBeNull();
		stops.after(named(2), bad);
		stops.after(named(3), bad);
		expect(stops.reason(one)).toBe('of what happened to row 3');
		const goesOn = createHalt(false, never);
		goesOn.after(named(2), bad);
		expect(goesOn.reason(one)).toBeNull();
	});

	it('stops all when the execution is cancelled', () => {
		const execution = new AbortController();
		const halt = createHalt(false, execution.signal);
		expect(halt.reason(one)).toBeNull();
		execution.abort();
		expect(halt.reason(one)).toBe('the execution was cancelled');
	});
});
