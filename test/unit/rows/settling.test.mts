import fc from 'fast-check';

import type { Claim } from '../../../nodes/UnifiedPayments/rows/claims/claimRecords.ts';
import { createClaims, type Claims } from '../../../nodes/UnifiedPayments/rows/claims/claims.ts';
import { SETTLE_MS } from '../../../nodes/UnifiedPayments/rows/claims/writtenClaims.ts';
import { locked } from '../../../nodes/UnifiedPayments/transport/limiter.ts';
import type { ProcessedKeys } from '../../../nodes/UnifiedPayments/transport/processedKeys.ts';
import { createClock, type Clock } from './clock.mts';

/** As n8n's store is for several workers: read as a whole, and written back as a whole. */
interface Shared {
	list: string[];
}

let workers = 0;

/** The store as one worker has it. `pause` says how long it takes from reading to writing. */
function createWorker(shared: Shared, clock: Clock, pause: () => number): ProcessedKeys {
	const name = `worker ${++workers}`;
	const write = async (change: (list: string[]) => string[]) => {
		const read = shared.list;
		await clock.sleep(pause());
		shared.list = change(read);
		return read;
	};
	return {
		name,
		async record(entries) {
			const isNew = (list: string[]) => entries.filter((entry) => !list.includes(entry));
			const read = await write((list) => [...list, ...isNew(list)]);
			return new Set(entries.filter((entry) => read.includes(entry)));
		},
		async remove(entries) {
			await write((list) => list.filter((entry) => !entries.includes(entry)));
		},
		count: async () => shared.list.length,
		trim: async (most) => void (await write((list) => list.slice(-most))),
		alone: async (work) => await locked(name, work),
	};
}

const wishes = (...keys: string[]): Parameters<Claims['claim']>[0] =>
	keys.map((key) => ({ key, values: `${key} 100 KES` }));

const WRITE_MS = 20;
/** What is heard of two rows that another one sends. */
const SENT = ['open', 'open'];

function setUp({ settles = true, pause = (): number => WRITE_MS } = {}) {
	const clock = createClock();
	const shared: Shared = { list: [] };
	let started = 0;
	const start = (own = pause, others = settles) => {
		const step = 2 * WRITE_MS * ++started;
		const wait = async (looks: number) => await clock.sleep(SETTLE_MS + looks * step);
		return createClaims(createWorker(shared, clock, own), clock.now, { others, wait });
	};
	return { clock, shared, start };
}

it('of two workers that claim the same rows at the same moment, one does', async () => {
	const { clock, start } = setUp();
	const asked = Promise.all([start().claim(wishes('a', 'b')), start().claim(wishes('b', 'a'))]);
	expect((await clock.run(asked)).sort()).toEqual([Array(2).fill('mine'), SENT]);
});

it('of many small runs of different rows at the same moment, what is sent is on record', async () => {
	const { clock, shared, start } = setUp();
	const keys = ['a', 'b', 'c', 'd', 'e', 'f'];
	const asked = keys.map(async (key) => await start().claim(wishes(key)));
	expect((await clock.run(Promise.all(asked))).flat()).toEqual(Array(6).fill('mine'));
	expect(shared.list).toEqual(expect.arrayContaining(keys));
});

describe('a claim that settles', () => {
	it('is written with one mark for all its rows, and one look', async () => {
		const { clock, shared, start } = setUp();
		await clock.run(start().claim(wishes('a', 'b')));
		expect(shared.list).toEqual([
			...['a', 'a a 100 KES', 'b', 'b b 100 KES'],
			expect.stringMatching(/ settles$/) as string,
		]);
	});

	it('is under way for others of this process meanwhile', async () => {
		const { clock, start } = setUp();
		const claims = start();
		const first = claims.claim(wishes('a'));
		const second = clock.sleep(SETTLE_MS / 2).then(async () => await claims.claim(wishes('a')));
		expect(await clock.run(Promise.all([first, second]))).toEqual([['mine'], ['busy']]);
	});

	it('is written again when a look of another worker took it out', async () => {
		const { clock, shared, start } = setUp();
		const [one, other] = [start(() => WRITE_MS + 1), start()];
		const claimed = one.claim(wishes('a'));
		// Both read before either has written, so the look takes it for its own entry.
		const looked = other.known(wishes('a'));
		expect(await clock.run(Promise.all([claimed, looked]))).toEqual([['mine'], new Set()]);
		expect(shared.list).toContain('a');
	});

	it('that is written over again and again is given up, and its rows are free', async () => {
		const { clock, shared, start } = setUp();
		const claims = start();
		let isOver = false;
		const asked = claims.claim(wishes('a')).finally(() => (isOver = true));
		const spoil = async () => {
			while (!isOver) {
				await clock.sleep(SETTLE_MS / 2);
				shared.list = [];
			}
		};
		const spoiling = spoil();
		await expect(clock.run(asked)).rejects.toThrow('other workers wrote over it again and again');
		await clock.run(spoiling);
		expect(await clock.run(claims.claim(wishes('a')))).toEqual(['mine']);
	});
});

