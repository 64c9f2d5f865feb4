import type { IDataObject } from 'n8n-workflow';

import { call } from '../../../dev/host/shared/http.mts';
import { isAtLeast } from '../../../dev/host/n8n/release.mts';
import { until } from '../../../dev/host/shared/until.mts';
import { NODE_TYPE, place, to } from './support.mts';
import {
	asleep,
	calledBack,
	COLLECT,
	ended,
	newOrder,
	saveWaiting,
	startSleeping,
	statusOf,
	transactionOf,
	useWaitingDemo,
} from './waitingSupport.mts';

const demo = useWaitingDemo();

beforeEach(() => demo().sandbox.change({ mode: 'spec', records: 'callbackUrl' }));
afterEach(() => demo().sandbox.faults.clear());

/** How often the order reached the service. */
const sent = (order: string) => demo().sandbox.state.ledger.of(order).length;

const settle = (order: string, status: 'success' | 'failed', failureCode?: string) => {
	const { ref } = transactionOf(demo(), order);
	demo().sandbox.settle(ref, { status, ...(status === 'failed' && { failureCode }) });
	return ref;
};

const post = async (url: string, body: unknown) => await call(url, { method: 'POST', body });

const succeeded = (order: string) => [
	expect.objectContaining({ orderReference: order, state: 'success' }) as object,
];

it('sleeps, goes on with the confirmed success, and a callback after the end changes nothing', async () => {
	const order = newOrder();
	const id = await startSleeping(demo(), { rows: [{ amount: 150.5, order }] });
	const ref = settle(order, 'success');
	const run = await ended(demo(), id);

	expect(run.json('Success')).toMatchObject([
		{
			outcome: 'accepted',
			state: 'success',
			reference: ref,
			orderReference: order,
			asked: { amount: 150.5, currency: 'KES' },
			paidInFull: true,
			transaction: { ref, amount: 150.5, status: 'success' },
		},
	]);
	expect(run.json('Failed')).toEqual([]);
	const [callback] = await calledBack(demo(), ref);
	expect(callback!.attempts.map(({ status }) => status)).toEqual([200]);
	expect(sent(order)).toBe(1);
	// Whoever can read the execution cannot resume another one by what its items show.
	expect(JSON.stringify(run.json('Success'))).not.toMatch(/signature=(?!\*\*\*)/);
	expect((await post(callback!.url, callback!.body)).status).toBe(409);
	expect((await demo().host().client.finished(id)).json('Success')).toHaveLength(1);
});

it('hears a callback that comes before the reply to the create', async () => {
	const order = newOrder();
	const workflow = await saveWaiting(demo(), { rows: [{ amount: 990304, order }] });
	const run = await ended(demo(), await demo().host().client.start(workflow, 'Start'));
	expect(run.json('Success')).toEqual(succeeded(order));
	expect(sent(order)).toBe(1);
	const [callback] = await calledBack(demo(), transactionOf(demo(), order).ref);
	// n8n turns away what comes while the execution runs, so that the service tries again; in queue
	// mode with 401, because what the address is compared with is not stored yet.
	expect([401, 409, 500]).toContain(callback!.attempts[0]!.status);
});

it('five payments with mixed results go on together, when the last is final', async () => {
	demo().sandbox.change({ mode: 'rich' });
	const orders = Array.from({ length: 5 }, newOrder);
	const id = await startSleeping(demo(), {
		rows: orders.map((order, index) => ({ amount: 100 + index, order })),
	});
	const ends = ['success', 'failed', 'success', 'failed', 'success'] as const;
	for (const at of [3, 0, 4, 1]) {
		await calledBack(demo(), settle(orders[at]!, ends[at]!, 'WRONG_PIN'));
		expect(await statusOf(demo(), id)).toBe('waiting');
	}
	settle(orders[2]!, ends[2]!);
	const run = await ended(demo(), id);
	expect(run.json('Success').map(({ state, orderReference }) => [orderReference, state])).toEqual(
		orders.map((order, index) => [order, ends[index]]),
	);
	expect(run.json('Success')[1]).toMatchObject({
		paidInFull: null,
		transaction: { failureReason: { failureCode: 'WRONG_PIN' } },
	});
	// Each item is still paired with its own row.
	expect(run.outputs('Success').map(({ pairedItem }) => pairedItem)).toEqual(
		orders.map((_, item) => expect.objectContaining({ item }) as object),
	);
	expect(orders.map(sent)).toEqual([1, 1, 1, 1, 1]);
});

