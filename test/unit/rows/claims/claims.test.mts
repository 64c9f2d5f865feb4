import { createClaims } from '../../../../nodes/UnifiedPayments/rows/claims/claims.ts';
import { createStore, elsewhere, wish, wishes } from '../claimStore.mts';

type Clock = Parameters<typeof createClaims>[1];

const setUp = (before: string[] = [], now?: Clock) => {
	const store = createStore(before);
	return { ...store, claims: createClaims(store.keys, now) };
};

/** Beside other processes, where a claim settles first: meanwhile this happens. */
const besideOthers = (before: string[], meanwhile: (store: Store) => Promise<void>) => {
	const store = createStore(before);
	const settling = { others: true, wait: async () => await meanwhile(store) };
	return { ...store, claims: createClaims(store.keys, undefined, settling) };
};
type Store = ReturnType<typeof createStore>;

/** Writes of one kind that go wrong as often as is said. */
const failing = ({ keys }: Store, kind: 'record' | 'remove') => {
	const real = keys[kind] as (entries: string[]) => Promise<never>;
	const fault = { times: 0 };
	keys[kind] = async (entries: string[]) => {
		if (fault.times-- > 0) throw new Error('the database is locked');
		return await real(entries);
	};
	return fault;
};

const orders = (keys: string[], values: string | null) => keys.map((key) => wish(key, { values }));

/** What is on record after a run whose claims ended like this. */
async function after(
	ends: Record<string, Parameters<ReturnType<typeof createClaims>['end']>[1]>,
	values: string | null = null,
): Promise<string[]> {
	const { content, claims } = setUp();
	await claims.claim(orders(Object.keys(ends), values));
	for (const [key, end] of Object.entries(ends)) claims.end(key, end);
	await claims.flush();
	return content;
}

/** Of an order of 100 KES: what a run hears that would send 7 KES, and one that would send the same. */
const asked = (key: string) => [wish(key, { values: '7 KES' }), wish(key, { values: '100 KES' })];
const TOLD = ['differs', 'sent'];

