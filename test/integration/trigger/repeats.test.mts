import { setTimeout as pause } from 'node:timers/promises';

import { writeMark } from '../../../nodes/UnifiedPayments/payment/mark.ts';
import { readCredential } from '../../../nodes/UnifiedPayments/protocol/credential.ts';
import type { Transaction } from '../../../sandbox/index.mts';
import type { TriggerHost } from '../../../host/engine/index.mts';
import { NaiveTrigger } from '../../helpers/naive-trigger.mts';
import { json } from '../../helpers/wire.mts';
import { post, recordOf, SECRET, World } from './support.mts';
import { throughout } from '../../helpers/throughout.mts';

const world = throughout(async () => await World.start());
let paid: Transaction;

beforeAll(async () => {
	paid = await world.collect();
	world.sandbox.settle(paid.ref, 'success');
});

const emitted = (host: TriggerHost) =>
	host.runs.flatMap(({ callback }) => callback.map(({ state }) => state));

const send = async (host: TriggerHost, ...bodies: unknown[]) => {
	for (const body of bodies) {
		expect((await post(host.url, body)).status).toBe(200);
		await host.idle();
	}
};

const status = (word: string) => recordOf(paid, { status: word, status_code: '' });

describe.each(['confirm', 'token'])('repeats with %s', (verification) => {
	it('100 replays of one callback give one item', async () => {
		const host = await world.serve({ verification });
		for (let sent = 0; sent < 100; sent++) await post(host.url, recordOf(paid));
		await host.idle();
		expect(host.runs).toHaveLength(100);
		expect(emitted(host)).toEqual(['success']);
		expect(host.runs.every((run) => run.status === 'success')).toBe(true);
	}, 60_000);

	it('50 at the same time give one item', async () => {
		// All replies at once, so that all runs come to the memory of events together.
		let release = () => {};
		const all = new Promise<void>((resolve) => (release = resolve));
		const service = await world.wire(async (_, response, nth) => {
			if (nth === 50) release();
			await all;
			json(response, 200, { success: true, message: '', data: recordOf(paid) });
		});
		const credential = world.credential({ baseUrl: service.url });
		const host = await world.serve({ verification }, { credential, execute: false });
		await Promise.all(Array.from({ length: 50 }, () => post(host.url, recordOf(paid))));
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
		expect(emitted(test)).toEqual(['success', 'success']);
		const production = await world.serve({ verification }, { workflowId });
		await send(production, recordOf(paid), recordOf(paid));
		expect(emitted(production)).toEqual(['success']);
		await send(test, recordOf(paid));
		expect(emitted(test)).toHaveLength(3);
	});

	it('a retried execution emits its own event again; a retried repeat stays a repeat', async () => {
		const host = await world.serve({ verification });
		await send(host, recordOf(paid), recordOf(paid));
		expect(emitted(host)).toEqual(['success']);
		const [first, second] = host.stored;
		expect((await host.run(first!, 'retry')).callback).toMatchObject([{ state: 'success' }]);
		expect((await host.run(second!, 'retry')).callback).toEqual([]);
	});

	it('what is filtered out by its state is seen all the same', async () => {
		const host = await world.serve({ verification, states: ['pending'] });
		await send(host, recordOf(paid), recordOf(paid));
		expect(emitted(host)).toEqual([]);
		expect(host.runs.map(({ status: ended }) => ended)).toEqual(['success', 'success']);
	});
});

