import type { IDataObject } from 'n8n-workflow';

import { UnifiedPaymentsApi } from '../../../credentials/UnifiedPaymentsApi.credentials.ts';
import { runNode, type Sleeper } from '../../../host/engine/index.mts';
import { call } from '../../../host/shared/http.mts';
import { until } from '../../../host/shared/until.mts';
import { UnifiedPayments } from '../../../nodes/UnifiedPayments/UnifiedPayments.node.ts';
import { startSandbox } from '../../../sandbox/index.mts';
import { demoCredential, runPayments } from '../../helpers/payments.mts';
import { runLinks } from '../../helpers/waiting.mts';
import { throughout } from '../../helpers/throughout.mts';

const sandbox = throughout(
	async () => await startSandbox({ callbackRetry: { attempts: 6, firstDelayMs: 200 } }),
);

const sleepers: Sleeper[] = [];
beforeEach(() => sandbox.reset());
afterEach(async () => {
	// What the service still has to say belongs to this test.
	sandbox.reset();
	await Promise.all(sleepers.splice(0).map(async (sleeper) => await sleeper.close()));
});

const ROWS = [
	{ amount: 10, order: 'A-1' },
	{ amount: 20, order: 'A-2' },
	{ amount: 30, order: 'A-3' },
];

async function links(
	rows: IDataObject[] = ROWS,
	options: Partial<Parameters<typeof runLinks>[0]> = {},
): Promise<Sleeper> {
	const sleeper = await runLinks({ credential: demoCredential(sandbox.url), rows, ...options });
	sleepers.push(sleeper);
	return sleeper;
}

const of = (order: string) => sandbox.state.links.find((link) => link.order?.reference === order)!;

/** Without waiting for what comes of it. */
const payNow = (reference: string) =>
	void call(`${sandbox.url}/sandbox/links/${reference}/pay`, {
		method: 'POST',
		body: { outcome: 'success' },
	});

async function pay(order: string, outcome: 'success' | 'failed' = 'success', amount?: number) {
	const { reference } = of(order);
	await call(`${sandbox.url}/sandbox/links/${reference}/pay`, {
		method: 'POST',
		body: { outcome, ...(amount !== undefined && { amount }) },
	});
}

describe('an execution sleeps until its links are paid', () => {
	it.each([
		['as in the specification', {}],
		['with references', { mode: 'rich' }],
		['with other names in the list', { listEntries: 'otherNames' }],
		['without callback URLs in the list', { mode: 'rich', listEntries: 'fields' }],
		['without callback URLs in records', { records: 'noCallbackUrl' }],
	] as const)('%s', async (_, switches) => {
		sandbox.change(switches);
		const sleeper = await links();
		expect(sleeper.result().status).toBe('waiting');
		await pay('A-3');
		await pay('A-1', 'failed');
		await until('two answers', async () => (sleeper.answers.length >= 2 ? true : undefined));
		expect(sleeper.result().status).toBe('waiting');
		await pay('A-2');
		const result = await sleeper.awake();
		expect(result.json('Success')).toEqual(
			ROWS.map(({ order, amount }) =>
				expect.objectContaining({
					orderReference: order,
					state: order === 'A-1' ? 'failed' : 'success',
					reference: of(order).reference,
					asked: { amount, currency: 'KES' },
					paidInFull: order === 'A-1' ? null : true,
					transaction: expect.objectContaining({ ref: of(order).reference }) as object,
				}),
			),
		);
	});

	it('also when only the callback can tell the names, as long as n8n is up', async () => {
		sandbox.change({ listEntries: 'fields' });
		const sleeper = await links();
		for (const { order } of ROWS) await pay(order);
		const result = await sleeper.awake();
		expect(result.json('Success').map(({ state }) => state)).toEqual([
			'success',
			'success',
			'success',
		]);
		expect(sleeper.answers[0]!.status).toBe(503);
	});

	it('and goes on at once when they are paid already', async () => {
		const sleeper = await links(ROWS.slice(0, 1), {
			send: (items) => {
				const { reference } = of('A-1');
				void call(`${sandbox.url}/sandbox/links/${reference}/pay`, {
					method: 'POST',
					body: { outcome: 'success' },
				});
				return items;
			},
		});
		const result = await sleeper.awake();
		expect(result.json('Success')).toEqual([expect.objectContaining({ state: 'success' })]);
	});

	it('one paid in part says so', async () => {
		const sleeper = await links(ROWS.slice(0, 1));
		await pay('A-1', 'success', 4);
		expect((await sleeper.awake()).json('Success')[0]).toMatchObject({
			state: 'success',
			paidInFull: false,
		});
	});

	it('when time is up they go on with their links', async () => {
		const sleeper = await links(ROWS, { wait: { waitLimitMinutes: 5 } });
		const left = sleeper.result().waitTill!.getTime() - Date.now();
		expect(left).toBeLessThanOrEqual(5 * 60_000);
		const result = await sleeper.timeOut();
		expect(result.json('Success')).toEqual(
			ROWS.map(({ order }) =>
				expect.objectContaining({
					orderReference: order,
					state: 'timedOut',
					link: of(order).link,
					transaction: null,
				}),
			),
		);
	});
});

