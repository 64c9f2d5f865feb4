import type { ProcessedKeys } from '../../../nodes/UnifiedPayments/transport/processedKeys.ts';
import { isNews, nameOf } from '../../../nodes/UnifiedPayments/trigger/execution/repeats.ts';
import { createStore } from '../rows/claimStore.mts';

const memory = () => {
	const { keys, content } = createStore();
	return Object.assign(keys, { entries: content });
};

type Occurrence = Parameters<typeof isNews>[1];

let deliveries = 0;
const event = (state: string, changes: Partial<Occurrence> = {}): Occurrence => ({
	name: 'TX-1',
	amount: 10,
	state: state as Occurrence['state'],
	order: null,
	delivery: `delivery ${++deliveries}`,
	...changes,
});

const tell = async (store: ProcessedKeys, ...events: Occurrence[]) => {
	const results: string[] = [];
	for (const each of events) results.push(await isNews(store, each));
	return results;
};

/** Which of them are news. */
const claims = async (store: ProcessedKeys, ...events: Occurrence[]): Promise<boolean[]> =>
	(await tell(store, ...events)).map((told) => told === 'news');

describe('an event', () => {
	it('at the same time comes out once', async () => {
		const store = memory();
		const states = ['success', 'failed', 'success', 'pending', 'success'];
		const all = states.map(async (state) => await claims(store, event(state)));
		expect((await Promise.all(all)).flat()).toEqual([true, true, true, false, false]);
		expect(store.entries.filter((key) => key.startsWith('is '))).toEqual(['is success TX-1']);
	});

	it('with another amount is news: a payment may come in parts', async () => {
		const [half, whole] = [event('success', { amount: 5 }), event('success', { amount: 10 })];
		const again = [half, whole].map((each) => ({ ...each, delivery: 'again' }));
		expect(await claims(memory(), half, whole, ...again)).toEqual([true, true, false, false]);
	});

	it('is remembered by account, type and reference', () => {
		const account = (baseUrl: string, clientId = 'c') => ({
			baseUrl,
			identity: { clientId, sender: 's', secretKey: 'k' },
		});
		const names = [
			nameOf(account('https://a.example'), 'payin', '17'),
			nameOf(account('https://b.example'), 'payin', '17'),
			nameOf(account('https://a.example', 'd'), 'payin', '17'),
			nameOf(account('https://a.example'), 'payout', '17'),
			nameOf(account('https://a.example'), 'payin', '18'),
		];
		expect(new Set(names).size).toBe(5);
	});

	it('is told to all who wait when the store fails, and the next ones are not held up', async () => {
		const store = memory();
		const { record } = store;
		store.record = async () => await Promise.reject(new Error('The database is away'));
		const all = Array.from({ length: 3 }, async () => await isNews(store, event('success')));
		const ended = await Promise.allSettled(all);
		expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
		store.record = record;
		expect(await claims(store, event('success'))).toEqual([true]);
	});

	it('is news again for the delivery that claimed it, and for no other', async () => {
		const store = memory();
		const [first, second] = [event('success'), event('success')];
		const told = await claims(store, first, second, first, second, first);
		expect(told).toEqual([true, false, true, false, true]);
	});

	it('without a name of its delivery is news once', async () => {
		const nameless = event('success', { delivery: '' });
		expect(await claims(memory(), nameless, nameless)).toEqual([true, false]);
	});
});

describe('the order of states', () => {
	it.each([
		'pending* success*',
		'success* failed*',
		'success* failed* success* success failed* failed pending success*',
		'pending* pending success* pending',
	])('of %s, those with a star are emitted', async (told) => {
		const words = told.split(' ');
		const emitted = await claims(memory(), ...words.map((word) => event(word.replace('*', ''))));
		expect(emitted).toEqual(words.map((word) => word.endsWith('*')));
	});

	it('a final state ends its own transaction, and no other', async () => {
		const other = { name: 'TX-2' };
		expect(await claims(memory(), event('success'), event('pending', other))).toEqual([true, true]);
	});

	it('asking whether a final state was seen leaves no mark of one', async () => {
		const store = memory();
		expect(await claims(store, event('pending'), event('pending'))).toEqual([true, false]);
		expect(store.entries.filter((key) => key.startsWith('final'))).toEqual([]);
	});

	it('a change that ended between its two writes is made good when it runs again', async () => {
		const store = memory();
		const { remove } = store;
		const change = event('failed');
		await isNews(store, event('success'));
		store.remove = async () => await Promise.reject(new Error('the machine stopped'));
		await expect(isNews(store, change)).rejects.toThrow('the machine stopped');
		store.remove = remove;
		const told = await claims(store, change, event('failed'), event('success'));
		expect(told).toEqual([true, false, true]);
	});

	it('a retried delivery of something outdated stays outdated', async () => {
		const store = memory();
		const early = event('pending');
		expect(await claims(store, early, event('success'), early)).toEqual([true, true, false]);
	});
});

describe('the order of a payment', () => {
	const [a1, b2] = [{ order: 'A-1' }, { order: 'B-2' }];
	it('is news once when it becomes known, and a stranger changes nothing afterwards', async () => {
		const events = [{}, a1, a1, {}].map((order) => event('success', order));
		expect(await tell(memory(), ...events)).toEqual(['news', 'news', 'repeat', 'repeat']);
	});

	it('is no news when the payment is pending and was decided', async () => {
		const results = await tell(memory(), event('success'), event('pending', a1));
		expect(results).toEqual(['news', 'repeat']);
	});

	it('is one: the same payment for another order is neither news nor a repeat', async () => {
		const store = memory();
		const [first, other] = [event('success', a1), event('success', b2)];
		const results = await tell(store, event('success'), first, other, other, first);
		expect(results).toEqual(['news', 'news', 'otherOrder', 'otherOrder', 'news']);
		expect(store.entries.filter((key) => key.includes('B-2'))).toEqual([]);
	});

	it.each([
		['pending', 'success'],
		['success', 'failed'],
		['success', 'pending'],
	])('is one, whatever the state: %s, then %s', async (first, then) => {
		const events = [event(first, a1), event(then, b2), event(then, b2)];
		expect(await tell(memory(), ...events)).toEqual(['news', 'otherOrder', 'otherOrder']);
	});

	it('is decided in one write, with seven entries', async () => {
		const store = memory();
		store.remove = async () => await Promise.reject(new Error('a second write'));
		expect(await isNews(store, event('success', { ...a1, delivery: 'd' }))).toBe('news');
		expect(store.entries).toEqual([
			'is success TX-1',
			'amount success 10 TX-1',
			'ordered success TX-1',
			'taken TX-1',
			'order A-1 TX-1',
			'owner success TX-1 d',
			'final TX-1',
		]);
	});
});