/** Whoever claims what, and when: nothing is given twice, and no claim that was given is lost. */
const holdsFor = async (processes: (set: ReturnType<typeof setUp>) => Promise<Claims[]>) =>
	await fc.assert(
		fc.asyncProperty(
			fc.array(
				fc.record({
					by: fc.constantFrom(0, 1, 2),
					at: fc.nat(4 * WRITE_MS),
					keys: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1 }),
				}),
				{ minLength: 2, maxLength: 8 },
			),
			fc.infiniteStream(fc.integer({ min: 1, max: WRITE_MS })),
			async (runs, pauses) => {
				const set = setUp({ pause: () => pauses.next().value as number });
				const { clock, shared } = set;
				const claims = await processes(set);
				const asked = runs.map(async ({ by, at, keys }) => {
					await clock.sleep(at);
					const given = await claims[by]!.claim(wishes(...keys)).catch((): Claim[] =>
						keys.map(() => 'busy'),
					);
					return keys.filter((_, index) => given[index] === 'mine');
				});
				const mine = (await clock.run(Promise.all(asked))).flat();
				expect(mine.length).toBe(new Set(mine).size);
				expect(mine.filter((key) => !shared.list.includes(key))).toEqual([]);
			},
		),
		{ numRuns: 200 },
	);

it('as long as claims settle for longer than what may overlap, nothing is given twice and no claim is lost', async () => {
	await holdsFor(async ({ start }) => [start(), start(), start()]);
});

describe.each([
	['for longer than claims settle', true, 5 * SETTLE_MS],
	['for long, where nothing settles', false, 11_000],
])('a worker that is paused between reading and writing, %s', (_, settles, PAUSE_MS) => {
	/** Stands still in its first write, or in the one of which the number is given. */
	const pausedIn = (write: number) => () => (--write === 0 ? PAUSE_MS : WRITE_MS);

	it('does not send what another may have sent meanwhile, nor anything else', async () => {
		const { clock, start } = setUp({ settles });
		const [awake, paused] = [start(), start(pausedIn(1))];
		const late = paused.claim(wishes('a', 'b'));
		expect(await clock.run(awake.claim(wishes('a')))).toEqual(['mine']);
		expect(await clock.run(late)).toEqual(['open', 'open']);
		expect(await clock.run(paused.claim(wishes('c')))).toEqual(['open']);
	});

	it('claims its rows nevertheless, so that none of them is sent by the next run', async () => {
		const { clock, shared, start } = setUp({ settles });
		const [awake, paused] = [start(), start(pausedIn(1))];
		const late = paused.claim(wishes('a'));
		await clock.run(awake.claim(wishes('a', 'b')));
		await clock.run(late);
		expect(shared.list).not.toContain('b');
		await clock.run(paused.claim(wishes('b')));
		await clock.run(paused.flush());
		expect(await clock.run(start().claim(wishes('a', 'b')))).toEqual(SENT);
	});

	it('also when it only wrote down answers, or took claims away', async () => {
		for (const end of ['answered', 'released'] as const) {
			const { clock, start } = setUp({ settles });
			// Two writes where claims settle, one where it does not.
			const paused = start(pausedIn(settles ? 3 : 2));
			expect(await clock.run(paused.claim(wishes('a')))).toEqual(['mine']);
			paused.end('a', end);
			await clock.run(paused.flush());
			expect(await clock.run(paused.claim(wishes('b')))).toEqual(['open']);
		}
	});

	it('but undoes what others claimed of other rows: the next run of those sends them again', async () => {
		const { clock, shared, start } = setUp({ settles });
		const [awake, paused] = [start(), start(pausedIn(1))];
		const late = paused.claim(wishes('b'));
		expect(await clock.run(awake.claim(wishes('a')))).toEqual(['mine']);
		expect(shared.list).toContain('a');
		await clock.run(late);
		expect(shared.list).not.toContain('a');
		expect(await clock.run(start().claim(wishes('a')))).toEqual(['mine']);
	});
});

it('a write may take as long as a claim settles, and no longer', async () => {
	for (const [ms, claim] of [
		[SETTLE_MS, 'mine'],
		[SETTLE_MS + 1, 'open'],
	] as const) {
		const { clock, start } = setUp();
		expect(await clock.run(start(() => ms).claim(wishes('a')))).toEqual([claim]);
	}
});

describe('a payment that a person wants to be sent again', () => {
	it('is given to one of two workers, and to nobody else while that one may be sending it', async () => {
		const { clock, shared, start } = setUp();
		shared.list.push('a', 'a a 100 KES');
		const asked = [start(), start()].map(async (each) => await each.takeOver(wishes('a')));
		expect((await clock.run(Promise.all(asked))).flat().sort()).toEqual(['busy', 'mine']);
		expect(await clock.run(start().takeOver(wishes('a')))).toEqual(['busy']);
	});
});