describe('the links of the input', () => {
	it('are those that came through, whatever a node between made of them', async () => {
		const sleeper = await links(ROWS, { send: (items) => items });
		for (const { order } of ROWS) await pay(order);
		expect((await sleeper.awake()).json('Success')).toHaveLength(3);
	});

	it('are all that were created, where an item belongs to several', async () => {
		const sleeper = await links(ROWS, { send: (items) => [{ all: items.length }] });
		expect(sleeper.result().status).toBe('waiting');
		for (const { order } of ROWS) await pay(order, order === 'A-2' ? 'failed' : 'success');
		expect((await sleeper.awake()).json('Success')).toEqual([
			expect.objectContaining({
				all: 3,
				state: 'failed',
				paidInFull: null,
				payments: ROWS.map(({ order }) =>
					expect.objectContaining({
						orderReference: order,
						reference: of(order).reference,
						link: of(order).link,
						state: order === 'A-2' ? 'failed' : 'success',
						paidInFull: order === 'A-2' ? null : true,
					}),
				),
			}),
		]);
	});

	it('when time is up, an item that belongs to several says so for each', async () => {
		const sleeper = await links(ROWS, { send: (items) => [{ all: items.length }] });
		const [item, ...others] = (await sleeper.timeOut()).json('Success');
		expect(others).toEqual([]);
		expect(item).toMatchObject({
			state: 'timedOut',
			payments: ROWS.map(({ order }) => ({ orderReference: order, state: 'timedOut' })),
		});
	});

	const withBadRow = [{ amount: 'nothing', order: 'A-0' }, ...ROWS.slice(0, 2)];
	const goesOn = { createSettings: { onError: 'continueRegularOutput' } } as const;

	it.each(['resumed', 'timed out', 'final at once'])(
		'keep their place behind a bad row: %s',
		async (how) => {
			const isPaidBefore = how === 'final at once';
			const sleeper = await links(withBadRow, {
				...goesOn,
				send: (items) => {
					if (isPaidBefore) for (const { reference } of sandbox.state.links) payNow(reference);
					return items.map(() => ({ sent: true }));
				},
			});
			if (how === 'resumed') for (const order of ['A-2', 'A-1']) await pay(order);
			const result = how === 'timed out' ? await sleeper.timeOut() : await sleeper.awake();
			const state = how === 'timed out' ? 'timedOut' : 'success';
			expect(
				result.json('Success').map((item) => [item.row, item.orderReference, item.state]),
			).toEqual([
				['A-0', undefined, undefined],
				['A-1', 'A-1', state],
				['A-2', 'A-2', state],
			]);
			expect(result.json('Success')[0]).toMatchObject({ error: { outcome: 'not_sent' } });
		},
	);

	it('come out twice when two items are about one, which is waited for once', async () => {
		const sleeper = await links(ROWS.slice(0, 2), {
			send: (items) => items.flatMap(() => [{ to: 'payer' }, { to: 'shop' }]),
		});
		for (const order of ['A-2', 'A-1']) await pay(order);
		const items = (await sleeper.awake()).json('Success');
		expect(items.map(({ row, orderReference, state }) => [row, orderReference, state])).toEqual([
			['A-1', 'A-1', 'success'],
			['A-1', 'A-1', 'success'],
			['A-2', 'A-2', 'success'],
			['A-2', 'A-2', 'success'],
		]);
	});

	it('a row that repeats another one comes out with the state of what was sent', async () => {
		const sleeper = await links([ROWS[0]!, ROWS[0]!]);
		await pay('A-1');
		const items = (await sleeper.awake()).json('Success');
		expect(items.map(({ outcome, state }) => [outcome, state])).toEqual([
			['accepted', 'success'],
			['duplicate', 'success'],
		]);
	});

	it.each([
		['one item for each', undefined],
		['items that keep the link', (items: IDataObject[]) => items],
	])('of all rounds of a loop are waited for: %s', async (_, send) => {
		const sleeper = await links(ROWS, { loops: true, ...(send && { send }) });
		expect(sleeper.result().status).toBe('waiting');
		for (const order of ['A-3', 'A-1', 'A-2'])
			await pay(order, order === 'A-1' ? 'failed' : 'success');
		const items = (await sleeper.awake()).json('Success');
		expect(items.map(({ row, orderReference, state }) => [row, orderReference, state])).toEqual([
			['A-1', 'A-1', 'failed'],
			['A-2', 'A-2', 'success'],
			['A-3', 'A-3', 'success'],
		]);
	});

	it('of all rounds of a loop are meant by an item that stands for all of them', async () => {
		const sleeper = await links(ROWS, { loops: true, gathers: true });
		expect(sleeper.result().status).toBe('waiting');
		for (const { order } of ROWS) await pay(order);
		const [item, ...others] = (await sleeper.awake()).json('Success');
		expect(others).toEqual([]);
		expect(item).toMatchObject({
			all: 3,
			state: 'success',
			paidInFull: true,
			payments: ROWS.map(({ order }) => ({ orderReference: order, state: 'success' })),
		});
	});

	it('must be there, and be made for this execution', async () => {
		const sleeper = await links(ROWS.slice(0, 1), { create: { options: {} } });
		expect(sleeper.result().status).toBe('error');
		expect(sleeper.result().failure?.message).toContain('There is no payment link to wait for');
		const { json } = {
			json: (
				await links(ROWS.slice(0, 1), {
					create: { options: {} },
					settings: { onError: 'continueErrorOutput' },
				})
			).result(),
		};
		expect(json.json('Success')).toEqual([]);
		expect(json.json('Failed')).toEqual([
			expect.objectContaining({
				sent: true,
				error: expect.objectContaining({
					description: expect.stringContaining("'Wait in This Execution'") as string,
				}) as object,
			}),
		]);
	});

	it('that were sent by an earlier run are not waited for', async () => {
		const first = await links(ROWS.slice(0, 1), { workflowId: 'links-once' });
		const again = await links(ROWS.slice(0, 1), { workflowId: 'links-once' });
		expect(again.result().status).toBe('success');
		expect(again.result().json('Success')).toEqual([
			expect.objectContaining({ outcome: 'duplicate', state: null, link: of('A-1').link }),
		]);
		await pay('A-1');
		await first.awake();
	});

	it('of an earlier run with another payer are not those of this row', async () => {
		const orderOf = (email: string) => [{ ...ROWS[0], email }];
		const create = { additionalFields: { email: '={{ $json.email }}' } };
		const same = { workflowId: 'links-of-another', create };
		const first = await links(orderOf('amina@example.com'), same);
		const again = await links(orderOf('baraka@example.com'), same);
		expect(again.result().json('Success')).toEqual([
			expect.objectContaining({ outcome: 'duplicate', state: null, link: null, reference: null }),
		]);
		await pay('A-1');
		await first.awake();
	});

	it('are not waited for with a limit that is none, and the error names it', async () => {
		const sleeper = await links(ROWS, { wait: { waitLimitMinutes: 0.5 } });
		expect(sleeper.result().status).toBe('error');
		expect(sleeper.result().failure).toMatchObject({
			message: expect.stringContaining(
				"'Wait Limit (Minutes)' in row 1 is 0.5, which is not a whole number",
			) as string,
			description: expect.stringContaining('links that were created stay') as string,
		});
	});

	it('a dry run has none, and does not sleep', async () => {
		const sleeper = await links(ROWS, {
			create: { options: { waitInThisExecution: true, dryRun: true } },
		});
		expect(sleeper.result().status).toBe('error');
		expect(sandbox.state.links).toEqual([]);
	});
});

