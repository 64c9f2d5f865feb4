import { createRowNames } from '../../../nodes/UnifiedPayments/rows/rowNames.ts';
import { createHalt, createPacer } from '../../../nodes/UnifiedPayments/rows/pacer.ts';

/** A clock that only moves when somebody sleeps: the earliest sleeper is woken first. */
function fakeClock(start = 1_000_000) {
	let now = start;
	const sleepers: Array<{ at: number; wake: () => void }> = [];
	const clock = {
		now: () => now,
		sleep: (ms: number) =>
			new Promise<void>((wake) => {
				sleepers.push({ at: now + ms, wake });
			}),
	};
	const settle = () => new Promise((resolve) => setImmediate(resolve));
	/** Runs until nobody sleeps any more. */
	async function run() {
		await settle();
		while (sleepers.length > 0) {
			sleepers.sort((a, b) => a.at - b.at);
			const next = sleepers.shift()!;
			now = Math.max(now, next.at);
			next.wake();
			await settle();
		}
	}
	return { clock, run, elapsed: () => now - start, sleeping: () => sleepers.length };
}

/** When each of `count` turns came, in milliseconds from the start. */
async function turns(
	requestsPerSecond: number,
	count: number,
	meanwhile: (
		pacer: ReturnType<typeof createPacer>,
		clock: ReturnType<typeof fakeClock>,
	) => void = () => {},
) {
	const fake = fakeClock();
	const pacer = createPacer(requestsPerSecond, fake.clock);
	const times: number[] = [];
	const all = Array.from({ length: count }, async () => {
		await pacer.turn();
		times.push(fake.elapsed());
	});
	meanwhile(pacer, fake);
	await fake.run();
	await Promise.all(all);
	return times;
}

describe('createPacer', () => {
	it('lets everything through without a limit', async () => {
		expect(await turns(0, 4)).toEqual([0, 0, 0, 0]);
	});

	it.each([
		[1, [0, 1000, 2000]],
		[4, [0, 250, 500]],
		[0.5, [0, 2000, 4000]],
		[1000, [0, 1, 2]],
	])('spaces out %d a second', async (requestsPerSecond, expected) => {
		expect(await turns(requestsPerSecond, 3)).toEqual(expected);
	});

	it('does not save up turns while nothing is sent', async () => {
		const fake = fakeClock();
		const pacer = createPacer(1, fake.clock);
		await pacer.turn();
		void fake.clock.sleep(10_000);
		await fake.run();
		const times: number[] = [];
		const two = [0, 1].map(async () => {
			await pacer.turn();
			times.push(fake.elapsed());
		});
		await fake.run();
		await Promise.all(two);
		expect(times).toEqual([10_000, 11_000]);
	});

	it('holds everything back during a pause', async () => {
		const fake = fakeClock();
		const pacer = createPacer(0, fake.clock);
		pacer.pause(5000);
		const turn = pacer.turn();
		await fake.run();
		await turn;
		expect(fake.elapsed()).toBe(5000);
	});

	it('holds back also those who wait already, and keeps them apart afterwards', async () => {
		const times = await turns(1, 4, (pacer) => pacer.pause(10_000));
		expect(times[0]).toBe(0);
		const later = times.slice(1);
		expect(later).toEqual([10_000, 11_000, 12_000]);
	});

	it('never shortens a pause', async () => {
		const fake = fakeClock();
		const pacer = createPacer(0, fake.clock);
		pacer.pause(5000);
		pacer.pause(1000);
		pacer.pause(0);
		const turn = pacer.turn();
		await fake.run();
		await turn;
		expect(fake.elapsed()).toBe(5000);
	});

	it('lengthens a pause, also for those who sleep through the first', async () => {
		const fake = fakeClock();
		const pacer = createPacer(0, fake.clock);
		pacer.pause(1000);
		const turn = pacer.turn();
		pacer.pause(3000);
		await fake.run();
		await turn;
		expect(fake.elapsed()).toBe(3000);
	});

	it('goes on when a sleep ends too early', async () => {
		let now = 0;
		const sleeps: number[] = [];
		const clock = {
			now: () => now,
			sleep: async (ms: number) => {
				sleeps.push(ms);
				now += Math.max(1, ms - 1);
			},
		};
		const pacer = createPacer(1, clock);
		await pacer.turn();
		await pacer.turn();
		expect(sleeps).toEqual([1000, 1]);
		expect(now).toBe(1000);
	});
});

describe('createHalt', () => {
	const names = createRowNames(() => ({}));
	const one = {};
	const other = {};
	const bad = { error: new Error('bad') };

	it('stops the rows of one account, or all', () => {
		const halt = createHalt(false, () => false, names);
		expect(halt.reason(one)).toBeNull();
		halt.because('its key is wrong', one);
		expect([halt.reason(one), halt.reason(other)]).toEqual(['its key is wrong', null]);
		halt.because('another row is bad');
		halt.because('of something later');
		expect([halt.reason(one), halt.reason(other)]).toEqual(Array(2).fill('another row is bad'));
	});

	it('stops all after a row that went wrong, unless the run goes on', () => {
		const stops = createHalt(true, () => false, names);
		stops.after(0, { items: [] });
		stops.after(1, { ...bad, dryRun: true });
		expect(stops.reason(one)).toBeNull();
		stops.after(2, bad);
		stops.after(3, bad);
		expect(stops.reason(one)).toBe('of what happened to row 3 (item 2)');
		const goesOn = createHalt(false, () => false, names);
		goesOn.after(2, bad);
		expect(goesOn.reason(one)).toBeNull();
	});

	it('stops all when the execution is cancelled', () => {
		let isCancelled = false;
		const halt = createHalt(false, () => isCancelled, names);
		expect(halt.reason(one)).toBeNull();
		isCancelled = true;
		expect(halt.reason(one)).toBe('the execution was cancelled');
	});
});
