import { setTimeout as pause } from 'node:timers/promises';

import type { Transaction } from '../../../dev/sandbox/index.mts';
import { throughout } from '../../helpers/throughout.mts';
import { json } from '../../helpers/wire.mts';
import { found, handled, post, recordOf, World, type Served } from './support.mts';

const world = throughout(async () => await World.start());
let paid: Transaction;

beforeAll(async () => {
	paid = await world.collect();
	world.sandbox.settle(paid.ref, 'success');
});

const emitted = (host: Served) =>
	host.runs.flatMap(({ callback }) => callback.map(({ state }) => state));

const send = async (host: Served, ...bodies: unknown[]) => {
	for (const body of bodies) await handled(host, body, { order: null });
};

const status = (word: string) => recordOf(paid, { status: word, status_code: '' });

describe.each(['confirm', 'address'])('repeats with %s', (verification) => {
	it('50 at the same time give one item', async () => {
		// All replies at once, so that all runs come to the memory of events together.
		let release = () => {};
		const all = new Promise<void>((resolve) => (release = resolve));
		const { host } = await world.against(
			async (_, response, nth) => {
				if (nth === 50) release();
				await all;
				json(response, 200, found(recordOf(paid)));
			},
			{ verification },
			{ execute: false },
		);
		await Promise.all(
			Array.from({ length: 50 }, () => post(host, recordOf(paid), { order: null })),
		);
		expect(host.stored).toHaveLength(50);
		await Promise.all(host.stored.map((items) => host.run(items)));
		expect(host.runs.map(({ status }) => status)).toEqual(Array(50).fill('success'));
		expect(emitted(host)).toEqual(['success']);
	}, 60_000);

	it('the same event in other shapes is the same event', async () => {
		const host = await world.serve({ verification });
		const record = recordOf(paid);
		await send(host, record, { data: record }, { transaction: { ...record, status: 'SUCCESS' } });
		expect(emitted(host)).toEqual(['success']);
	});

	it('with Skip Repeats off, each is emitted', async () => {
		const host = await world.serve({ verification, options: { skipRepeats: false } });
		await send(host, recordOf(paid), recordOf(paid));
		expect(emitted(host)).toEqual(['success', 'success']);
	});

	it('a test in the editor neither uses an event up nor is kept from repeating it', async () => {
		const workflowId = `both-urls-${verification}`;
		const test = await world.serve({ verification }, { workflowId, mode: 'manual' });
		await send(test, recordOf(paid), recordOf(paid));
		const production = await world.serve({ verification }, { workflowId });
		await send(production, recordOf(paid), recordOf(paid));
		expect(emitted(production)).toEqual(['success']);
		await send(test, recordOf(paid));
		expect(emitted(test)).toHaveLength(3);
	});

	it('a retried execution emits its own event again; a retried repeat stays a repeat', async () => {
		const host = await world.serve({ verification });
		await send(host, recordOf(paid), recordOf(paid));
		const [first, second] = host.stored;
		expect((await host.run(first!, 'retry')).callback).toMatchObject([{ state: 'success' }]);
		expect((await host.run(second!, 'retry')).callback).toEqual([]);
	});
});

describe('states out of order', () => {
	it.each([
		['pending processing success success pending', 'pending success'],
		['success reversed success paid reversed', 'success failed success failed'],
		['on hold,under review,success,under review', 'pending success'],
	])('%s: it emits %s', async (statuses, states) => {
		const host = await world.serve({ verification: 'address' });
		await send(host, ...statuses.split(statuses.includes(',') ? ',' : ' ').map(status));
		expect(emitted(host).join(' ')).toBe(states);
	});

	it('with confirm, "pending" that comes early or late stands for the final record', async () => {
		const host = await world.serve();
		await send(host, status('pending'));
		expect(emitted(host)).toEqual(['success']);
		await send(host, status('success'), status('pending'));
		expect(emitted(host)).toEqual(['success']);
	});

	it('a confirmed pending that is overtaken by the final state is not emitted after it', async () => {
		let release = () => {};
		const held = new Promise<void>((resolve) => (release = resolve));
		const record = { ref: 'TX-1', amount: '10.00', currency: 'KES' };
		const { host, service } = await world.against(
			async (_, response, nth) => {
				if (nth === 1) await held;
				json(response, 200, found({ ...record, status: nth === 1 ? 'pending' : 'success' }));
			},
			{},
			{ execute: false },
		);
		await post(host, { ref: 'TX-1', status: 'pending' });
		await post(host, { ref: 'TX-1', status: 'success' });
		const [early, late] = host.stored;
		const overtaken = host.run(early!);
		while (service.received.length === 0) await pause(5);
		expect((await host.run(late!)).callback).toMatchObject([{ state: 'success' }]);
		release();
		expect((await overtaken).callback).toEqual([]);
	});
});

