import type { IDataObject } from 'n8n-workflow';

import { call } from '../../../host/shared/http.mts';
import { until } from '../../../host/shared/until.mts';
import { NODE_TYPE, place, to } from './support.mts';
import {
	asleep,
	calledBack,
	COLLECT,
	ended,
	newOrder,
	startSleeping,
	statusOf,
	transactionOf,
	useWaitingDemo,
} from './waitingSupport.mts';

// A service that soon gives up, so that what n8n misses while it is down stays missed.
const demo = useWaitingDemo({ callbackRetry: { attempts: 2, firstDelayMs: 200 } });

beforeEach(() => demo().sandbox.change({ mode: 'spec' }));

/** Longer than a minute and n8n's own look at the clock, which is once a minute. */
const TIME_OUT_SECONDS = 200;

it('killed while it sleeps, it goes on with the right result once it is up again', async () => {
	const [paid, failed] = [newOrder(), newOrder()];
	const ids = [
		await startSleeping(demo(), { rows: [{ amount: 100, order: paid }] }),
		await startSleeping(demo(), { rows: [{ amount: 200, order: failed }] }),
	];
	await demo().kill();
	await demo().start();
	expect(await Promise.all(ids.map(async (id) => await statusOf(demo(), id)))).toEqual([
		'waiting',
		'waiting',
	]);
	demo().sandbox.settle(transactionOf(demo(), failed).ref, 'failed');
	demo().sandbox.settle(transactionOf(demo(), paid).ref, 'success');
	const runs = await Promise.all(ids.map(async (id) => await ended(demo(), id)));
	expect(runs.map((run) => run.json('Success').map(({ state }) => state))).toEqual([
		['success'],
		['failed'],
	]);
	expect([paid, failed].map((order) => demo().sandbox.state.ledger.of(order).length)).toEqual([
		1, 1,
	]);
});

it('what was missed while n8n was down is found with the next callback', async () => {
	demo().sandbox.change({ mode: 'rich' });
	const [missed, heard] = [newOrder(), newOrder()];
	const id = await startSleeping(demo(), {
		rows: [
			{ amount: 100, order: missed },
			{ amount: 200, order: heard },
		],
	});
	await demo().kill();
	demo().sandbox.settle(transactionOf(demo(), missed).ref, 'success');
	const [callback] = await calledBack(demo(), transactionOf(demo(), missed).ref);
	expect(callback!.status).toBe('failed');
	await demo().start();
	expect(await statusOf(demo(), id)).toBe('waiting');
	demo().sandbox.settle(transactionOf(demo(), heard).ref, 'failed');
	const run = await ended(demo(), id);
	expect(run.json('Success').map(({ state }) => state)).toEqual(['success', 'failed']);
});

it('killed after it woke up, a retry goes on with the confirmed result, and sends nothing again', async () => {
	demo().sandbox.change({ mode: 'rich' });
	const { client } = demo().host();
	const { id: credentialId, name, type } = demo().credential;
	const order = newOrder();
	const workflow = await client.createWorkflow({
		name: 'Killed later on',
		nodes: [
			place('Start', 'n8n-nodes-base.manualTrigger'),
			{
				...place('Node', NODE_TYPE, {
					...COLLECT,
					// The same with every run, and nothing that remembers what was sent.
					amount: 120,
					mobile: '0712345678',
					orderReference: order,
					options: { onDuplicate: 'sendAnyway' },
				}),
				credentials: { [type]: { id: credentialId, name } },
			},
			{
				...place('Slow step', 'n8n-nodes-base.wait', { amount: 20, unit: 'seconds' }),
				typeVersion: 1.1,
			},
			place('Success', 'n8n-nodes-base.noOp'),
		],
		connections: {
			Start: { main: [to('Node')] },
			Node: { main: [to('Slow step')] },
			'Slow step': { main: [to('Success')] },
		},
		pinData: { Start: [{ json: {} }] },
	});
	const id = await client.start(workflow, 'Start');
	await asleep(demo(), id);
	const { ref } = transactionOf(demo(), order);
	demo().sandbox.settle(ref, 'success');
	await calledBack(demo(), ref);
	await until('it to wake up', async () =>
		(await statusOf(demo(), id)) === 'waiting' ? undefined : true,
	);
	await demo().kill();
	await demo().start();
	const crashed = await ended(demo(), id);
	expect(crashed.status).toBe('crashed');

	const retried = await demo().host().client.retry(id);
	expect(retried.json('Success')).toEqual([
		expect.objectContaining({ orderReference: order, state: 'success', reference: ref }),
	]);
	expect(demo().sandbox.state.ledger.of(order)).toHaveLength(1);
});