describe('states out of order', () => {
	it.each([
		[['success', 'pending'], ['success']],
		[
			['pending', 'success', 'pending', 'processing'],
			['pending', 'success'],
		],
		[['failed', 'pending', 'failed'], ['failed']],
		[
			['pending', 'processing', 'success', 'success'],
			['pending', 'success'],
		],
		[['paid', 'settled', 'completed'], ['success']],
		[
			['success', 'reversed', 'success', 'paid', 'reversed'],
			['success', 'failed', 'success', 'failed'],
		],
		[
			['on hold', 'under review', 'on hold'],
			['other', 'other', 'other'],
		],
		[
			['success', 'refund requested'],
			['success', 'other'],
		],
	])('%j is emitted as %j', async (statuses, states) => {
		const host = await world.serve({ verification: 'token' });
		await send(host, ...statuses.map(status));
		expect(emitted(host)).toEqual(states);
	});

	it.each([
		['an envelope', (word: string) => ({ status: word, data: { ref: 'TX-7' } })],
		['another name', (word: string) => ({ ref: 'TX-7', transaction_status: word })],
		['an event', (word: string) => ({ event: `collection.${word}`, data: { ref: 'TX-7' } })],
	])('a status in %s is read: no success is lost', async (_, body) => {
		for (const verification of ['token', 'none', 'hmac']) {
			const host = await world.serve({ verification });
			for (const word of ['pending', 'success', 'success']) {
				const answer = await post(host.url, body(word), { signWith: SECRET });
				expect(answer.status).toBe(200);
				await host.idle();
			}
			expect(emitted(host)).toEqual(['pending', 'success']);
			expect(host.runs[1]!.callback).toMatchObject([
				{ eventKey: 'TX-7:success', transaction: { state: 'success' } },
			]);
		}
	});

	it('what cannot be read is never a repeat', async () => {
		const host = await world.serve({ verification: 'token' });
		const odd = { ref: 'TX-8', result: 'who knows' };
		await send(
			host,
			odd,
			odd,
			recordOf(paid, { ref: 'TX-8' }),
			odd,
			recordOf(paid, { ref: 'TX-8' }),
		);
		expect(emitted(host)).toEqual(['other', 'other', 'success', 'other']);
	});

	it('with confirm, a payment that is reversed and paid again is told each time', async () => {
		const words = ['success', 'settled', 'reversed', 'success'];
		let now = '';
		const service = await world.wire((_, response) =>
			json(response, 200, {
				success: true,
				message: '',
				data: { ref: 'TX-9', amount: '10.00', currency: 'KES', status: now },
			}),
		);
		const credential = world.credential({ baseUrl: service.url });
		const host = await world.serve({}, { credential });
		for (now of words) await send(host, { ref: 'TX-9' });
		expect(emitted(host)).toEqual(['success', 'failed', 'success']);
	});

	it('with confirm, a late "pending" is the final record, and so a repeat', async () => {
		const host = await world.serve();
		await send(host, status('success'), status('pending'));
		expect(emitted(host)).toEqual(['success']);
	});

	it('with confirm, an early "pending" after which the service is final emits the final record', async () => {
		const host = await world.serve();
		await send(host, status('pending'));
		expect(emitted(host)).toEqual(['success']);
	});

	it('a confirmed pending that is overtaken by the final state is not emitted after it', async () => {
		let release = () => {};
		const held = new Promise<void>((resolve) => (release = resolve));
		const record = { ref: 'TX-1', amount: '10.00', currency: 'KES' };
		const service = await world.wire(async (_, response, nth) => {
			if (nth === 1) await held;
			const status = nth === 1 ? 'pending' : 'success';
			json(response, 200, { success: true, message: '', data: { ...record, status } });
		});
		const credential = world.credential({ baseUrl: service.url });
		const host = await world.serve({}, { credential, execute: false });
		await post(host.url, { ref: 'TX-1', status: 'pending' });
		await post(host.url, { ref: 'TX-1', status: 'success' });
		const [early, late] = host.stored;
		const overtaken = host.run(early!);
		while (service.received.length === 0) await pause(5);
		expect((await host.run(late!)).callback).toMatchObject([{ state: 'success' }]);
		release();
		expect((await overtaken).callback).toEqual([]);
	});
});

