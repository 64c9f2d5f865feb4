import fc from 'fast-check';

import { createClaims, type Claim } from '../../../nodes/UnifiedPayments/rows/claims.ts';
import { locked } from '../../../nodes/UnifiedPayments/transport/limiter.ts';
import type { ProcessedKeys } from '../../../nodes/UnifiedPayments/transport/processedKeys.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** As the host's store is: read, pause, write back. It can die before or after any write. */
function store(name: string, content = new Set<string>(), writesLeft = Infinity) {
	let left = writesLeft;
	const write = async (change: () => void) => {
		await turn();
		if (left-- <= 0) throw new Error('killed');
		change();
	};
	const keysOfHost: ProcessedKeys = {
		async record(keys) {
			const before = new Set(keys.filter((key) => content.has(key)));
			await write(() => keys.forEach((key) => content.add(key)));
			return before;
		},
		async remove(keys) {
			await write(() => keys.forEach((key) => content.delete(key)));
		},
		alone: async (work) => await locked(name, work),
	};
	return { claims: createClaims(keysOfHost), content };
}

it('gives a key to the first who asks', async () => {
	const { claims } = store('first');
	expect(await claims.claim(['a', 'b'])).toEqual(['mine', 'mine']);
	expect(await claims.claim(['b', 'c'])).toEqual(['unanswered', 'mine']);
});

it('says of an earlier key whether it was answered, as often as it is asked', async () => {
	const { claims } = store('answered');
	await claims.claim(['accepted', 'lost', 'refused']);
	await claims.settle([
		['accepted', 'answered'],
		['refused', 'released'],
	]);
	for (let time = 0; time < 3; time++) {
		expect(await claims.claim(['accepted', 'lost'])).toEqual(['answered', 'unanswered']);
	}
	expect(await claims.claim(['refused'])).toEqual(['mine']);
});

it('gives each of fifty who ask at the same moment a key of their own, or none', async () => {
	const { claims } = store('race');
	const answers = await Promise.all(
		Array.from({ length: 50 }, async () => await claims.claim(['same'])),
	);
	expect(answers.flat().filter((claim) => claim === 'mine')).toHaveLength(1);
});

it('asks for new keys with a single write', async () => {
	const { claims } = store('single', new Set(), 1);
	expect(await claims.claim(['a', 'b'])).toEqual(['mine', 'mine']);
});

it('writes nothing when there is nothing to settle', async () => {
	const { claims } = store('nothing', new Set(), 0);
	await expect(claims.settle([])).resolves.toBeUndefined();
});

/**
 * Whatever write is the last before a process dies, the next one must never send a row again that
 * may have been sent, and never call one answered that was not.
 */
it('errs on the safe side wherever it is interrupted', async () => {
	let runs = 0;
	await fc.assert(
		fc.asyncProperty(
			fc.array(fc.nat({ max: 4 }), { minLength: 1, maxLength: 8 }),
			fc.infiniteStream(fc.constantFrom('answered', 'released', 'lost')),
			async (deaths, ends) => {
				const content = new Set<string>();
				const keys = ['a', 'b', 'c', 'd'];
				const sent = new Set<string>();
				const answered = new Set<string>();
				for (const writes of deaths) {
					const { claims } = store(`run ${++runs}`, content, writes);
					try {
						const given = await claims.claim(keys);
						const mine = keys.filter((_, index) => given[index] === 'mine');
						given.forEach((claim: Claim, index) => {
							const key = keys[index]!;
							if (claim === 'answered') expect(answered).toContain(key);
							if (claim === 'mine') expect(sent).not.toContain(key);
						});
						const told = mine.map((key) => [key, ends.next().value as string] as const);
						for (const [key, end] of told) {
							if (end !== 'released') sent.add(key);
							if (end === 'answered') answered.add(key);
						}
						await claims.settle(
							told.flatMap(([key, end]) =>
								end === 'lost' ? [] : [[key, end as 'answered' | 'released']],
							),
						);
					} catch (error) {
						expect((error as Error).message).toBe('killed');
					}
				}
			},
		),
		{ numRuns: 2000 },
	);
});