it('no forged callback resumes it, and twenty true ones at once resume it once', async () => {
	demo().sandbox.change({ records: 'noCallbackUrl' });
	// Another payment, really paid, with the same amount.
	const paid = newOrder();
	const other = await startSleeping(demo(), {
		rows: [{ amount: 70, order: paid, mobile: '0799999999' }],
	});
	const paidRef = settle(paid, 'success');
	await ended(demo(), other);

	const order = newOrder();
	const id = await startSleeping(demo(), { rows: [{ amount: 70, order }] });
	const { callback_url: url, ref } = transactionOf(demo(), order);
	const success = { status: 'success', amount: '70.00', currency: 'KES' };
	const forged: Array<[string, unknown]> = [
		[url, { ref, ...success }],
		[url, { data: { reference: paidRef, third_party_reference_1: order, ...success } }],
		[url, []],
		[url.replace('upo=1', 'upo=2'), { ref: paidRef, ...success }],
		[url.replace(/&upo=[^&]*/, ''), { ref: paidRef, ...success }],
		[url.replace(/(upi=...)0/, '$11'), { ref: paidRef, ...success }],
	];
	for (const [address, body] of forged) {
		const { status } = await post(address, body);
		expect(status < 500 || status === 503).toBe(true);
	}
	// Older releases do not look at the signature of their address. Then our mark is read, and the service asked.
	const refused = isAtLeast('2.20.0') ? 401 : 503;
	const strange = url.replace(/signature=\w+/, `signature=${'0'.repeat(64)}`);
	for (const address of [strange, url.replace(/signature=\w+&/, '')]) {
		expect((await post(address, { ref, ...success })).status).toBe(refused);
	}
	expect(await statusOf(demo(), id)).toBe('waiting');

	demo().sandbox.faults.add({ kind: 'latency', delayMs: 200, route: 'status.v3' });
	settle(order, 'success');
	const answers = await Promise.all(
		Array.from({ length: 20 }, async () => await post(url, { ref, ...success })),
	);
	const run = await ended(demo(), id);
	expect(run.tasks('Success')).toHaveLength(1);
	expect(run.json('Success')).toMatchObject([{ state: 'success', reference: ref }]);
	expect(answers.every(({ status }) => [200, 409, 500, 503].includes(status))).toBe(true);
	expect(sent(order)).toBe(1);
}, 120_000);

it('signed by the service, and while the service is down when it calls back', async () => {
	const credential = await demo().saveCredential({ signatureSource: 'endpoint' });
	const order = newOrder();
	const id = await startSleeping(demo(), { rows: [{ amount: 60, order }], credential });
	const { callback_url: url, ref } = transactionOf(demo(), order);
	expect((await post(url, { ref, status: 'pending' })).status).toBe(200);
	// By our own name for it and by the one of the callback.
	demo().sandbox.faults.add({ kind: 'server-error', route: 'status.v3', first: 2 });
	settle(order, 'success');
	const run = await ended(demo(), id);
	expect(run.json('Success')).toEqual(succeeded(order));
	const [callback] = await calledBack(demo(), ref);
	expect(callback!.attempts.map(({ status }) => status)).toEqual([503, 200]);
});