describe('create with the option', () => {
	it('gives each link an address of this execution, in place of one that is given', async () => {
		await links(ROWS, {
			create: {
				orderReference: '={{ $json.order }}',
				callbackUrl: 'https://elsewhere.example.com/hook',
			},
		});
		const urls = sandbox.state.links.map((link) => link.callback_url!);
		expect(urls).toHaveLength(3);
		expect(new Set(urls).size).toBe(3);
		for (const url of urls) {
			expect(url).toMatch(
				/\/webhook-waiting\/\d+\/unified-payments\?signature=[0-9a-f]{64}&upi=[\w-]{3}\d&upo=1A-\d\.\d+KES[\w-]{4}\.[\w-]{16}$/,
			);
			expect(url.length).toBeLessThan(255);
		}
	});

	it('says so when nobody waits for the links later on', async () => {
		const alone = await links(ROWS, { waits: false });
		expect(alone.result().hints('Create')).toContainEqual(
			expect.objectContaining({
				message: expect.stringContaining('no later node waits for them') as string,
			}),
		);
		const both = await links(ROWS.map((row) => ({ ...row, order: `B${row.order}` })));
		expect(JSON.stringify(both.result().hints('Create'))).not.toContain('no later node');
	});

	it('a callback that comes while nobody waits yet is answered so that it comes again', async () => {
		const sleeper = await links(ROWS.slice(0, 1), { waits: false });
		await pay('A-1');
		await until('an answer', async () => (sleeper.answers.length > 0 ? true : undefined));
		expect(sleeper.answers[0]!.status).toBe(409);
	});
});

