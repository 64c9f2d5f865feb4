import { locked } from '../../../nodes/UnifiedPayments/transport/limiter.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

it('lets one in after the other, in the order of the calls', async () => {
	const seen: string[] = [];
	const work = (name: string) => async () => {
		seen.push(`${name} in`);
		await turn();
		seen.push(`${name} out`);
		return name;
	};
	expect(await Promise.all(['a', 'b', 'c'].map((name) => locked('same', work(name))))).toEqual([
		'a',
		'b',
		'c',
	]);
	expect(seen).toEqual(['a in', 'a out', 'b in', 'b out', 'c in', 'c out']);
});

it('lets nobody in beside the second when the first has gone', async () => {
	const seen: string[] = [];
	const work = (name: string, turns: number) => async () => {
		seen.push(`${name} in`);
		for (let waited = 0; waited < turns; waited++) await turn();
		seen.push(`${name} out`);
	};
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