describe('an order that becomes known', () => {
	const payment = { amount: '10', currency: 'KES' };

	/** A service whose records name no order, and a trigger that asks for no token. */
	const open = async (status: () => string = () => 'success') => {
		const service = await world.wire((_, response) =>
			json(response, 200, {
				success: true,
				message: '',
				data: { ref: 'TX-1', amount: '10.00', currency: 'KES', status: status() },
			}),
		);
		const credential = world.credential({ baseUrl: service.url, callbackToken: '' });
		const host = await world.serve({}, { credential });
		const account = readCredential(credential);
		/** From a stranger, who knows no order, or at the address of one. */
		const call = async (orderReference?: string | null, end = 'webhook') => {
			const mark =
				orderReference === undefined
					? null
					: writeMark(
							account,
							{ orderReference, ...payment },
							{ key: String(orderReference), by: 'orderReference' },
							{ workflowId: 'w', nodeId: 'n' },
						);
			const url = host.url.replace(/webhook$/, end);
			const answer = await post(
				url,
				{ ref: 'TX-1' },
				{ query: mark === null ? '' : `upo=${mark}` },
			);
			expect(answer.status).toBe(200);
			await host.idle();
			const { callback, rejected } = host.runs.at(-1)!;
			return [...callback, ...rejected].map(
				({ orderReference: order, paidInFull, reason }) => reason ?? [order, paidInFull],
			);
		};
		return { host, call };
	};

	it('is news once, whoever called first', async () => {
		const { call } = await open();
		expect(await call()).toEqual([[null, null]]);
		expect(await call('A-1')).toEqual([['A-1', true]]);
		expect(await call('A-1')).toEqual([]);
		expect(await call()).toEqual([]);
	});

	it('is news also when the URL names no order, but what was asked for', async () => {
		const { call } = await open();
		expect(await call()).toEqual([[null, null]]);
		expect(await call(null)).toEqual([[null, true]]);
		expect(await call(null)).toEqual([]);
	});

	it('is news for each state', async () => {
		let status = 'pending';
		const { call } = await open(() => status);
		expect([await call(), await call('A-1')]).toEqual([[[null, null]], [['A-1', null]]]);
		status = 'success';
		expect([await call(), await call('A-1')]).toEqual([[[null, null]], [['A-1', true]]]);
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
		expect(await call('A-1', 'finished')).toEqual([['A-1', true]]);
		// The same words at the same address: the first run may not have ended well.
		expect(await call('A-1', 'finished')).toEqual([['A-1', true]]);
		expect(await call('B-2', 'finished')).toEqual(['order_mismatch']);
		expect(await call('B-2', 'finished')).toEqual(['order_mismatch']);
	});
});

describe('at the address that is answered when the workflow has ended', () => {
	const atTheEnd = ({ url }: TriggerHost) => url.replace(/webhook$/, 'finished');

	it('a callback that is sent again in the same words is emitted again, in others it is a repeat', async () => {
		const host = await world.serve();
		const url = atTheEnd(host);
		for (const body of [recordOf(paid), recordOf(paid), status('paid')]) {
			expect((await post(url, body)).status).toBe(200);
		}
		expect(emitted(host)).toEqual(['success', 'success']);
	});

	it('is no way around what was emitted at the usual one', async () => {
		const host = await world.serve();
		await send(host, recordOf(paid));
		await post(atTheEnd(host), recordOf(paid));
		await post(atTheEnd(host), recordOf(paid));
		expect(emitted(host)).toEqual(['success']);
	});

	it('a change is told after an older callback was sent again', async () => {
		const host = await world.serve({ verification: 'token' });
		for (const word of ['success', 'failed', 'success', 'declined']) {
			await post(atTheEnd(host), status(word));
		}
		expect(emitted(host)).toEqual(['success', 'failed', 'success', 'failed']);
	});

	it('the same is asked of the sender', async () => {
		const host = await world.serve();
		expect((await post(atTheEnd(host), recordOf(paid), { token: 'wrong' })).status).toBe(401);
		expect(host.stored).toEqual([]);
	});

	it('a run that fails is answered with an error, and the same callback runs again', async () => {
		let isDown = true;
		const service = await world.wire(async (_, response) => {
			if (isDown) return void response.socket?.destroy();
			json(response, 200, { success: true, message: '', data: recordOf(paid) });
		});
		const credential = world.credential({ baseUrl: service.url });
		const host = await world.serve({}, { credential });
		expect((await post(atTheEnd(host), recordOf(paid))).status).toBe(500);
		isDown = false;
		expect((await post(atTheEnd(host), recordOf(paid))).status).toBe(200);
		expect(emitted(host)).toEqual(['success']);
	});
});

describe('the filter of states', () => {
	it.each([
		[['success'], ['success']],
		[['failed', 'pending'], ['pending']],
		[['other'], ['other']],
		[[], ['pending', 'other', 'success']],
	])('%j lets %j through', async (states, passed) => {
		const host = await world.serve({ verification: 'token', states });
		await send(host, status('pending'), status('strange'), status('success'));
		expect(emitted(host)).toEqual(passed);
	});
});

describe('the naive trigger, as control', () => {
	it('emits every replay, and goes back from final to pending', async () => {
		const host = await world.serve({}, { type: new NaiveTrigger() });
		await Promise.all(Array.from({ length: 50 }, () => post(host.url, recordOf(paid))));
		await send(host, status('pending'));
		expect(emitted(host)).toHaveLength(51);
		expect(emitted(host).at(-1)).toBe('pending');
	});
});