it('when time is up, the items go on as timed out, each on its own output, and can be checked again', async () => {
	demo().sandbox.change({ mode: 'rich' });
	const { client } = demo().host();
	const [order, bad, done] = [newOrder(), newOrder(), newOrder()];
	const credentials = {
		[demo().credential.type]: { id: demo().credential.id, name: demo().credential.name },
	};
	const workflow = await client.createWorkflow({
		name: 'Check again',
		nodes: [
			place('Start', 'n8n-nodes-base.manualTrigger'),
			{
				...place('Node', NODE_TYPE, { ...COLLECT, waitLimitMinutes: 1 }),
				credentials,
				onError: 'continueErrorOutput',
			},
			{
				...place('Check', NODE_TYPE, {
					resource: 'transaction',
					operation: 'get',
					reference: '={{ $json.reference }}',
				}),
				credentials,
			},
			place('Success', 'n8n-nodes-base.noOp'),
			place('Failed', 'n8n-nodes-base.noOp'),
		],
		connections: {
			Start: { main: [to('Node')] },
			Node: { main: [[...to('Success'), ...to('Check')], to('Failed')] },
		},
		pinData: {
			Start: [
				{ json: { amount: 'nothing', order: bad } },
				{ json: { amount: 300, order } },
				{ json: { amount: 990200, order: done } },
			],
		},
	});
	const id = await client.start(workflow, 'Start');
	await asleep(demo(), id);
	// n8n is down when the service calls, and the service gives up.
	await demo().kill();
	const { ref } = transactionOf(demo(), order);
	demo().sandbox.settle(ref, 'success');
	await calledBack(demo(), ref);
	await demo().start();

	const run = await ended(demo(), id, TIME_OUT_SECONDS);
	expect(run.status).toBe('success');
	expect(run.json('Success')).toEqual([
		expect.objectContaining({
			outcome: 'accepted',
			state: 'timedOut',
			reference: ref,
			orderReference: order,
			paidInFull: null,
			transaction: null,
		}),
		expect.objectContaining({ orderReference: done, state: 'success', paidInFull: true }),
	]);
	expect(run.json('Check')).toEqual([
		expect.objectContaining({ ref, state: 'success', orderReference: order }),
		expect.objectContaining({ state: 'success', orderReference: done }),
	]);
	expect(run.json('Failed')).toEqual([
		expect.objectContaining({
			order: bad,
			error: expect.objectContaining({ outcome: 'not_sent' }) as object,
		}),
	]);
	expect(demo().sandbox.state.ledger.of(order)).toHaveLength(1);
}, 300_000);

