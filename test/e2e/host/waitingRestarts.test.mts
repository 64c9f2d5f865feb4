import type { IDataObject, INode } from 'n8n-workflow';

import { call } from '../../../dev/host/shared/http.mts';
import { until } from '../../../dev/host/shared/until.mts';
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

/** A node with the credential. */
const payments = (name: string, parameters: INode['parameters'], settings: Partial<INode> = {}) => {
	const { id, name: credential, type } = demo().credential;
	const credentials = { [type]: { id, name: credential } };
	return { ...place(name, NODE_TYPE, parameters), credentials, ...settings };
};

/** Starts the nodes one behind the other, the first with these rows. */
async function start(nodes: INode[], rows: IDataObject[]): Promise<string> {
	const { client } = demo().host();
	const all = [place('Start', 'n8n-nodes-base.manualTrigger'), ...nodes];
	const workflow = await client.createWorkflow({
		name: 'Over restarts',
		nodes: [
			...all,
			place('Success', 'n8n-nodes-base.noOp'),
			place('Failed', 'n8n-nodes-base.noOp'),
		],
		connections: Object.fromEntries(
			all.map(({ name, onError }, index) => [
				name,
				{
					main: [
						to(all[index + 1]?.name ?? 'Success'),
						...(onError === 'continueErrorOutput' ? [to('Failed')] : []),
					],
				},
			]),
		),
		pinData: { Start: rows.map((json) => ({ json })) },
	});
	return await client.start(workflow, 'Start');
}

const settle = (order: string, status: 'success' | 'failed') => {
	const { ref } = transactionOf(demo(), order);
	demo().sandbox.settle(ref, status);
	return ref;
};

/** Links for all rows, a step that puts something else in their place, and the wait. */
const startLinks = async (rows: IDataObject[]) =>
	await start(
		[
			payments('Create', {
				resource: 'paymentLink',
				operation: 'create',
				country: 'KE',
				amount: '={{ $json.amount }}',
				businessName: 'Demo Shop',
				itemName: '=Order {{ $json.order }}',
				orderReference: '={{ $json.order }}',
				options: { waitInThisExecution: true, concurrency: 10 },
			}),
			{
				...place('Send', 'n8n-nodes-base.set', {
					mode: 'raw',
					jsonOutput: '={{ { sentTo: $json.link } }}',
				}),
				typeVersion: 3.4,
			},
			payments('Wait', {
				resource: 'paymentLink',
				operation: 'waitUntilPaid',
				waitLimitMinutes: 60,
			}),
		],
		rows,
	);

const linkOf = (order: string) => {
	const found = demo().sandbox.state.links.filter((link) => link.order?.reference === order);
	expect(found).toHaveLength(1);
	return found[0]!;
};

const pay = async (order: string, outcome: 'success' | 'failed') => {
	const { reference } = linkOf(order);
	const url = `${demo().sandbox.url}/sandbox/links/${reference}/pay`;
	expect((await call(url, { method: 'POST', body: { outcome } })).status).toBe(200);
	return reference;
};

