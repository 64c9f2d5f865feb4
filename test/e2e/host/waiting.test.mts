import type { IDataObject } from 'n8n-workflow';

import { call } from '../../../host/shared/http.mts';
import { isAtLeast } from '../../../host/n8n/release.mts';
import { until } from '../../../host/shared/until.mts';
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

beforeEach(() => demo().sandbox.change({ mode: 'spec', records: 'callbackUrl', statusBy: 'ref' }));
afterEach(() => demo().sandbox.faults.clear());

/** How often the order reached the service. */
const sent = (order: string) => demo().sandbox.state.ledger.of(order).length;

const settle = (order: string, status: 'success' | 'failed', failureCode?: string) => {
	const { ref } = transactionOf(demo(), order);
	demo().sandbox.settle(ref, { status, ...(status === 'failed' && { failureCode }) });
	return ref;
};

describe.each(['spec', 'rich'] as const)('with replies as in mode %s', (mode) => {
	beforeEach(() => demo().sandbox.change({ mode }));

	it('sleeps, and goes on with the confirmed success', async () => {
		const order = newOrder();
		const id = await startSleeping(demo(), { rows: [{ amount: 150.5, order }] });
		const ref = settle(order, 'success');
		const run = await ended(demo(), id);

		expect(run.status).toBe('success');
		expect(run.json('Success')).toEqual([
			expect.objectContaining({
				outcome: 'accepted',
				state: 'success',
				reference: ref,
				orderReference: order,
				asked: { amount: 150.5, currency: 'KES' },
				paidInFull: true,
				transaction: expect.objectContaining({ ref, amount: 150.5, status: 'success' }) as object,
			}),
		]);
		expect(run.json('Failed')).toEqual([]);
		const [callback] = await calledBack(demo(), ref);
		expect(callback!.attempts.map(({ status }) => status)).toEqual([200]);
		expect(sent(order)).toBe(1);
		// Whoever can read the execution cannot resume another one by what its items show.
		expect(JSON.stringify(run.json('Success'))).not.toMatch(/signature=(?!\*\*\*)/);
	});

	it('goes on with the failure and its reason', async () => {
		const order = newOrder();
		const id = await startSleeping(demo(), { rows: [{ amount: 80, order }] });
		settle(order, 'failed', 'INSUFFICIENT_FUNDS');
		const run = await ended(demo(), id);
		expect(run.json('Success')).toEqual([
			expect.objectContaining({
				state: 'failed',
				paidInFull: null,
				transaction: expect.objectContaining({
					failureReason: {
						failureCode: 'INSUFFICIENT_FUNDS',
						failureMessage: 'The customer has insufficient funds',
					},
				}) as object,
			}),
		]);
	});

	it('hears a callback that comes before the reply to the create', async () => {
		const order = newOrder();
		const workflow = await saveWaiting(demo(), { rows: [{ amount: 990304, order }] });
		const id = await demo().host().client.start(workflow, 'Start');
		const run = await ended(demo(), id);
		expect(run.json('Success')).toEqual([expect.objectContaining({ state: 'success' })]);
		expect(sent(order)).toBe(1);
		const [callback] = await calledBack(demo(), transactionOf(demo(), order).ref);
		// n8n turns away what comes while the execution runs, so that the service tries again; in queue
		// mode with 401, because what the address is compared with is not stored yet.
		expect([401, 409, 500]).toContain(callback!.attempts[0]!.status);
	});

	it('five payments with mixed results go on together, when the last is final', async () => {
		const orders = Array.from({ length: 5 }, newOrder);
		const id = await startSleeping(demo(), {
			rows: orders.map((order, index) => ({ amount: 100 + index, order })),
		});
		const ends = ['success', 'failed', 'success', 'failed', 'success'] as const;
		for (const at of [3, 0, 4, 1]) {
			const ref = settle(orders[at]!, ends[at]!, 'WRONG_PIN');
			await until(`the callback about ${ref}`, async () =>
				demo().sandbox.state.callbacks.some(
					({ reference, attempts }) => reference === ref && attempts.length > 0,
				)
					? true
					: undefined,
			);
			expect(await statusOf(demo(), id)).toBe('waiting');
		}
		settle(orders[2]!, ends[2]!);
		const run = await ended(demo(), id);
		expect(run.json('Success').map(({ state, orderReference }) => [orderReference, state])).toEqual(
			orders.map((order, index) => [order, ends[index]]),
		);
		// Each item is still paired with its own row.
		expect(run.outputs('Success').map(({ pairedItem }) => pairedItem)).toEqual(
			orders.map((_, item) => expect.objectContaining({ item }) as object),
		);
		expect(orders.map(sent)).toEqual([1, 1, 1, 1, 1]);
	});
});

