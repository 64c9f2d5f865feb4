import { setImmediate as nextTurn } from 'node:timers/promises';

import { locked } from '../../../nodes/UnifiedPayments/transport/limiter.ts';
import type { ProcessedKeys } from '../../../nodes/UnifiedPayments/transport/processedKeys.ts';
import { claim } from '../../../nodes/UnifiedPayments/trigger/execution/repeats.ts';

/** Like the host's: reads, then writes, with a gap between; duplicates in one call are all new. */
function memory(): ProcessedKeys & { entries: Set<string> } {
	let kept = new Set<string>();
	const name = `store ${Math.random()}`;
	return {
		name,
		count: async () => kept.size,
		trim: async () => undefined,
		get entries() {
			return kept;
		},
		async record(keys) {
			const before = new Set(kept);
			await nextTurn();
			kept = new Set([...before, ...keys]);
			return new Set(keys.filter((key) => before.has(key)));
		},
		async remove(keys) {
			const before = new Set(kept);
			await nextTurn();
			for (const key of keys) before.delete(key);
			kept = before;
		},
		alone: async (work) => await locked(name, work),
	};
}

type Occurrence = Parameters<typeof claim>[1];

let deliveries = 0;
const event = (state: string, changes: Partial<Occurrence> = {}): Occurrence => ({
	reference: 'TX-1',
	state: state as Occurrence['state'],
	order: null,
	delivery: `delivery ${++deliveries}`,
	...changes,
});

const isNews = async (store: ProcessedKeys, occurrence: Occurrence): Promise<boolean> =>
	(await claim(store, occurrence)) === 'news';

const claims = async (store: ProcessedKeys, ...events: Occurrence[]): Promise<boolean[]> => {
	const results: boolean[] = [];
	for (const each of events) results.push(await isNews(store, each));
	return results;
};

describe('an event', () => {
	it('is news once', async () => {
		expect(await claims(memory(), event('success'), event('success'), event('success'))).toEqual([
			true,
			false,
			false,
		]);
	});

	it('at the same time takes the store two turns at the most', async () => {
		const store = memory();
		const { record } = store;
		let turns = 0;
		store.record = async (keys) => {
			turns++;
			return await record(keys);
		};
		const states = ['success', 'failed', 'success', 'pending', 'success', 'failed'];
		const results = await Promise.all(
			states.map(async (state) => await isNews(store, event(state))),
		);
		expect(results).toEqual([true, true, true, false, false, true]);
		expect(turns).toBeLessThanOrEqual(2);
		expect([...store.entries].filter((key) => key.startsWith('is '))).toEqual(['is failed TX-1']);
	});

	it('is told to all who wait when the store fails, and the next ones are not held up', async () => {
		const store = memory();
		const { record } = store;
		store.record = async () => await Promise.reject(new Error('The database is away'));
		const all = Array.from({ length: 3 }, async () => await claim(store, event('success')));
		const ended = await Promise.allSettled(all);
		expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
		store.record = record;
		expect(await isNews(store, event('success'))).toBe(true);
	});

	it('is news again for the delivery that claimed it, and for no other', async () => {
		const store = memory();
		const [first, second] = [event('success'), event('success')];
		expect(await claims(store, first, second, first, second, first)).toEqual([
			true,
			false,
			true,
			false,
			true,
		]);
	});

	it('without a name of its delivery is news once', async () => {
		const nameless = event('success', { delivery: '' });
		expect(await claims(memory(), nameless, nameless)).toEqual([true, false]);
	});
});

describe('the order of states', () => {
	it.each([
		'pending* success*',
		'success* pending',
		'failed* pending pending',
		'pending* pending success*',
		'success* failed*',
		'success* failed* success* success failed* failed pending success*',
		'other* other* success* other* success other*',
		'pending* other* pending',
		'success* other* pending',
		'other* pending* success*',
	])('of %s, those with a star are emitted', async (told) => {
		const words = told.split(' ');
		const emitted = await claims(memory(), ...words.map((word) => event(word.replace('*', ''))));
		expect(emitted).toEqual(words.map((word) => word.endsWith('*')));
	});

	it('a final state ends its own transaction, and no other', async () => {
		const other = { reference: 'TX-2' };
		expect(await claims(memory(), event('success'), event('pending', other))).toEqual([true, true]);
	});

	it('a final state that is the first is one write', async () => {
		const store = memory();
		store.remove = async () => await Promise.reject(new Error('a second write'));
		const news = event('success', { delivery: 'd' });
		expect(await isNews(store, news)).toBe(true);
		expect([...store.entries]).toEqual(['is success TX-1', 'owner success TX-1 d', 'final TX-1']);
	});

	it('what cannot be read is no write at all', async () => {
		const store = memory();
		expect(await isNews(store, event('other'))).toBe(true);
		expect([...store.entries]).toEqual([]);
	});

	it('asking whether a final state was seen leaves no mark of one', async () => {
		const store = memory();
		expect(await claims(store, event('pending'), event('pending'))).toEqual([true, false]);
		expect([...store.entries].filter((key) => key.startsWith('final'))).toEqual([]);
	});

	it('a change that ended between its two writes is made good when it runs again', async () => {
		const store = memory();
		const { remove } = store;
		const change = event('failed');
		await claim(store, event('success'));
		store.remove = async () => await Promise.reject(new Error('the machine stopped'));
		await expect(claim(store, change)).rejects.toThrow('the machine stopped');
		store.remove = remove;
		expect(await claims(store, change, event('failed'), event('success'))).toEqual([
			true,
			false,
			true,
		]);
	});

	it('what is outdated is not remembered as seen', async () => {
		const store = memory();
		await claims(store, event('success'), event('pending'));
		expect([...store.entries].filter((key) => key.includes('pending'))).toEqual([]);
	});

	it('a retried delivery of something outdated stays outdated', async () => {
		const store = memory();
		const early = event('pending');
		expect(await claims(store, early, event('success'), early)).toEqual([true, true, false]);
	});
});

describe('the order of a payment', () => {
	const [a1, b2] = [{ order: 'A-1' }, { order: 'B-2' }];
	const told = async (store: ProcessedKeys, ...events: Occurrence[]) => {
		const results: string[] = [];
		for (const each of events) results.push(await claim(store, each));
		return results;
	};

	it('is news once when it becomes known, and a stranger changes nothing afterwards', async () => {
		const store = memory();
		expect(
			await told(
				store,
				event('success'),
				event('success', a1),
				event('success', a1),
				event('success'),
			),
		).toEqual(['news', 'news', 'repeat', 'repeat']);
	});

	it('is no news when the payment is pending and was decided', async () => {
		expect(await told(memory(), event('success'), event('pending', a1))).toEqual([
			'news',
			'repeat',
		]);
	});

	it('is one: the same payment for another order is neither news nor a repeat', async () => {
		const store = memory();
		const [first, other] = [event('success', a1), event('success', b2)];
		const results = await told(store, event('success'), first, other, other, first);
		expect(results).toEqual(['news', 'news', 'otherOrder', 'otherOrder', 'news']);
		expect([...store.entries].filter((key) => key.includes('B-2'))).toEqual([]);
	});

	it('is decided in one write, with five entries', async () => {
		const store = memory();
		store.remove = async () => await Promise.reject(new Error('a second write'));
		expect(await claim(store, event('success', { ...a1, delivery: 'd' }))).toBe('news');
		expect([...store.entries]).toEqual([
			'is success TX-1',
			'ordered success TX-1',
			'order ["TX-1","A-1"]',
			'owner success TX-1 d',
			'final TX-1',
		]);
	});
});