describe('a claim', () => {
	it('is given to the first who asks', async () => {
		const { claims } = setUp();
		expect(await claims.claim(wishes('a', 'b'))).toEqual(['mine', 'mine']);
		expect(await claims.claim(wishes('b', 'c'))).toEqual(['busy', 'mine']);
	});

	it('says of an earlier one whether it was answered, as often as it is asked', async () => {
		const content = await after({ accepted: 'answered', lost: 'unanswered', refused: 'released' });
		for (let time = 0; time < 3; time++) {
			const earlier = await elsewhere(content).claim(wishes('accepted', 'lost'));
			expect(earlier).toEqual(['sent', 'open']);
		}
		expect(await elsewhere(content).claim(wishes('refused'))).toEqual(['mine']);
		expect(await elsewhere(content).claim(wishes('refused'))).toEqual(['open']);
	});

	it('tells when the same order was sent with other values, as often as it is asked', async () => {
		const content = await after({ a: 'answered' }, '100 KES');
		for (let time = 0; time < 3; time++) {
			for (const [index, each] of asked('a').entries())
				expect(await elsewhere(content).claim([each])).toEqual([TOLD[index]]);
		}
	});

	it('tells so before it is written, and of what is under way', async () => {
		const { keys, claims } = setUp(['found', 'found 100 KES']);
		const values = '100 KES';
		await claims.claim([wish('sent', { values }), wish('busy', { values })]);
		claims.end('sent', 'answered');
		claims.found(wish('found', { values }));
		const other = createClaims(keys);
		for (const key of ['sent', 'found']) expect(await other.claim(asked(key))).toEqual(TOLD);
		expect(await other.claim(asked('busy'))).toEqual(['differs', 'busy']);
	});

	it('says nothing of an answer after n8n was stopped while it removed other values', async () => {
		const content = await after({ a: 'answered' }, '100 KES');
		content.push('a 7 KES');
		expect(await elsewhere(content).claim(asked('a').slice(0, 1))).toEqual(['open']);
		expect(await elsewhere(content).claim(asked('a').slice(1))).toEqual(['sent']);
	});

	it('of an open payment is given to who wants to send it again, once in a while', async () => {
		const content = await after({ a: 'unanswered', b: 'answered' });
		let now = 0;
		const second = createClaims(createStore(content).keys, () => now);
		expect(await second.takeOver(wishes('a', 'b'))).toEqual(['mine', 'sent']);
		expect(await second.takeOver(wishes('a'))).toEqual(['busy']);
		second.end('a', 'unanswered');
		// The service may still be at it.
		expect(await second.takeOver(wishes('a'))).toEqual(['busy']);
		now = 29 * 60_000;
		expect(await second.takeOver(wishes('a'))).toEqual(['busy']);
		now = 30 * 60_000;
		expect(await second.takeOver(wishes('a'))).toEqual(['mine']);
		second.end('a', 'answered');
		await second.flush();
		expect(await elsewhere(content).takeOver(wishes('a'))).toEqual(['sent']);
	});

	it('of an open payment leaves nothing behind when another one has it', async () => {
		const { keys, content } = createStore(['a', 'a again 1']);
		const claims = createClaims(keys, () => 2 * 15 * 60_000);
		expect(await claims.takeOver(wishes('a'))).toEqual(['busy']);
		expect(content).toEqual(['a', 'a again 1']);
	});

	it('keeps the values of what was sent, not of what was asked for', async () => {
		const before = ['a', 'a 100 KES', 'b', 'b 100 KES', 'b 100 KES answered'];
		const { content, claims } = setUp(before);
		const other = (key: string) => wish(key, { values: '7 KES' });
		expect(await claims.claim([other('a'), other('b')])).toEqual(['differs', 'differs']);
		expect(content).toHaveLength(5);
	});

	it('has three entries at most', async () => {
		const values = '100 KES';
		const { content, claims } = setUp();
		for (const key of ['a', 'b']) {
			await claims.claim([wish(key, { values })]);
			claims.end(key, 'answered');
		}
		await claims.flush();
		await elsewhere(content).claim(orders(['a', 'b'], values));
		expect(content).toHaveLength(6);
	});

	it('that was sent before without an answer stays open after a no', async () => {
		const { content, claims } = setUp(['a', 'b']);
		expect(await claims.takeOver(wishes('a', 'b'))).toEqual(['mine', 'mine']);
		claims.end('a', 'released');
		claims.end('b', 'answered');
		await claims.flush();
		expect(await elsewhere(content).claim(wishes('a', 'b'))).toEqual(['open', 'sent']);
	});

	it('that was released is taken again with what is sent for it now, and stays', async () => {
		const { content, claims } = setUp();
		await claims.claim([wish('a', { values: '100 KES' })]);
		claims.end('a', 'released');
		const corrected = wish('a', { values: '90 KES' });
		expect(await claims.claim([corrected, wish('b')])).toEqual(['mine', 'mine']);
		expect(content).toEqual(['a', 'a 90 KES', 'b']);
		await claims.flush();
		// Now the process dies: it may have been sent.
		expect(await elsewhere(content).claim(wishes('a'))).toEqual(['open']);
	});

	it('is free again for the next run when it could not be written down', async () => {
		const { claims, ...store } = setUp();
		await claims.claim(wishes('a'));
		claims.end('a', 'released');
		const fault = failing(store, 'record');
		fault.times = Infinity;
		await expect(claims.claim(wishes('a', 'b'))).rejects.toThrow('the database is locked');
		fault.times = 0;
		expect(await claims.claim(wishes('a', 'b'))).toEqual(['mine', 'mine']);
	});

	it('knows what has ended and is not written yet', async () => {
		const { keys, calls, claims } = setUp();
		await claims.claim(wishes('a', 'b', 'c'));
		claims.end('a', 'answered');
		claims.end('b', 'released');
		const other = createClaims(keys);
		expect(await other.claim(wishes('a', 'b', 'c'))).toEqual(['sent', 'mine', 'busy']);
		// What is free again is claimed anew.
		expect(calls).toEqual(['record 3', 'remove 1', 'record 2']);
	});

	it('of fifty who ask at the same moment is given to one', async () => {
		const { claims } = setUp();
		const fifty = Array.from({ length: 50 }, async () => await claims.claim(wishes('same')));
		const answers = (await Promise.all(fifty)).flat();
		expect(answers.filter((claim) => claim === 'mine')).toHaveLength(1);
	});

	it('whose look-up was interrupted is open, and not sent again', async () => {
		const interrupted = () => ['a', 'a v', 'a v answered', 'a v answered asked'];
		const request = [wish('a', { values: 'v' })];
		const content = interrupted();
		expect(await elsewhere(content).claim(request)).toEqual(['open']);
		expect(content.sort()).toEqual(interrupted().sort());
		expect(await elsewhere(content).takeOver(request)).toEqual(['open']);
	});

	it('that the service turned out to have counts as answered, also after such a look-up', async () => {
		const { content, claims } = setUp(['a', 'a answered', 'a answered asked', 'b']);
		claims.found(wish('a'));
		claims.found(wish('b'));
		await claims.flush();
		expect(await claims.claim(wishes('c'))).toEqual(['mine']);
		expect(content.filter((entry) => entry.endsWith('asked'))).toEqual([]);
		expect(await elsewhere(content).claim(wishes('a', 'b'))).toEqual(['sent', 'sent']);
	});

	it('of what this process knows already is no write', async () => {
		const { calls, claims } = besideOthers([], async () => {});
		await claims.claim(wishes('a'));
		calls.length = 0;
		expect(await claims.claim(wishes('a'))).toEqual(['busy']);
		expect(calls).toEqual([]);
	});

	it.each([
		['is sending it', null, 'busy'],
		['had it refused', 'released', 'busy'],
		['had it accepted', 'answered', 'sent'],
	] as const)(
		'is not given to a run that waited while another of this process %s',
		async (_, end, answer) => {
			const { claims } = besideOthers(['theirs'], async ({ keys, content }) => {
				// Another worker set it free, and the other run takes it.
				content.splice(content.indexOf('theirs'), 1);
				const other = createClaims(keys);
				expect(await other.claim(wishes('theirs'))).toEqual(['mine']);
				if (end !== null) other.end('theirs', end);
			});
			expect(await claims.claim(wishes('new', 'theirs'))).toEqual(['mine', answer]);
		},
	);

	it('that is there in part after it settled is written again, and still ours', async () => {
		let waits = 0;
		const { content, claims } = besideOthers([], async (store) => {
			// A neighbour that forgets the oldest entries.
			if (waits++ === 0) store.content.splice(store.content.indexOf('a'), 1);
		});
		expect(await claims.claim(wishes('a', 'b'))).toEqual(['mine', 'mine']);
		expect(waits).toBe(2);
		expect(content).toEqual(expect.arrayContaining(['a', 'b']));
	});

	it('that was answered stays answered when n8n stood still', async () => {
		let now = 0;
		const { keys, claims } = setUp(['old', 'old answered'], () => now);
		const { record } = keys;
		keys.record = async (entries) => {
			now += 20_000;
			return await record(entries);
		};
		expect(await claims.claim(wishes('old', 'new'))).toEqual(['sent', 'open']);
		expect(claims.hasStalled()).toBe(true);
		// The next run does not know whether another one sent it.
		expect(await createClaims(keys).claim(wishes('new'))).toEqual(['open']);
	});
});

