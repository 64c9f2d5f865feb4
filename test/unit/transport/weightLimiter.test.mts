import {
	createLimiter,
	createWeightLimiter,
} from '../../../nodes/UnifiedPayments/transport/limiter.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

it('lets no more work run at the same time than it may, in the order of the calls', async () => {
	const limit = createLimiter(3);
	const begun: number[] = [];
	let running = 0;
	let most = 0;
	const work = async (index: number) => {
		begun.push(index);
		most = Math.max(most, ++running);
		for (let waited = 0; waited < index % 4; waited++) await turn();
		running--;
		return index;
	};
	const all = Array.from({ length: 20 }, (_, index) => index);
	const results = await Promise.all(all.map((index) => limit(async () => await work(index))));
	expect([results, begun]).toEqual([all, all]);
	expect(most).toBe(3);
});

it('keeps what is under way together below its weight, and lets one that is heavier run alone', async () => {
	const limit = createWeightLimiter(10);
	let weight = 0;
	let most = 0;
	let alone = 0;
	const weights = [4, 6, 4, 25, 1, 1, 9, 3];
	const begun: number[] = [];
	const work = async (each: number) => {
		begun.push(each);
		weight += each;
		if (each > 10) alone = weight;
		else most = Math.max(most, weight);
		await turn();
		weight -= each;
	};
	await Promise.all(weights.map((each) => limit(each, async () => await work(each))));
	expect(begun).toEqual(weights);
	expect(most).toBe(10);
	expect(alone).toBe(25);
});

it('goes on after work that went wrong', async () => {
	const limit = createWeightLimiter(1);
	const bad = limit(1, async () => {
		throw new Error('no');
	});
	const next = limit(1, async () => 'next');
	await expect(bad).rejects.toThrow('no');
	expect(await next).toBe('next');
});
