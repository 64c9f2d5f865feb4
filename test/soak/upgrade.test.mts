/**
 * An upgrade while payments are on their way: n8n from the oldest release to the one that this project is
 * developed on, or with `UPGRADE_FROM` (what `npm pack` takes: a published version, a tarball, a folder
 * with its `dist`) this package, on that same n8n.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { sandboxCredential } from '../../dev/host/demo/sandboxCredential.mts';
import { EXPRESSIONS_ON_DEMAND, startHost } from '../../dev/host/n8n/index.mts';
import type { Execution, Host, SavedCredential, SavedWorkflow } from '../../dev/host/n8n/index.mts';
import { N8N_VERSION } from '../../dev/host/n8n/release.mts';
import { run } from '../../dev/host/n8n/run.mts';
import { withEnds } from '../../dev/host/shared/ends.mts';
import type { Ends } from '../../dev/host/shared/ends.mts';
import { call } from '../../dev/host/shared/http.mts';
import { freePort } from '../../dev/host/shared/port.mts';
import { until } from '../../dev/host/shared/until.mts';
import { startSandbox } from '../../dev/sandbox/index.mts';
import { TRIGGER, TRIGGER_TYPE } from '../e2e/host/triggerSupport.mts';
import { COLLECT } from '../e2e/host/waitingSupport.mts';
import { NODE_TYPE, PACKAGE, place, to, useForAll } from '../e2e/host/support.mts';
import { MINUTE } from '../helpers/soak/settings.mts';

const OLDEST = '2.0.0';
const { UPGRADE_FROM } = process.env;

const WEBHOOK_ID = 'upgraded';

/** The older n8n or package, and whatever replaces it, on one data folder and at one address. */
async function startOlder(ends: Ends) {
	const sandbox = await startSandbox({
		settleDelayMs: Infinity,
		mode: 'rich',
		callbackRetry: { attempts: 2, firstDelayMs: 200 },
	});
	ends.push(async () => await sandbox.close());
	const data = await mkdtemp(join(tmpdir(), 'unified-payments-upgrade-'));
	ends.push(async () => await rm(data, { recursive: true, force: true, maxRetries: 5 }));
	const port = await freePort();
	const start = async (version: string, from?: string) => {
		process.env.N8N_HOST_VERSION = version;
		return await startHost({
			port,
			data,
			env: EXPRESSIONS_ON_DEMAND,
			beforeStart: async () => {
				if (from) await replacePackage(from, join(data, '.n8n'));
			},
		});
	};
	let host: Host = UPGRADE_FROM ? await start(N8N_VERSION, UPGRADE_FROM) : await start(OLDEST);
	ends.push(async () => await host.stop());
	const credential = await host.client.createCredential(
		'For upgrades',
		'unifiedPaymentsApi',
		sandboxCredential(sandbox),
	);
	return {
		sandbox,
		credential,
		host: () => host,
		stopOlder: async () => await host.stop(),
		startNewer: async () => {
			host = await start(N8N_VERSION);
		},
	};
}

async function replacePackage(from: string, n8nFolder: string): Promise<void> {
	const target = join(n8nFolder, 'nodes', 'node_modules', PACKAGE);
	const temporary = await mkdtemp(join(tmpdir(), 'unified-payments-older-'));
	try {
		const args = ['pack', '--ignore-scripts', '--pack-destination', temporary, from];
		await run('npm', args, { cwd: temporary });
		await rm(target, { recursive: true, force: true });
		await mkdir(target, { recursive: true });
		const unpack = `tar -xzf *.tgz --strip-components=1 -C '${target}'`;
		await run('bash', ['-c', unpack], { cwd: temporary });
	} finally {
		await rm(temporary, { recursive: true, force: true });
	}
}

const demo = useForAll(async () => await withEnds(startOlder));

const credentials = ({ id, name, type }: SavedCredential) => ({ [type]: { id, name } });

const payments = (name: string, parameters: INodeParameters): INode => ({
	...place(name, NODE_TYPE, parameters),
	credentials: credentials(demo().credential),
});

