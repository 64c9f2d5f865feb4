import { ExpiringCache } from '../../../nodes/UnifiedPayments/trigger/endpoint/expiringCache.ts';

const KEEP_MS = 1000;
const GAP_MS = 100;

function setUp() {
	let now = 5000;
	let reads = 0;
	const slept: number[] = [];
	const sleep = async (ms: number) => {
		slept.push(ms);
		await Promise.resolve();
		now += ms;
	};
	const kept = new ExpiringCache<number>({ keepMs: KEEP_MS, gapMs: GAP_MS }, () => now, sleep);
	return { kept, slept, read: async () => ++reads, pass: (ms: number) => (now += ms) };
}

const broken = async () => await Promise.reject(new Error('The database is away'));

it('reads once, until its time is over', async () => {
	const { kept, read, pass } = setUp();

	expect(await kept.get('a', read)).toEqual({ value: 1, isFresh: true });
	await kept.get('b', async () => 0);
	pass(KEEP_MS - 1);
	await kept.get('c', async () => 0);
	expect(await kept.get('a', read)).toEqual({ value: 1, isFresh: false });
	pass(1);
	expect(await kept.get('a', read)).toEqual({ value: 2, isFresh: true });
});

it('keeps no failure', async () => {
	const { kept, read } = setUp();
	const both = await Promise.allSettled([kept.get('a', broken), kept.get('a', read)]);

	expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
	expect(await kept.get('a', read)).toEqual({ value: 1, isFresh: true });
});

it('does not go back to what it had when a renewal fails', async () => {
	const { kept, read } = setUp();
	await kept.get('a', read);

	await expect(kept.renew('a', broken)).rejects.toThrow('The database is away');
	expect(await kept.get('a', read)).toEqual({ value: 2, isFresh: true });
});

it('does not throw away what was read after a read that fails late', async () => {
	const { kept, read } = setUp();
	let fail: (reason: Error) => void = () => {};
	const late = kept.renew('a', async () => await new Promise((_, reject) => (fail = reject)));
	await kept.renew('a', read);
	fail(new Error('The database is away'));

	await expect(late).rejects.toThrow('The database is away');
	expect(await kept.get('a', read)).toEqual({ value: 1, isFresh: false });
});

it('begins no second read before the gap is over, and all who wait share it', async () => {
	const { kept, read, slept, pass } = setUp();
	await kept.get('a', read);
	pass(30);

	const all = Array.from({ length: 50 }, async () => await kept.renew('a', read));
	expect(new Set(await Promise.all(all))).toEqual(new Set([2]));
	expect(slept).toEqual([GAP_MS - 30]);
});