describe('a reference that was heard of before', () => {
	const record = { ref: '17', amount: '500.00', currency: 'KES', status: 'success' };

	it('is news from another account: the test account numbers from 1, too', async () => {
		const workflowId = 'test, then live';
		const { service, host } = await world.against(record, {}, { workflowId });
		expect((await handled(host, { ref: '17' }, { order: null })).callback).toHaveLength(1);
		const live = { baseUrl: service.url, clientId: 'live' };
		const credential = world.credential(live);
		const other = await world.serve({}, { workflowId, credential });
		// A credential that was changed is read again after a second at the latest.
		await pause(1100);
		for (const news of [1, 0])
			expect((await handled(other, { ref: '17' }, { order: null })).callback).toHaveLength(news);
	});

	it('is news as a payout', async () => {
		const workflowId = 'payin, then payout';
		const { service, host } = await world.against(record, {}, { workflowId });
		expect((await handled(host, { ref: '17' }, { order: null })).callback).toHaveLength(1);
		const credential = world.credential({ baseUrl: service.url });
		const options = { transactionType: 'payout' };
		const payouts = await world.serve({ options }, { workflowId, credential });
		expect((await handled(payouts, { ref: '17' }, { order: null })).callback).toHaveLength(1);
	});

	it.each(['confirm', 'address'])('is news with another amount: %s', async (verification) => {
		let amount = '400.00';
		const asked = { verification };
		const { host } = await world.against(
			(_, response) => json(response, 200, found({ ...record, amount })),
			asked,
		);
		const paid = async () => {
			const body = { ...record, amount };
			const { callback } = await handled(host, body, { order: 'A-1' });
			return callback.map(({ paidInFull }) => paidInFull);
		};
		expect([await paid(), await paid()]).toEqual([[false], []]);
		amount = '1500.00';
		expect([await paid(), await paid()]).toEqual([[true], []]);
	});
});

describe('an order that becomes known', () => {
	/** A service whose records name no order. */
	const open = async () => {
		const record = { ref: 'TX-1', amount: '1500.00', currency: 'KES', status: 'success' };
		const { host } = await world.against(record);
		/** From a stranger, who knows no order, or at the address of one. */
		const call = async (order?: string | null, end = 'webhook') => {
			const url = host.url.replace(/webhook$/, end);
			const { callback, rejected } = await handled({ ...host, url }, { ref: 'TX-1' }, { order });
			return [...callback, ...rejected].map(
				({ orderReference, paidInFull, reason }) => reason ?? [orderReference, paidInFull],
			);
		};
		return { record, call };
	};

	it('is news once, whoever called first', async () => {
		const { call } = await open();
		expect(await call()).toEqual([[null, null]]);
		expect(await call('A-1')).toEqual([['A-1', true]]);
		expect(await call('A-1')).toEqual([]);
		expect(await call()).toEqual([]);
	});

	it('is one: for another order, the same payment comes out of Rejected', async () => {
		const { call } = await open();
		expect(await call('A-1')).toEqual([['A-1', true]]);
		expect(await call('B-2')).toEqual(['order_mismatch']);
		expect(await call('A-1')).toEqual([]);
	});

	it('is news at the second address, too, where a stranger used the same words', async () => {
		const { call } = await open();
		expect(await call(undefined, 'finished')).toEqual([[null, null]]);
		// The same words at the same address: the first run may not have ended well.
		for (let time = 0; time < 2; time++) {
			expect(await call('A-1', 'finished')).toEqual([['A-1', true]]);
		}
		expect(await call('B-2', 'finished')).toEqual(['order_mismatch']);
		expect(await call('B-2', 'finished')).toEqual(['order_mismatch']);
	});
});

describe('at the address that is answered when the workflow has ended', () => {
	const atTheEnd = async (host: Served, body: unknown, options: object = { order: null }) =>
		(await post({ ...host, url: host.url.replace(/webhook$/, 'finished') }, body, options)).status;

	it('a callback that is sent again in the same words is emitted again, in others it is a repeat', async () => {
		const host = await world.serve();
		for (const body of [recordOf(paid), recordOf(paid), status('paid')]) {
			expect(await atTheEnd(host, body)).toBe(200);
		}
		expect(emitted(host)).toEqual(['success', 'success']);
	});

	it('the same is asked of the sender', async () => {
		const host = await world.serve();
		expect(await atTheEnd(host, recordOf(paid), { query: 'upo=wrong' })).toBe(401);
		expect(host.stored).toEqual([]);
	});

	it('a run that fails is answered with an error, and the same callback runs again', async () => {
		const { host } = await world.against((_, response, nth) =>
			nth === 1 ? json(response, 403, {}) : json(response, 200, found(recordOf(paid))),
		);
		expect(await atTheEnd(host, recordOf(paid))).toBe(500);
		expect(await atTheEnd(host, recordOf(paid))).toBe(200);
		expect(emitted(host)).toEqual(['success']);
	});
});

it.each([
	[['success'], ['success']],
	[['failed', 'pending'], ['pending']],
	[[], ['pending', 'success']],
])('the filter of states %j lets %j through', async (states, passed) => {
	const host = await world.serve({ verification: 'address', states });
	await send(host, ...['pending', 'strange', 'success'].map(status));
	expect(emitted(host)).toEqual(passed);
});