/** Nodes one behind the other, after a start that gives these rows. */
const save = async (rows: IDataObject[], ...nodes: INode[]): Promise<SavedWorkflow> => {
	const all = [place('Start', 'n8n-nodes-base.manualTrigger'), ...nodes];
	return await demo()
		.host()
		.client.createWorkflow({
			name: nodes.map(({ name }) => name).join(', '),
			nodes: all,
			connections: Object.fromEntries(
				nodes.map(({ name }, index) => [all[index]!.name, { main: [to(name)] }]),
			),
			pinData: { Start: rows.map((json) => ({ json })) },
		});
};

const sink = place('End', 'n8n-nodes-base.noOp');

const createAndWait = async (row: IDataObject, waitLimitMinutes: number) =>
	await save([row], payments('Pay', { ...COLLECT, waitLimitMinutes }), sink);

const statusOf = async (id: string) => (await demo().host().client.stored(id))?.status;

async function sleeping(workflow: SavedWorkflow): Promise<string> {
	const id = await demo().host().client.start(workflow, 'Start');
	await until(`execution ${id} to sleep`, async () =>
		(await statusOf(id)) === 'waiting' ? true : undefined,
	);
	return id;
}

/** However long it sleeps. */
async function ended(id: string, seconds = 60): Promise<Execution> {
	await until(
		`the end of execution ${id}`,
		async () =>
			['waiting', 'new', 'running'].includes((await statusOf(id)) ?? 'new') ? undefined : true,
		{ seconds, everyMs: 200 },
	);
	return await demo().host().client.finished(id);
}

const settle = (order: string) => {
	const { sandbox } = demo();
	const found = sandbox.state.transactions.filter((each) => each.third_party_reference_1 === order);
	expect(found).toHaveLength(1);
	sandbox.settle(found[0]!.ref, 'success');
	return found[0]!.ref;
};

/** Resolves when the service has nothing more to say about a payment. */
const toldAbout = async (reference: string) =>
	await until(`the callback about ${reference}`, async () =>
		demo().sandbox.state.callbacks.find(
			(each) => each.reference === reference && each.status !== 'pending',
		),
	);

const ROWS = { paid: 100, late: 200, plain: 300, before: 400 };
const [PAID, LATE, PLAIN, BEFORE] = ['UP-PAID', 'UP-LATE', 'UP-PLAIN', 'UP-BEFORE'];
const LINKS = ['UP-LINK-1', 'UP-LINK-2'];