describe('a payment is believed only when the service confirms it', () => {
	/** A sleeping execution and the address of its callbacks. */
	async function sleeping(rows?: IDataObject[]) {
		const order = newOrder();
		const id = await startSleeping(demo(), { rows: rows ?? [{ amount: 70, order }] });
		const [transaction] = demo().sandbox.state.transactions;
		return { id, order, url: transaction!.callback_url, ref: transaction!.ref };
	}

	const post = async (url: string, body: unknown) => await call(url, { method: 'POST', body });

	it.each(['callbackUrl', 'noCallbackUrl'] as const)(
		'and no forged callback resumes anything, records: %s',
		async (records) => {
			demo().sandbox.change({ records });
			// Another payment, really paid, with the same amount.
			const paid = newOrder();
			const other = await startSleeping(demo(), {
				rows: [{ amount: 70, order: paid, mobile: '0799999999' }],
			});
			settle(paid, 'success');
			await ended(demo(), other);
			const paidRef = transactionOf(demo(), paid).ref;

			const { id, order, url, ref } = await sleeping();
			const success = { status: 'success', amount: '70.00', currency: 'KES' };
			const forged: Array<[string, unknown]> = [
				[url, { ref, ...success }],
				[url, { ref: paidRef, ...success }],
				[url, { data: { reference: paidRef, third_party_reference_1: order, ...success } }],
				[url, { ref: 'CO-unknown', ...success }],
				[url, { status: 'success' }],
				[url, {}],
				[url, []],
				[url, 'paid'],
				[url, { ref: { $ne: null }, __proto__: { ref } }],
				[url.replace('upo=1', 'upo=2'), { ref: paidRef, ...success }],
				[url.replace(/&upo=[^&]*/, ''), { ref: paidRef, ...success }],
				[url.replace(/(upi=...)0/, '$11'), { ref: paidRef, ...success }],
			];
			const answers: number[] = [];
			for (const [address, body] of forged) answers.push((await post(address, body)).status);
			expect(answers.filter((status) => status >= 500 && status !== 503)).toEqual([]);
			expect(await statusOf(demo(), id)).toBe('waiting');
			// Older releases do not look at the signature of their address. Then our mark is read, and the service asked.
			const refused = isAtLeast('2.20.0') ? 401 : 503;
			const strange = url.replace(/signature=\w+/, `signature=${'0'.repeat(64)}`);
			expect((await post(strange, { ref, ...success })).status).toBe(refused);
			expect((await post(url.replace(/signature=\w+&/, ''), { ref })).status).toBe(refused);
			expect(await statusOf(demo(), id)).toBe('waiting');

			settle(order, 'success');
			const run = await ended(demo(), id);
			expect(run.json('Success')).toEqual([
				expect.objectContaining({ state: 'success', reference: ref, orderReference: order }),
			]);
			expect(sent(order)).toBe(1);
		},
		120_000,
	);

	it('a callback that is sent again after the end changes nothing', async () => {
		const { id, ref, order } = await sleeping();
		settle(order, 'success');
		await ended(demo(), id);
		const [callback] = await calledBack(demo(), ref);
		const again = await post(callback!.url, callback!.body);
		expect(again.status).toBe(409);
		expect((await demo().host().client.finished(id)).json('Success')).toHaveLength(1);
	});

	it('twenty callbacks at once resume it once', async () => {
		const { id, url, ref, order } = await sleeping();
		demo().sandbox.faults.add({ kind: 'latency', delayMs: 200, route: 'status.v3' });
		settle(order, 'success');
		const body = { ref, status: 'success' };
		const answers = await Promise.all(
			Array.from({ length: 20 }, async () => await post(url, body)),
		);
		const run = await ended(demo(), id);
		expect(run.tasks('Success')).toHaveLength(1);
		expect(run.json('Success')).toHaveLength(1);
		expect(answers.every(({ status }) => [200, 409, 500, 503].includes(status))).toBe(true);
	});

	it('a service that is down when it calls back is asked again with its next try', async () => {
		const { id, order } = await sleeping();
		// By our own name for it and by the one of the callback.
		demo().sandbox.faults.add({ kind: 'server-error', route: 'status.v3', first: 2 });
		const ref = settle(order, 'success');
		const run = await ended(demo(), id);
		expect(run.json('Success')).toEqual([expect.objectContaining({ state: 'success' })]);
		const [callback] = await calledBack(demo(), ref);
		expect(callback!.attempts.map(({ status }) => status)).toEqual([503, 200]);
	});
});