it('another account cannot wait for them', async () => {
	// The node that waits has the same credential in these tests, so its key is changed in between.
	const credential = demoCredential(sandbox.url);
	const sleeper = await links(ROWS.slice(0, 1), {
		credential,
		send: (items) =>
			items.map(({ ...json }) => {
				const request = json.request as IDataObject;
				const callback_url = String(request.callback_url).replace('upo=1A-1', 'upo=1A-9');
				return { ...json, request: { ...request, callback_url } };
			}),
	});
	expect(sleeper.result().failure?.message).toContain('were created with another account');
});

it.each(['collection.createAndWait', 'paymentLink.waitUntilPaid', 'transaction.waitUntilFinal'])(
	'%s is not offered to AI agents',
	async (name) => {
		const [resource, operation] = name.split('.');
		const type = new UnifiedPayments();
		const picker = type.description.properties.find(
			(each) =>
				each.name === 'operation' && each.displayOptions?.show?.resource?.includes(resource!),
		);
		const choice = picker!.options!.find((each) => 'value' in each && each.value === operation);
		expect(choice).toMatchObject({ displayOptions: { hide: { '@tool': [true] } } });
		expect(await runAsTool(resource!, operation!)).toContain('cannot be used by an AI agent');
	},
);

/** A workflow that was edited by hand: the editor does not offer it. */
async function runAsTool(resource: string, operation: string): Promise<string> {
	const type = new UnifiedPayments();
	type.description = { ...type.description, name: 'unifiedPaymentsTool' };
	const { failure } = await runNode(
		type,
		{ resource, operation, reference: 'TX-1', amount: 10, mobile: '0712345678' },
		{
			credentials: { unifiedPaymentsApi: demoCredential(sandbox.url) },
			credentialTypes: [new UnifiedPaymentsApi()],
		},
	);
	return failure?.message ?? 'It ran.';
}

it('the operations that do not wait are offered to AI agents', async () => {
	const { successJson } = await runPayments(
		{ resource: 'country', operation: 'getAll', table: 'collections' },
		{ credential: demoCredential(sandbox.url) },
	);
	expect(successJson.length).toBeGreaterThan(5);
});

describe('an approval of links that are waited for', () => {
	const approve = async (rows: IDataObject[]): Promise<string> => {
		const { successJson } = await runPayments(
			{
				resource: 'paymentLink',
				operation: 'check',
				country: 'KE',
				amount: '={{ $json.amount }}',
				businessName: 'Demo Shop',
				itemName: 'Tea',
				orderReference: '={{ $json.order }}',
			},
			{ credential: demoCredential(sandbox.url), items: rows },
		);
		return String(successJson[0]!.fingerprint);
	};

	it('holds, although their callback URL is another one in each execution', async () => {
		const approvedFingerprint = await approve(ROWS);
		const create = { options: { waitInThisExecution: true, approvedFingerprint } };
		const sleeper = await links(ROWS, { create });
		expect(sleeper.result().status).toBe('waiting');
		expect(sandbox.state.links).toHaveLength(3);
	});

	it('does not hold for other rows', async () => {
		const approvedFingerprint = await approve(ROWS.slice(1));
		const create = { options: { waitInThisExecution: true, approvedFingerprint } };
		const sleeper = await links(ROWS, { create });
		expect(sleeper.result().error('Create')?.message).toContain('not the rows that were approved');
		expect(sandbox.state.links).toHaveLength(0);
	});
});