describe('killed while executions sleep', () => {
	const [paid, failed, missed, heard] = [newOrder(), newOrder(), newOrder(), newOrder()];
	const [late, bad, done] = [newOrder(), newOrder(), newOrder()];
	const links = Array.from({ length: 50 }, newOrder);
	const shuffled = [...links].sort(() => Math.random() - 0.5);
	const failing = new Set(shuffled.filter((_, index) => index % 7 === 3));
	/** A try that failed does not end the wait for a link. */
	const payOne = async (order: string) => {
		if (failing.has(order)) await pay(order, 'failed');
		return await pay(order, 'success');
	};
	const id = { paid: '', failed: '', missed: '', timedOut: '', links: '' };

	/** One kill for all of them. What is paid meanwhile is told to nobody, and the service gives up. */
	beforeAll(async () => {
		const { sandbox } = demo();
		sandbox.change({ mode: 'spec' });
		id.paid = await startSleeping(demo(), { rows: [{ amount: 100, order: paid }] });
		id.failed = await startSleeping(demo(), { rows: [{ amount: 200, order: failed }] });
		id.links = await startLinks(links.map((order, index) => ({ amount: 100 + index, order })));
		await asleep(demo(), id.links);
		sandbox.change({ mode: 'rich' });
		id.missed = await startSleeping(demo(), {
			rows: [
				{ amount: 100, order: missed },
				{ amount: 200, order: heard },
			],
		});
		id.timedOut = await start(
			[
				payments('Node', { ...COLLECT, waitLimitMinutes: 1 }, { onError: 'continueErrorOutput' }),
				payments('Check', {
					resource: 'transaction',
					operation: 'get',
					reference: '={{ $json.reference }}',
				}),
			],
			[
				{ amount: 'nothing', order: bad },
				{ amount: 300, order: late },
				{ amount: 990200, order: done },
			],
		);
		await asleep(demo(), id.timedOut);
		for (const order of shuffled.slice(0, 25)) await payOne(order);

		await demo().kill();
		for (const order of shuffled.slice(25, 30)) await calledBack(demo(), await payOne(order));
		for (const order of [missed, late]) {
			const [callback] = await calledBack(demo(), settle(order, 'success'));
			expect(callback!.status).toBe('failed');
		}
		await demo().start();
	}, 300_000);

	it('each goes on with its own result once it is up again', async () => {
		for (const each of [id.paid, id.failed]) expect(await statusOf(demo(), each)).toBe('waiting');
		settle(failed, 'failed');
		settle(paid, 'success');
		const runs = [await ended(demo(), id.paid), await ended(demo(), id.failed)];
		expect(runs.map((run) => run.json('Success').map(({ state }) => state))).toEqual([
			['success'],
			['failed'],
		]);
		const { ledger } = demo().sandbox.state;
		expect([paid, failed].map((order) => ledger.of(order).length)).toEqual([1, 1]);
	});

	it('what was missed is found with the next callback', async () => {
		expect(await statusOf(demo(), id.missed)).toBe('waiting');
		settle(heard, 'failed');
		const run = await ended(demo(), id.missed);
		expect(run.json('Success').map(({ state }) => state)).toEqual(['success', 'failed']);
	});

	it('fifty links, paid in random order over the restart, go on together', async () => {
		for (const order of shuffled.slice(30)) {
			expect(await statusOf(demo(), id.links)).toBe('waiting');
			await calledBack(demo(), await payOne(order));
		}
		const run = await ended(demo(), id.links);
		expect(run.json('Success').map((item) => [item.orderReference, item.state])).toEqual(
			links.map((order) => [order, 'success']),
		);
		const { link, reference } = linkOf(links[0]!);
		expect(run.json('Success')[0]).toMatchObject({
			link,
			reference,
			asked: { amount: 100, currency: 'KES' },
		});
		expect(run.outputs('Success').map(({ pairedItem }) => pairedItem)).toEqual(
			links.map((_, item) => expect.objectContaining({ item }) as object),
		);
		const urls = links.map((order) => linkOf(order).callback_url);
		expect(new Set(urls).size).toBe(links.length);
	});

	it('when time is up, items go on as timed out, each on its own output, and can be checked again', async () => {
		const run = await ended(demo(), id.timedOut, TIME_OUT_SECONDS);
		expect(run.status).toBe('success');
		expect(run.json('Node')).toMatchObject([
			{ outcome: 'accepted', state: 'timedOut', orderReference: late, transaction: null },
			{ orderReference: done, state: 'success', paidInFull: true },
		]);
		expect(run.json('Success')).toMatchObject([
			{ ref: transactionOf(demo(), late).ref, state: 'success', orderReference: late },
			{ state: 'success', orderReference: done },
		]);
		expect(run.json('Failed')).toMatchObject([{ order: bad, error: { outcome: 'not_sent' } }]);
		expect(demo().sandbox.state.ledger.of(late)).toHaveLength(1);
	}, 300_000);
});

it('killed after it woke up, a retry goes on with the confirmed result, and sends nothing again', async () => {
	demo().sandbox.change({ mode: 'rich' });
	const order = newOrder();
	const id = await start(
		[
			payments('Node', {
				...COLLECT,
				// The same with every run, and nothing that remembers what was sent.
				amount: 120,
				mobile: '0712345678',
				orderReference: order,
				options: { onDuplicate: 'sendAnyway' },
			}),
			{
				...place('Slow step', 'n8n-nodes-base.wait', { amount: 20, unit: 'seconds' }),
				typeVersion: 1.1,
			},
		],
		[{}],
	);
	await asleep(demo(), id);
	const ref = settle(order, 'success');
	await calledBack(demo(), ref);
	await until('it to wake up', async () =>
		(await statusOf(demo(), id)) === 'waiting' ? undefined : true,
	);
	await demo().kill();
	await demo().start();
	const crashed = await ended(demo(), id);
	expect(crashed.status).toBe('crashed');

	const retried = await demo().host().client.retry(id);
	expect(retried.json('Success')).toMatchObject([
		{ orderReference: order, state: 'success', reference: ref },
	]);
	expect(demo().sandbox.state.ledger.of(order)).toHaveLength(1);
});