describe('whatever the credential says', () => {
	it.each([
		['a token, and signed here', { callbackToken: 'a-shop-token-of-1' }],
		['no token, signed by the service', { signatureSource: 'endpoint' }],
		[
			'a token, signed by the service',
			{ callbackToken: 'x y&z=é and some more', signatureSource: 'endpoint' },
		],
	])('it works with %s', async (_, changes) => {
		const credential = await demo().saveCredential(changes);
		const order = newOrder();
		const id = await startSleeping(demo(), { rows: [{ amount: 60, order }], credential });
		const { callback_url: url, ref } = transactionOf(demo(), order);
		if ('callbackToken' in changes) {
			const bare = new URL(url);
			expect(bare.searchParams.get('token')).toBe(changes.callbackToken);
			// n8n's own signature and our mark are the proof here.
			bare.searchParams.delete('token');
			const heard = await call(bare.href, { method: 'POST', body: { ref, status: 'pending' } });
			expect(heard.status).toBe(200);
		}
		settle(order, 'success');
		const run = await ended(demo(), id);
		expect(run.json('Success')).toEqual([expect.objectContaining({ state: 'success' })]);
		expect(JSON.stringify(run.json('Success'))).not.toMatch(/[?&]token=(?!\*\*\*)/);
	});

	it('several accounts in one run are refused before anything is sent', async () => {
		const credential = await demo().saveCredential({ sender: '={{ $json.sender }}' });
		const order = newOrder();
		const workflow = await saveWaiting(demo(), {
			rows: [{ amount: 60, order, sender: 'Demo Shop' }],
			credential,
		});
		const run = await demo().host().client.run(workflow, 'Start');
		expect(run.status).toBe('error');
		expect(run.failure?.message).toContain('whose account depends on the row');
		expect(sent(order)).toBe(0);
	});
});