describe('payment links', () => {
	/** Links for all rows, a step that puts something else in their place, and the wait. */
	async function startLinks(rows: IDataObject[], settings: { waits?: boolean } = {}) {
		const { client } = demo().host();
		const { id, name, type } = demo().credential;
		const credentials = { [type]: { id, name } };
		const workflow = await client.createWorkflow({
			name: 'Links',
			nodes: [
				place('Start', 'n8n-nodes-base.manualTrigger'),
				{
					...place('Create', NODE_TYPE, {
						resource: 'paymentLink',
						operation: 'create',
						country: 'KE',
						amount: '={{ $json.amount }}',
						businessName: 'Demo Shop',
						itemName: '=Order {{ $json.order }}',
						orderReference: '={{ $json.order }}',
						options: { waitInThisExecution: true, concurrency: 10 },
					}),
					credentials,
				},
				{
					...place('Send', 'n8n-nodes-base.set', {
						mode: 'raw',
						jsonOutput: '={{ { sentTo: $json.link } }}',
					}),
					typeVersion: 3.4,
				},
				...(settings.waits === false
					? []
					: [
							{
								...place('Wait', NODE_TYPE, {
									resource: 'paymentLink',
									operation: 'waitUntilPaid',
									waitLimitMinutes: 60,
								}),
								credentials,
							},
						]),
				place('Success', 'n8n-nodes-base.noOp'),
			],
			connections: {
				Start: { main: [to('Create')] },
				Create: { main: [to('Send')] },
				Send: { main: [to(settings.waits === false ? 'Success' : 'Wait')] },
				...(settings.waits !== false && { Wait: { main: [to('Success')] } }),
			},
			pinData: { Start: rows.map((json) => ({ json })) },
		});
		return await client.start(workflow, 'Start');
	}

	const linkOf = (order: string) => {
		const found = demo().sandbox.state.links.filter((link) => link.order?.reference === order);
		expect(found).toHaveLength(1);
		return found[0]!;
	};

	const pay = async (order: string, outcome: 'success' | 'failed' = 'success', amount?: number) => {
		const { reference } = linkOf(order);
		const reply = await call(`${demo().sandbox.url}/sandbox/links/${reference}/pay`, {
			method: 'POST',
			body: { outcome, ...(amount !== undefined && { amount }) },
		});
		expect(reply.status).toBe(200);
		return reference;
	};

	it.each(['spec', 'rich'] as const)(
		'fifty of them, paid in random order over a restart, go on together, mode %s',
		async (mode) => {
			demo().sandbox.change({ mode });
			const orders = Array.from({ length: 50 }, newOrder);
			const id = await startLinks(orders.map((order, index) => ({ amount: 100 + index, order })));
			await asleep(demo(), id);
			expect(new Set(demo().sandbox.state.links.map(({ callback_url: url }) => url)).size).toBe(
				demo().sandbox.state.links.length,
			);
			const shuffled = [...orders].sort(() => Math.random() - 0.5);
			const failing = new Set(shuffled.filter((_, index) => index % 7 === 3));
			const payOne = async (order: string) =>
				await pay(order, failing.has(order) ? 'failed' : 'success');
			for (const order of shuffled.slice(0, 25)) await payOne(order);
			await demo().kill();
			for (const order of shuffled.slice(25, 30)) await calledBack(demo(), await payOne(order));
			await demo().start();
			expect(await statusOf(demo(), id)).toBe('waiting');
			for (const order of shuffled.slice(30)) {
				expect(await statusOf(demo(), id)).toBe('waiting');
				await calledBack(demo(), await payOne(order));
			}
			const run = await ended(demo(), id);
			expect(run.json('Success').map((item) => [item.orderReference, item.state])).toEqual(
				orders.map((order) => [order, failing.has(order) ? 'failed' : 'success']),
			);
			expect(run.json('Success')[0]).toMatchObject({
				link: linkOf(orders[0]!).link,
				reference: linkOf(orders[0]!).reference,
				asked: { amount: 100, currency: 'KES' },
			});
			expect(run.outputs('Success').map(({ pairedItem }) => pairedItem)).toEqual(
				orders.map((_, item) => expect.objectContaining({ item }) as object),
			);
		},
		300_000,
	);

	it('one that is paid in part says so', async () => {
		const order = newOrder();
		const id = await startLinks([{ amount: 500, order }]);
		await asleep(demo(), id);
		await pay(order, 'success', 200);
		expect((await ended(demo(), id)).json('Success')).toEqual([
			expect.objectContaining({ state: 'success', paidInFull: false, orderReference: order }),
		]);
	});

	it('one that is paid before anybody waits is found all the same', async () => {
		const order = newOrder();
		demo().sandbox.faults.add({ kind: 'latency', delayMs: 3_000, route: 'paymentLink.list' });
		const id = await startLinks([{ amount: 500, order }]);
		await until('the link', async () =>
			demo().sandbox.state.links.some((link) => link.order?.reference === order) ? true : undefined,
		);
		const [callback] = await calledBack(demo(), await pay(order));
		// Answered so that the service tries again.
		expect(callback!.attempts).toHaveLength(2);
		for (const { status } of callback!.attempts) expect([409, 500]).toContain(status);
		demo().sandbox.faults.clear();
		expect((await ended(demo(), id)).json('Success')).toEqual([
			expect.objectContaining({ state: 'success', orderReference: order }),
		]);
	});

	it('a workflow that never waits for them is told so', async () => {
		const id = await startLinks([{ amount: 500, order: newOrder() }], { waits: false });
		const run = await ended(demo(), id);
		expect(run.hints('Create')).toContainEqual(
			expect.stringContaining('no later node waits for them'),
		);
	});

	it('a workflow that waits is not', async () => {
		const order = newOrder();
		const id = await startLinks([{ amount: 500, order }]);
		await asleep(demo(), id);
		await pay(order);
		expect((await ended(demo(), id)).hints('Create')).toEqual([]);
	});
});