describe('looking without claiming', () => {
	it('tells what was claimed before, and leaves nothing behind', async () => {
		const ends = { accepted: 'answered', lost: 'unanswered', refused: 'released' } as const;
		const content = await after(ends, 'v');
		const before = [...content];
		const asked = orders(['accepted', 'lost', 'refused', 'new'], 'v');
		expect(await elsewhere(content).known(asked)).toEqual(new Set(asked.slice(0, 2)));
		expect(content).toEqual(before);
	});

	it('asks the store only about what this process does not know, and for few at a time', async () => {
		const { calls, claims } = setUp();
		const [a] = wishes('a');
		await claims.claim([a!]);
		calls.length = 0;
		expect(await claims.known([a!, wish('b')])).toEqual(new Set([a]));
		expect(calls).toEqual(['record 1', 'remove 1']);
		calls.length = 0;
		await claims.known(Array.from({ length: 120 }, (_, at) => wish(`n${at}`)));
		expect(calls).toEqual([24, 24, 24, 24, 24].flatMap((n) => [`record ${n}`, `remove ${n}`]));
	});
});

describe('what was settled', () => {
	/** A run whose clock is set, and what it has written when what is due then was written. */
	const timed = () => {
		let now = 0;
		const { calls, content, claims } = setUp([], () => now);
		const dueAt = async (ms: number) => {
			now = ms;
			await claims.flush('due');
			return [...calls];
		};
		return { calls, content, claims, dueAt };
	};

	it('as free is removed from the store once in a second, or at the end', async () => {
		const { calls, content, claims, dueAt } = timed();
		await claims.claim([wish('a', { values: 'v' }), ...wishes('b', 'c')]);
		claims.end('a', 'released');
		expect(await dueAt(999)).toEqual(['record 4']);
		expect(await dueAt(1000)).toEqual(['record 4', 'remove 2']);
		claims.end('b', 'released');
		expect(await dueAt(1999)).toHaveLength(2);
		// Claims that are written meanwhile do not put it off.
		await claims.claim(wishes('d'));
		expect(await dueAt(2000)).toEqual(['record 4', 'remove 2', 'record 1', 'remove 1']);
		claims.end('c', 'released');
		for (let time = 0; time < 2; time++) await claims.flush();
		expect(calls).toHaveLength(5);
		expect(content).toEqual(['d']);
	});

	it('is not lost when a write goes wrong once, nor when all of them do for a while', async () => {
		const { claims, ...store } = setUp();
		const fault = failing(store, 'record');
		await claims.claim(wishes('a', 'b'));
		claims.end('a', 'answered');
		claims.end('b', 'released');
		fault.times = 1;
		await claims.flush();
		expect(store.content).toEqual(['a', 'a answered']);

		await claims.claim(wishes('c'));
		claims.end('c', 'answered');
		fault.times = Infinity;
		await expect(claims.flush()).rejects.toThrow('the database is locked');
		fault.times = 0;
		await claims.claim(wishes('d'));
		expect(store.content).toContain('c answered');
	});

	it('stays true when what a look-up left behind cannot be removed', async () => {
		const { claims, ...store } = setUp(['a', 'a answered']);
		const fault = failing(store, 'remove');
		fault.times = 1;
		expect(await claims.claim(wishes('a', 'b'))).toEqual(['sent', 'mine']);
		claims.end('b', 'released');
		await claims.flush();

		fault.times = Infinity;
		await expect(claims.claim(wishes('new', 'a'))).rejects.toThrow('the database is locked');
		fault.times = 0;
		expect(await claims.claim(wishes('new', 'a', 'b'))).toEqual(['mine', 'sent', 'mine']);
		expect(store.content.filter((entry) => entry.endsWith('asked'))).toEqual([]);
	});

	it('as free goes in small steps, each of which holds n8n only for a moment', async () => {
		const { calls, content, claims } = setUp();
		const keys = Array.from({ length: 60 }, (_, at) => `n${at}`);
		await claims.claim(orders(keys, 'v'));
		for (const key of keys) claims.end(key, 'released');
		await claims.flush();
		expect(calls).toEqual(['record 120', ...Array<string>(5).fill('remove 24')]);
		expect(content).toEqual([]);
	});

	it('is tried three times', async () => {
		const { keys, claims } = setUp();
		await claims.claim(wishes('a'));
		claims.end('a', 'answered');
		keys.record = jest.fn(async () => await Promise.reject(new Error('the database is locked')));
		await expect(claims.flush()).rejects.toThrow('the database is locked');
		expect(keys.record).toHaveBeenCalledTimes(3);
	});

	it('is taken back when it proves nothing, at the end of the run', async () => {
		const { calls, content, claims } = setUp(['a', 'a answered']);
		claims.doubt(wish('a'));
		await claims.flush('due');
		expect(calls).toEqual([]);
		await claims.flush();
		expect(content).toEqual(['a']);
	});

	it('without a claim is nothing, and nobody waits for the store then', async () => {
		const { keys, calls, claims } = setUp();
		claims.end('never claimed', 'answered');
		const alone = jest.spyOn(keys, 'alone');
		await claims.flush();
		expect(calls).toEqual([]);
		expect(alone).not.toHaveBeenCalled();
	});
});

describe('the limit', () => {
	it.each([
		[99_997, 1, null],
		[180_000, 1, 180_000],
		[10, 60_000, 180_000],
		[10, 30_000, null],
		[100_000, 1, 100_000],
		[100_000, 25_000, 100_000],
		[200_000, 1, 200_000],
	])('of a store with %d entries, after %d rows, cuts at %p', async (entries, rows, cut) => {
		const { keys, calls, claims } = setUp();
		keys.record = async () => new Set();
		keys.count = async () => entries;
		await claims.claim(wishes('a'));
		keys.count = async () => entries + 3 * rows;
		await claims.trim(rows);
		expect(calls).toEqual(cut === null ? [] : [`trim ${cut}`]);
	});
});