describe('in every kind of workflow', () => {
	it('under "Continue (using error output)", bad rows take the error output once the others are final', async () => {
		const [order, bad] = [newOrder(), newOrder()];
		const id = await startSleeping(demo(), {
			rows: [
				{ amount: 'nothing', order: bad },
				{ amount: 55, order },
			],
			settings: {
				onError: 'continueErrorOutput',
				retryOnFail: true,
				maxTries: 3,
				waitBetweenTries: 0,
			},
		});
		settle(order, 'success');
		const run = await ended(demo(), id);
		expect(run.json('Success')).toEqual([
			expect.objectContaining({ orderReference: order, state: 'success' }),
		]);
		expect(run.json('Failed')).toEqual([
			expect.objectContaining({
				order: bad,
				amount: 'nothing',
				error: expect.objectContaining({ outcome: 'not_sent' }) as object,
			}),
		]);
		expect(sent(order)).toBe(1);
	});

	it('inside a sub-workflow, whose caller sleeps with it', async () => {
		const order = newOrder();
		const { id, name, type } = demo().credential;
		const { client } = demo().host();
		const sub = await client.createWorkflow({
			name: 'Collect',
			nodes: [
				{
					...place('When called', 'n8n-nodes-base.executeWorkflowTrigger', {
						inputSource: 'passthrough',
					}),
					typeVersion: 1.1,
				},
				{ ...place('Node', NODE_TYPE, COLLECT), credentials: { [type]: { id, name } } },
			],
			connections: { 'When called': { main: [to('Node')] } },
		});
		await client.publish(sub);
		const caller = await client.createWorkflow({
			name: 'Caller',
			nodes: [
				place('Start', 'n8n-nodes-base.manualTrigger'),
				{
					...place('Call', 'n8n-nodes-base.executeWorkflow', {
						workflowId: { __rl: true, mode: 'id', value: sub.id },
						options: { waitForSubWorkflow: true },
					}),
					typeVersion: 1.2,
				},
				place('Success', 'n8n-nodes-base.noOp'),
			],
			connections: { Start: { main: [to('Call')] }, Call: { main: [to('Success')] } },
			pinData: { Start: [{ json: { amount: 45, order } }] },
		});
		const execution = await client.start(caller, 'Start');
		await asleep(demo(), execution);
		settle(order, 'success');
		const run = await ended(demo(), execution);
		expect(run.json('Success')).toEqual([
			expect.objectContaining({ orderReference: order, state: 'success' }),
		]);
	});

	it('in production, started by a webhook', async () => {
		const order = newOrder();
		const { id, name, type } = demo().credential;
		const { client, url } = demo().host();
		const workflow = await client.createWorkflow({
			name: 'Checkout',
			nodes: [
				{
					...place('Order', 'n8n-nodes-base.webhook', { path: order, httpMethod: 'POST' }),
					typeVersion: 2,
					webhookId: order,
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
				place('Success', 'n8n-nodes-base.noOp'),
			],
			connections: { Order: { main: [to('Node')] }, Node: { main: [to('Success')] } },
		});
		await client.publish(workflow);
		await until('the order to be taken', async () => {
			const reply = await call(`${url}/webhook/${order}`, {
				method: 'POST',
				body: { amount: 35, order },
			});
			return reply.status === 200 ? true : undefined;
		});
		const [execution] = await until('the execution', async () => {
			const all = await client.executions(workflow);
			return all.length > 0 ? all : undefined;
		});
		await asleep(demo(), execution!.id);
		settle(order, 'success');
		const run = await ended(demo(), execution!.id);
		expect(run.json('Success')).toEqual([
			expect.objectContaining({ orderReference: order, state: 'success' }),
		]);
	});

	it('a dry run sends nothing and does not sleep', async () => {
		const order = newOrder();
		const workflow = await saveWaiting(demo(), {
			rows: [{ amount: 60, order }],
			parameters: { options: { dryRun: true } },
		});
		const run = await demo().host().client.run(workflow, 'Start');
		expect(run.json('Success')).toEqual([
			expect.objectContaining({ outcome: 'valid', message: 'Dry run: would be sent' }),
		]);
		expect(sent(order)).toBe(0);
	});

	it('an order that was sent before is not sent again, and not slept for', async () => {
		const order = newOrder();
		const workflow = await saveWaiting(demo(), { rows: [{ amount: 60, order }] });
		const { client } = demo().host();
		const first = await client.start(workflow, 'Start');
		await asleep(demo(), first);
		const second = await client.run(workflow, 'Start');
		expect(second.json('Success')).toEqual([
			expect.objectContaining({ outcome: 'duplicate', state: null, transaction: null }),
		]);
		expect(sent(order)).toBe(1);
		settle(order, 'success');
		expect((await ended(demo(), first)).json('Success')).toEqual([
			expect.objectContaining({ outcome: 'accepted', state: 'success' }),
		]);
	});
});

describe('links that are waited for', () => {
	const ROWS = () => [
		{ amount: 'nothing', order: newOrder() },
		{ amount: 20, order: newOrder() },
		{ amount: 30, order: newOrder() },
	];

	/** Pays for a link, and waits until the execution has been told. */
	const pay = async (order: string) => {
		const { reference } = demo().sandbox.state.links.find(
			(link) => link.order?.reference === order,
		)!;
		await call(`${demo().sandbox.url}/sandbox/links/${reference}/pay`, {
			method: 'POST',
			body: { outcome: 'success' },
		});
	};

	/** Which row n8n takes each item for, and what it says itself. */
	const rowsOf = (items: IDataObject[]) =>
		items.map(({ row, orderReference, state }) => [row, orderReference ?? null, state ?? null]);

	async function startLinks(rows: IDataObject[], between: 'nothing' | 'loop' | 'aggregate') {
		const { id, name, type } = demo().credential;
		const credentials = { [type]: { id, name } };
		const loops = between !== 'nothing';
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
				{ ...set('Send', 'sent', 'yes'), parameters: setTo('sent', 'yes', false) },
				{
					...place('Loop', 'n8n-nodes-base.splitInBatches', { batchSize: 1, options: {} }),
					typeVersion: 3,
				},
				place('Gather', 'n8n-nodes-base.aggregate', {
					aggregate: 'aggregateAllItemData',
					options: {},
				}),
				{
					...place('Wait', NODE_TYPE, { resource: 'paymentLink', operation: 'waitUntilPaid' }),
					credentials,
				},
				set('Success', 'row', "={{ $('Start').item.json.order }}"),
				place('End', 'n8n-nodes-base.noOp'),
			].map((node, index) => ({ ...node, position: [240 * index, 0] as [number, number] })),
			connections: {
				Start: { main: [to(loops ? 'Loop' : 'Create')] },
				Create: { main: [to('Send')] },
				Send: { main: [to(loops ? 'Loop' : 'Wait')] },
				...(loops && {
					Loop: { main: [to(between === 'aggregate' ? 'Gather' : 'Wait'), to('Create')] },
				}),
				...(between === 'aggregate' && { Gather: { main: [to('Wait')] } }),
				Wait: { main: [to(between === 'aggregate' ? 'End' : 'Success')] },
			},
			pinData: { Start: rows.map((json) => ({ json })) },
		});
		const execution = await client.start(workflow, 'Start');
		await asleep(demo(), execution);
		return execution;
	}

	const setTo = (field: string, value: string, includeOtherFields = true) => ({
		assignments: { assignments: [{ id: field, name: field, value, type: 'string' }] },
		includeOtherFields,
		options: {},
	});
	const set = (name: string, field: string, value: string) => ({
		...place(name, 'n8n-nodes-base.set', setTo(field, value)),
		typeVersion: 3.4,
	});

	it.each(['nothing', 'loop'] as const)(
		'come out paired with their rows, a bad one among them: %s between',
		async (between) => {
			const rows = ROWS();
			const id = await startLinks(rows, between);
			const [bad, first, second] = rows.map(({ order }) => order);
			await pay(second!);
			await pay(first!);
			const run = await ended(demo(), id);
			expect(rowsOf(run.json('Success'))).toEqual([
				[bad, null, null],
				[first, first, 'success'],
				[second, second, 'success'],
			]);
		},
	);

	it('of all rounds of a loop are meant by one item that stands for them', async () => {
		const rows = ROWS();
		const id = await startLinks(rows, 'aggregate');
		for (const { order } of rows.slice(1)) await pay(order);
		const run = await ended(demo(), id);
		expect(run.json('End')).toEqual([
			expect.objectContaining({
				// The first row has no link, so not all of it is paid.
				state: null,
				paidInFull: null,
				payments: [
					expect.objectContaining({ error: expect.any(Object) as object }),
					...rows
						.slice(1)
						.map(({ order }) =>
							expect.objectContaining({ orderReference: order, state: 'success' }),
						),
				],
			}),
		]);
	});
});

it('a callback token that was added while it sleeps does not matter', async () => {
	const order = newOrder();
	const credential = await demo().saveCredential({});
	const id = await startSleeping(demo(), { rows: [{ amount: 60, order }], credential });
	await demo().changeCredential(credential, { callbackToken: 'a-new-shop-token' });
	settle(order, 'success');
	const run = await ended(demo(), id);
	expect(run.json('Success')).toEqual([expect.objectContaining({ state: 'success' })]);
});