it('in production: a webhook starts a workflow that sleeps with the one it calls', async () => {
	const order = newOrder();
	const { id, name, type } = demo().credential;
	const { client, url } = demo().host();
	const sub = await client.createWorkflow({
		name: 'Collect',
		nodes: [
			{
				...place('When called', 'n8n-nodes-base.executeWorkflowTrigger', {
					inputSource: 'passthrough',
				}),
				typeVersion: 1.1,
			},
			{
				...place('Node', NODE_TYPE, {
					...COLLECT,
					amount: '={{ $json.body.amount }}',
					mobile: '0712345678',
					orderReference: '={{ $json.body.order }}',
				}),
				credentials: { [type]: { id, name } },
			},
		],
		connections: { 'When called': { main: [to('Node')] } },
	});
	await client.publish(sub);
	const caller = await client.createWorkflow({
		name: 'Checkout',
		nodes: [
			{
				...place('Order', 'n8n-nodes-base.webhook', { path: order, httpMethod: 'POST' }),
				typeVersion: 2,
				webhookId: order,
			},
			{
				...place('Call', 'n8n-nodes-base.executeWorkflow', {
					workflowId: { __rl: true, mode: 'id', value: sub.id },
					options: { waitForSubWorkflow: true },
				}),
				typeVersion: 1.2,
			},
			place('Success', 'n8n-nodes-base.noOp'),
		],
		connections: { Order: { main: [to('Call')] }, Call: { main: [to('Success')] } },
	});
	await client.publish(caller);
	await until('the order to be taken', async () =>
		(await post(`${url}/webhook/${order}`, { amount: 35, order })).status === 200
			? true
			: undefined,
	);
	const [execution] = await until('the execution', async () => {
		const all = await client.executions(caller);
		return all.length > 0 ? all : undefined;
	});
	await asleep(demo(), execution!.id);
	await until('the payment', async () => (sent(order) > 0 ? true : undefined));
	settle(order, 'success');
	const run = await ended(demo(), execution!.id);
	expect(run.json('Success')).toEqual(succeeded(order));
	expect(sent(order)).toBe(1);
});

describe('links that are waited for', () => {
	const set = (name: string, includeOtherFields: boolean, field: string, value: string) => ({
		...place(name, 'n8n-nodes-base.set', {
			assignments: { assignments: [{ id: field, name: field, value, type: 'string' }] },
			includeOtherFields,
			options: {},
		}),
		typeVersion: 3.4,
	});

	async function startLinks(rows: IDataObject[], loops: boolean) {
		const { id, name, type } = demo().credential;
		const credentials = { [type]: { id, name } };
		const { client } = demo().host();
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
						itemName: 'Tea',
						orderReference: '={{ $json.order }}',
						options: { waitInThisExecution: true },
					}),
					credentials,
					onError: 'continueRegularOutput' as const,
				},
				set('Send', false, 'sent', 'yes'),
				{
					...place('Loop', 'n8n-nodes-base.splitInBatches', { batchSize: 1, options: {} }),
					typeVersion: 3,
				},
				{
					...place('Wait', NODE_TYPE, { resource: 'paymentLink', operation: 'waitUntilPaid' }),
					credentials,
				},
				set('Success', true, 'row', "={{ $('Start').item.json.order }}"),
			].map((node, index) => ({ ...node, position: [240 * index, 0] as [number, number] })),
			connections: {
				Start: { main: [to(loops ? 'Loop' : 'Create')] },
				Create: { main: [to('Send')] },
				Send: { main: [to(loops ? 'Loop' : 'Wait')] },
				...(loops && { Loop: { main: [to('Wait'), to('Create')] } }),
				Wait: { main: [to('Success')] },
			},
			pinData: { Start: rows.map((json) => ({ json })) },
		});
		const execution = await client.start(workflow, 'Start');
		await asleep(demo(), execution);
		return execution;
	}

	it.each([false, true])(
		'are all waited for, and come out paired with their rows, a bad one among them; made in a loop: %s',
		async (loops) => {
			const [bad, first, second] = [newOrder(), newOrder(), newOrder()] as const;
			const id = await startLinks(
				[
					{ amount: 'nothing', order: bad },
					{ amount: 20, order: first },
					{ amount: 30, order: second },
				],
				loops,
			);
			for (const order of [second, first]) {
				expect(await statusOf(demo(), id)).toBe('waiting');
				const { links } = demo().sandbox.state;
				const { reference } = links.find((link) => link.order?.reference === order)!;
				await post(`${demo().sandbox.url}/sandbox/links/${reference}/pay`, { outcome: 'success' });
			}
			const items = (await ended(demo(), id)).json('Success');
			// Which row n8n takes each item for, and what it says itself.
			expect(items.map(({ row, orderReference, state }) => [row, orderReference, state])).toEqual([
				[bad, undefined, undefined],
				[first, first, 'success'],
				[second, second, 'success'],
			]);
		},
	);
});