describe(`from ${UPGRADE_FROM ?? `n8n ${OLDEST}`}`, () => {
	const id = { paid: '', late: '', links: '' };
	let trigger: SavedWorkflow;
	let plain: SavedWorkflow;
	let before: SavedWorkflow;

	const callbacks = async () => {
		const { client } = demo().host();
		const all: IDataObject[] = [];
		for (const { id: execution } of await client.executions(trigger)) {
			const stored = await client.finished(execution);
			expect(stored.json('Rejected')).toEqual([]);
			all.push(...stored.json('Callback'));
		}
		return all;
	};

	const callbackAbout = async (order: string) =>
		await until(`the item about ${order}`, async () =>
			(await callbacks()).find(({ orderReference }) => orderReference === order),
		);

	const collect = async (order: string, amount: number) =>
		await save(
			[{ order, amount }],
			payments('Pay', {
				resource: 'collection',
				operation: 'create',
				country: 'KE',
				amount: '={{ $json.amount }}',
				mobile: '0712345678',
				orderReference: '={{ $json.order }}',
				callbackUrl: `${demo().host().url}/webhook/${WEBHOOK_ID}/webhook`,
			}),
		);

	beforeAll(async () => {
		const { client, url } = demo().host();
		trigger = await client.createWorkflow({
			name: 'Callbacks',
			nodes: [
				{
					...place(TRIGGER, TRIGGER_TYPE),
					typeVersion: 2,
					webhookId: WEBHOOK_ID,
					credentials: credentials(demo().credential),
				},
				place('Callback', 'n8n-nodes-base.noOp'),
				place('Rejected', 'n8n-nodes-base.noOp'),
			],
			connections: { [TRIGGER]: { main: [to('Callback'), to('Rejected')] } },
		});
		await client.publish(trigger);
		await until('the endpoint', async () => {
			const { status } = await call(`${url}/webhook/${WEBHOOK_ID}/webhook`, { method: 'POST' });
			return status === 404 ? undefined : true;
		});
		plain = await collect(PLAIN, ROWS.plain);
		before = await collect(BEFORE, ROWS.before);
		for (const each of [plain, before]) {
			expect((await client.run(each, 'Start')).json('Pay')).toMatchObject([
				{ outcome: 'accepted' },
			]);
		}
		await toldAbout(settle(BEFORE));
		await callbackAbout(BEFORE);
		id.links = await sleeping(
			await save(
				LINKS.map((order) => ({ order })),
				payments('Create', {
					resource: 'paymentLink',
					operation: 'create',
					country: 'KE',
					amount: '80',
					businessName: 'Demo Shop',
					itemName: '={{ $json.order }}',
					orderReference: '={{ $json.order }}',
					options: { waitInThisExecution: true },
				}),
				payments('Wait', {
					resource: 'paymentLink',
					operation: 'waitUntilPaid',
					waitLimitMinutes: 60,
				}),
				sink,
			),
		);
		id.paid = await sleeping(await createAndWait({ order: PAID, amount: ROWS.paid }, 30));
		id.late = await sleeping(await createAndWait({ order: LATE, amount: ROWS.late }, 2));
		await demo().stopOlder();
		// While n8n is down: nobody hears it.
		await toldAbout(settle(LATE));
		await demo().startNewer();
	}, 10 * MINUTE);

	it('executions sleep on', async () => {
		expect([await statusOf(id.paid), await statusOf(id.links)]).toEqual(['waiting', 'waiting']);
	});

	it('a callback wakes the one that it is about', async () => {
		await toldAbout(settle(PAID));
		const run = await ended(id.paid);
		expect(run.json('End')).toMatchObject([
			{ orderReference: PAID, state: 'success', paidInFull: true },
		]);
	});

	it('links that are paid wake the one that waits for them', async () => {
		const { sandbox } = demo();
		for (const order of LINKS) {
			const { reference } = sandbox.state.links.find(({ item_name: name }) => name === order)!;
			const url = `${sandbox.url}/sandbox/links/${reference}/pay`;
			expect((await call(url, { method: 'POST', body: { outcome: 'success' } })).status).toBe(200);
		}
		const run = await ended(id.links);
		expect(run.json('End')).toMatchObject(
			LINKS.map((orderReference) => ({ orderReference, state: 'success', paidInFull: true })),
		);
	});

	it('the trigger hears what comes, and does not repeat what it has emitted', async () => {
		await toldAbout(settle(PLAIN));
		expect(await callbackAbout(PLAIN)).toMatchObject({ state: 'success', paidInFull: true });
		const { url, body } = demo().sandbox.state.callbacks.find(({ url: called }) =>
			demo().sandbox.state.transactions.some(
				(each) => each.third_party_reference_1 === BEFORE && each.callback_url === called,
			),
		)!;
		const { client } = demo().host();
		const known = (await client.executions(trigger)).length;
		expect((await call(url, { method: 'POST', body })).status).toBe(200);
		await until('the repeat', async () =>
			(await client.executions(trigger)).length > known ? true : undefined,
		);
		expect((await callbacks()).map(({ orderReference }) => orderReference).sort()).toEqual(
			[BEFORE, PLAIN].sort(),
		);
	});

	it('what was sent is not sent again', async () => {
		const { client } = demo().host();
		for (const each of [plain, before]) {
			expect((await client.run(each, 'Start')).json('Pay')).toMatchObject([
				{ outcome: 'duplicate' },
			]);
		}
		const { ledger } = demo().sandbox.state;
		expect([PLAIN, BEFORE].map((order) => ledger.of(order).length)).toEqual([1, 1]);
	});

	it('when time is up, an item goes on with its reference', async () => {
		const run = await ended(id.late, 300);
		expect(run.json('End')).toMatchObject([
			{ outcome: 'accepted', state: 'timedOut', orderReference: LATE },
		]);
		expect(demo().sandbox.state.ledger.of(LATE)).toHaveLength(1);
	}, 400_000);
});
