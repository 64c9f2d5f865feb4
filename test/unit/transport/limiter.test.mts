import {
	createLimiter,
	createYield,
	locked,
	within,
} from '../../../nodes/UnifiedPayments/transport/limiter.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

let seen: string[] = [];
beforeEach(() => (seen = []));
const work =
	(name: string, turns = 1) =>
	async () => {
		seen.push(`${name} in`);
		for (let waited = 0; waited < turns; waited++) await turn();
		seen.push(`${name} out`);
		return name;
	};

it('lets one in after the other, in the order of the calls', async () => {
	const names = ['a', 'b', 'c'];
	expect(await Promise.all(names.map((name) => locked('same', work(name))))).toEqual(names);
	expect(seen).toEqual(['a in', 'a out', 'b in', 'b out', 'c in', 'c out']);
});

it('lets nobody in beside the second when the first has gone', async () => {
	const first = locked('line', work('first', 1));
	const second = locked('line', work('second', 5));
	await first;
	const late = locked('line', work('late', 1));
	await Promise.all([second, late]);
	expect(seen).toEqual(['first in', 'first out', 'second in', 'second out', 'late in', 'late out']);
});

it('keeps names apart', async () => {
	let release = () => {};
	const held = locked('held', () => new Promise<void>((resolve) => (release = resolve)));
	expect(await locked('free', async () => 'passed')).toBe('passed');
	release();
	await held;
});

it('tells the caller what went wrong, and lets the next one in', async () => {
	const bad = locked('broken', async () => {
		throw new Error('no');
	});
	const next = locked('broken', async () => 'next');
	await expect(bad).rejects.toThrow('no');
	expect(await next).toBe('next');
	expect(await locked('broken', async () => 'later')).toBe('later');
});

describe('work that is not waited for without end', () => {
	const never = new Promise<string>(() => {});

	it('gives its result when it is there in time', async () => {
		expect(await within(5000, Promise.resolve('done'))).toBe('done');
		await expect(within(5000, Promise.reject(new Error('no')))).rejects.toThrow('no');
	});

	it('gives nothing when it takes longer', async () => {
		expect(await within(5, never)).toBeNull();
		expect(await within(5, never, new AbortController().signal)).toBeNull();
	});

	it('gives nothing as soon as the signal ends the waiting', async () => {
		const stop = new AbortController();
		const result = within(60_000, never, stop.signal);
		stop.abort();
		expect(await result).toBeNull();
	});
});

describe('a turn for the host', () => {
	afterEach(() => jest.restoreAllMocks());

	it('is given after 20 ms of work, and not before', async () => {
		let now = 1000;
		jest.spyOn(Date, 'now').mockImplementation(() => now);
		const giveTurn = createYield();
		let turns = 0;
		/** Whether others came to their turn meanwhile. */
		const passes = async () => {
			const before = turns;
			const others = setTimeout(() => turns++, 0);
			await giveTurn();
			clearTimeout(others);
			return turns > before;
		};
		now += 19;
		expect(await passes()).toBe(false);
		now += 1;
		expect(await passes()).toBe(true);
		now += 19;
		expect(await passes()).toBe(false);
	});
});

describe('a limiter', () => {
	it('lets no more work run at the same time than it may, in the order of the calls', async () => {
		const limit = createLimiter(3);
		const begun: number[] = [];
		let running = 0;
		let most = 0;
		const waits = async (index: number) => {
			begun.push(index);
			most = Math.max(most, ++running);
			for (let waited = 0; waited < index % 4; waited++) await turn();
			running--;
			return index;
		};
		const all = Array.from({ length: 20 }, (_, index) => index);
		const results = await Promise.all(all.map((index) => limit(async () => await waits(index))));
		expect([results, begun]).toEqual([all, all]);
		expect(most).toBe(3);
	});

	it('goes on after work that went wrong', async () => {
		const limit = createLimiter(1);
		const bad = limit(async () => {
			throw new Error('no');
		});
		const next = limit(async () => 'next');
		await expect(bad).rejects.toThrow('no');
		expect(await next).toBe('next');
	});
});
