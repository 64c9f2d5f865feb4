import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Sleeper } from '../../../host/engine/index.mts';
import { call } from '../../../host/shared/http.mts';
import { until } from '../../../host/shared/until.mts';
import { startSandbox } from '../../../sandbox/index.mts';
import { demoCredential, runPayments } from '../../helpers/payments.mts';
import {
	runCollect,
	withoutPauses,
	withRealPauses,
	type SleeperOptions,
} from '../../helpers/waiting.mts';
import { throughout } from '../../helpers/throughout.mts';

withoutPauses();

const sandbox = throughout(
	async () =>
		await startSandbox({
			settleDelayMs: Infinity,
			callbackRetry: { attempts: 6, firstDelayMs: 200 },
			callbackTimeoutMs: 20_000,
		}),
);

const sleepers: Sleeper[] = [];
beforeEach(() => sandbox.reset());
afterEach(async () => {
	// What the service still has to say belongs to this test.
	sandbox.reset();
	await Promise.all(sleepers.splice(0).map(async (sleeper) => await sleeper.close()));
});

/** A run that went to sleep, or not. */
async function collect(
	rows: IDataObject[],
	parameters: INodeParameters = {},
	options: Partial<SleeperOptions> = {},
): Promise<Sleeper> {
	const credential = demoCredential(sandbox.url);
	const sleeper = await runCollect(parameters, { credential, rows, ...options });
	sleepers.push(sleeper);
	return sleeper;
}

const ORDER = { amount: 1250.5, order: 'A-1' };

const of = (order: string) =>
	sandbox.state.transactions.find((each) => each.third_party_reference_1 === order)!;
const settle = (order: string, status: 'success' | 'failed' = 'success') =>
	sandbox.settle(of(order).ref, status);
const asked = () =>
	sandbox.state.requests.filter(({ path }) => path.includes('transaction-status')).length;
const post = async (url: string, body: unknown) => await call(url, { method: 'POST', body });

describe('an execution sleeps until its payment is final', () => {
	it.each([
		['as in the specification', {}],
		['with references', { mode: 'rich' }],
		['by the own reference', { statusBy: 'ownReference' }],
		['without callback URL in records', { records: 'noCallbackUrl' }],
		[
			'with references, without callback URL in records',
			{ mode: 'rich', records: 'noCallbackUrl' },
		],
	] as const)('%s', async (_, switches) => {
		sandbox.change(switches);
		const sleeper = await collect([ORDER]);
		expect(sleeper.result().status).toBe('waiting');
		const left = sleeper.result().waitTill!.getTime() - Date.now();
		expect(left).toBeGreaterThan(29 * 60_000);
		expect(left).toBeLessThanOrEqual(30 * 60_000);
		const { ref } = of('A-1');
		settle('A-1');
		const result = await sleeper.awake();

		expect(result.status).toBe('success');
		expect(result.json('Success')).toEqual([
			expect.objectContaining({
				outcome: 'accepted',
				state: 'success',
				reference: ref,
				orderReference: 'A-1',
				asked: { amount: 1250.5, currency: 'KES' },
				paidInFull: true,
				transaction: expect.objectContaining({ ref, state: 'success', amount: 1250.5 }) as object,
			}),
		]);
		expect(sandbox.state.ledger.accepted).toBe(1);
	});

	it('which may be a failure, with its reason', async () => {
		const sleeper = await collect([ORDER]);
		sandbox.settle(of('A-1').ref, { status: 'failed', failureCode: 'WRONG_PIN' });
		const result = await sleeper.awake();
		expect(result.json('Success')[0]).toMatchObject({
			state: 'failed',
			paidInFull: null,
			transaction: { failureReason: { failureCode: 'WRONG_PIN' } },
		});
	});

	it('and does not sleep at all when it is final at once', async () => {
		sandbox.change({ mode: 'rich' });
		const sleeper = await collect([{ amount: 990200, order: 'A-1' }]);
		expect(sleeper.result().status).toBe('success');
		expect(sleeper.result().json('Success')[0]).toMatchObject({ state: 'success' });
	});

	it('nor when it is final within the seconds that users have to enter a PIN', async () => {
		sandbox.change({ mode: 'rich' });
		const row = { ...ORDER, mobile: '254712990303' };
		const run = withRealPauses(async () => await collect([row]));
		await until('the payment', async () => (of('A-1') === undefined ? undefined : true));
		await new Promise((resolve) => setTimeout(resolve, 600));
		settle('A-1');
		const sleeper = await run;
		expect(sleeper.result().json('Success')[0]).toMatchObject({ state: 'success' });
		expect(sleeper.answers.filter(({ status }) => status === 200)).toEqual([]);
	});

	it('a callback before the reply to the create is not lost', async () => {
		const sleeper = await collect([{ amount: 990304, order: 'A-1' }]);
		const result = await sleeper.awake();
		expect(result.json('Success')[0]).toMatchObject({ state: 'success' });
		expect(sleeper.answers[0]!.status).toBe(409);
	});

	it('by the words that the user adds', async () => {
		const sleeper = await collect(
			[ORDER],
			{},
			{ credential: demoCredential(sandbox.url, { failureStatuses: 'pending' }) },
		);
		expect(sleeper.result().status).toBe('waiting');
		// The record still says pending, which counts as failed here.
		await post(of('A-1').callback_url, { ref: of('A-1').ref });
		expect((await sleeper.awake()).json('Success')[0]).toMatchObject({ state: 'failed' });
	});

	it('where the service cuts long callback URLs, by its own reference', async () => {
		sandbox.change({ mode: 'rich', callbackUrls: 'cut255' });
		const order = 'order-'.padEnd(90, 'x');
		const sleeper = await collect([{ amount: 10, order }]);
		expect(of(order).callback_url).toHaveLength(255);
		settle(order);
		expect((await sleeper.awake()).json('Success')[0]).toMatchObject({
			state: 'success',
			orderReference: order,
			asked: { amount: 10, currency: 'KES' },
		});
	});
});

describe('when time is up', () => {
	it('the items go on with what is known', async () => {
		sandbox.change({ mode: 'rich' });
		const sleeper = await collect([ORDER]);
		const result = await sleeper.timeOut();
		expect(result.status).toBe('success');
		expect(result.json('Success')).toEqual([
			expect.objectContaining({
				outcome: 'accepted',
				state: 'timedOut',
				reference: of('A-1').ref,
				orderReference: 'A-1',
				asked: { amount: 1250.5, currency: 'KES' },
				paidInFull: null,
				transaction: null,
			}),
		]);
		// Too late: the service hears that nobody waits any more.
		const { callback_url: url, ref } = of('A-1');
		expect((await post(url, { ref })).status).toBe(409);
	});

	it('also where nothing is known', async () => {
		const sleeper = await collect([ORDER]);
		expect((await sleeper.timeOut()).json('Success')[0]).toMatchObject({
			state: 'timedOut',
			reference: null,
			transaction: null,
		});
	});

	it('each on its own output', async () => {
		const rows = [{ amount: 'nothing', order: 'A-0' }, ORDER];
		const sleeper = await collect(rows, {}, { settings: { onError: 'continueErrorOutput' } });
		const result = await sleeper.timeOut();
		expect(result.json('Success')).toEqual([
			expect.objectContaining({ state: 'timedOut', orderReference: 'A-1' }),
		]);
		expect(result.json('Failed')).toEqual([
			expect.objectContaining({
				order: 'A-0',
				amount: 'nothing',
				error: expect.objectContaining({ outcome: 'not_sent' }) as object,
			}),
		]);
	});
});

describe('several payments', () => {
	const ROWS = [
		{ amount: 10, order: 'A-1' },
		{ amount: 20, order: 'A-2' },
		{ amount: 30, order: 'A-3' },
	];

	it.each(['spec', 'rich'] as const)('go on together when the last is final: %s', async (mode) => {
		sandbox.change({ mode });
		const sleeper = await collect(ROWS);
		settle('A-3', 'failed');
		settle('A-1');
		await until('two answers', async () => (sleeper.answers.length >= 2 ? true : undefined));
		expect(sleeper.result().status).toBe('waiting');
		settle('A-2');
		const result = await sleeper.awake();
		expect(result.json('Success').map((item) => [item.orderReference, item.state])).toEqual([
			['A-1', 'success'],
			['A-2', 'success'],
			['A-3', 'failed'],
		]);
		expect(result.outputs('Success').map(({ pairedItem }) => pairedItem)).toEqual([
			expect.objectContaining({ item: 0 }),
			expect.objectContaining({ item: 1 }),
			expect.objectContaining({ item: 2 }),
		]);
	});

	it('those that nobody called about are asked for, and none twice', async () => {
		sandbox.change({ mode: 'rich' });
		const sleeper = await collect(ROWS.map((row) => ({ ...row, mobile: '254712990303' })));
		const before = asked();
		settle('A-1');
		settle('A-2');
		await until('the answers', async () => (sleeper.answers.length >= 2 ? true : undefined));
		settle('A-3');
		await sleeper.awake();
		// Each final one once, and with each of the first two callbacks one that is still open at the most.
		expect(asked() - before).toBeLessThanOrEqual(3 + 2 * 2);
	});

	it('a callback is acknowledged only when its payment can be asked for again', async () => {
		const sleeper = await collect(ROWS);
		settle('A-1');
		await until('an answer', async () => (sleeper.answers.length > 0 ? true : undefined));
		// Only the callback knows the name of the payment, and n8n could be stopped now.
		expect(sleeper.answers[0]).toEqual({
			status: 503,
			body: { accepted: false, reason: 'try_again_later' },
		});
		settle('A-2');
		settle('A-3');
		expect((await sleeper.awake()).json('Success')).toHaveLength(3);

		sandbox.reset();
		sandbox.change({ mode: 'rich' });
		const named = await collect(ROWS);
		settle('A-1');
		await until('an answer', async () => (named.answers.length > 0 ? true : undefined));
		expect(named.answers[0]).toEqual({ status: 200, body: { accepted: true, reason: 'kept' } });
	});

	it('the same order twice on purpose is two payments, each with its own callback', async () => {
		const rows = [ORDER, ORDER];
		const sleeper = await collect(rows, { options: { onDuplicate: 'sendAnyway' } });
		const [second, first] = sandbox.state.transactions;
		sandbox.settle(first!.ref, 'success');
		await until('an answer', async () => (sleeper.answers.length > 0 ? true : undefined));
		expect(sleeper.result().status).toBe('waiting');
		sandbox.settle(second!.ref, 'failed');
		const items = (await sleeper.awake()).json('Success');
		const ends = new Map(items.map(({ reference, state }) => [reference, state]));
		expect(ends).toEqual(
			new Map([
				[first!.ref, 'success'],
				[second!.ref, 'failed'],
			]),
		);
	});
});

it.each(['spec', 'rich'] as const)(
	'last month does not finish what is sent anyway, each with a mark of its own: %s',
	async (mode) => {
		sandbox.change({ mode, statusBy: 'ownReference', records: 'noCallbackUrl' });
		const send = async () => await collect([ORDER], { options: { onDuplicate: 'sendAnyway' } });
		const first = await send();
		sandbox.settle(sandbox.state.transactions[0]!.ref, 'success');
		await first.awake();
		const second = await send();
		const [now, before] = sandbox.state.transactions;
		const markIn = (url: string) => /[?&]upo=([^&]+)/.exec(url)?.[1];
		expect(markIn(now!.callback_url)).not.toBe(markIn(before!.callback_url));
		expect(second.result().status).toBe('waiting');
		// Told at the right address about the wrong payment.
		await post(now!.callback_url, { ref: 'A-1', status: 'success' });
		expect(second.result().status).toBe('waiting');
		sandbox.settle(now!.ref, 'failed');
		expect((await second.awake()).json('Success')[0]).toMatchObject({
			reference: now!.ref,
			state: 'failed',
		});
	},
);

describe('nothing in a callback is believed', () => {
	it.each(['callbackUrl', 'noCallbackUrl'] as const)(
		'whatever it says, records: %s',
		async (records) => {
			sandbox.change({ records });
			const paid = await collect([{ amount: 10, order: 'B-1', mobile: '0799999999' }]);
			settle('B-1');
			await paid.awake();
			const stolen = of('B-1').ref;
			const sleeper = await collect([{ amount: 10, order: 'A-1' }]);
			const { callback_url: url, ref } = of('A-1');
			const says = { status: 'success', amount: '10.00', currency: 'KES' };
			const answers = await Promise.all(
				[
					[url, { ref, ...says }],
					[url, { ref: stolen, ...says }],
					[url, { data: { ref: stolen, third_party_reference_1: 'A-1', ...says } }],
					[url, { ref: 'unknown', ...says }],
					[url, {}],
					[url, []],
					[url.replace('upo=1A', 'upo=1B'), { ref: stolen, ...says }],
					[url.replace(/&upo=.*/, ''), { ref: stolen, ...says }],
					[
						of('B-1').callback_url.replace(
							/.*\?signature=\w+/,
							url.replace(/(signature=\w+).*/, '$1'),
						),
						says,
					],
				].map(async ([address, body]) => (await post(address as string, body)).status),
			);
			expect(answers.every((status) => [200, 400, 409, 503].includes(status))).toBe(true);
			expect(sleeper.result().status).toBe('waiting');
			settle('A-1');
			expect((await sleeper.awake()).json('Success')[0]).toMatchObject({ reference: ref });
		},
	);

	it('nor may one record stand for two payments', async () => {
		sandbox.change({ records: 'noCallbackUrl' });
		const rows = [
			{ amount: 10, order: 'A-1' },
			{ amount: 10, order: 'A-2' },
		];
		const sleeper = await collect(rows);
		settle('A-1');
		await until('an answer', async () => (sleeper.answers.length > 0 ? true : undefined));
		const forged = await post(of('A-2').callback_url, { ref: of('A-1').ref, status: 'success' });
		expect(forged.status).toBe(503);
		expect(sleeper.result().status).toBe('waiting');
		settle('A-2', 'failed');
		expect((await sleeper.awake()).json('Success').map(({ state }) => state)).toEqual([
			'success',
			'failed',
		]);
	});

	it.each([
		['changed', 'my-shop-token-of-1'],
		['added', ''],
		['taken away', 'my-shop-token-of-2'],
	])('a callback token that was %s meanwhile does not matter', async (how, callbackToken) => {
		const credential = demoCredential(sandbox.url, { callbackToken });
		const sleeper = await collect([ORDER], {}, { credential });
		sleeper.changeCredential({ callbackToken: how === 'taken away' ? '' : 'another-token-of-3' });
		settle('A-1');
		const result = await sleeper.awake();
		expect(result.json('Success')[0]).toMatchObject({ state: 'success' });
		expect(JSON.stringify(result.json('Success'))).not.toContain('my-shop-token');
	});

	it('a callback that is ahead of the record is asked about again, and then sent back', async () => {
		await collect([ORDER]);
		const { callback_url: url, ref } = of('A-1');
		const before = asked();
		expect((await post(url, { ref, status: 'success' })).status).toBe(503);
		// By our own name for it and by the one of the callback, twice.
		expect(asked() - before).toBe(4);
		expect((await post(url, { ref, status: 'pending' })).status).toBe(200);
		expect(asked() - before).toBe(6);
	});

	it('a record that catches up meanwhile is believed', async () => {
		const sleeper = await collect([{ ...ORDER, mobile: '254712990303' }]);
		const { callback_url: url, ref } = of('A-1');
		const answer = post(url, { ref, status: 'success' });
		setTimeout(() => settle('A-1'), 300);
		expect((await answer).status).toBe(200);
		expect((await sleeper.awake()).json('Success')[0]).toMatchObject({ state: 'success' });
	});

	it('a service that cannot be asked makes the caller try again', async () => {
		const sleeper = await collect([ORDER]);
		sandbox.faults.add({ kind: 'server-error', route: 'status.v3', first: 1 });
		settle('A-1');
		await sleeper.awake();
		expect(sleeper.answers.at(-1)?.status).toBe(200);
	});
});

describe('an answer says whether a callback was used', () => {
	it('at an address without its mark, or with two of them, it was not', async () => {
		const sleeper = await collect([ORDER]);
		const { callback_url: url, ref } = of('A-1');
		const before = asked();
		const mark = /upo=[^&]+/.exec(url)![0];
		for (const address of [url.replace(`&${mark}`, ''), `${url}&${mark}`]) {
			const { status, text } = await post(address, { ref, status: 'success' });
			expect([status, JSON.parse(text)]).toEqual([400, { accepted: false, reason: 'no_payment' }]);
		}
		expect(asked()).toBe(before);
		settle('A-1');
		await sleeper.awake();
	});

	it('what is no callback by its size or shape is not read at all', async () => {
		await collect([ORDER]);
		const { callback_url: url, ref } = of('A-1');
		const before = asked();
		const answers = [
			await post(url, { ref, padding: 'x'.repeat(300_000) }),
			await post(url, [ref]),
			await post(url, { ref, constructor: {} }),
		];
		expect(answers.map(({ text }) => (JSON.parse(text) as { reason: string }).reason)).toEqual([
			'too_large',
			'not_an_object',
			'unacceptable_json',
		]);
		expect(asked()).toBe(before);
	});
});

describe('one record is one payment', () => {
	it('two instalments of an order are not both paid by one of them', async () => {
		sandbox.change({ records: 'noCallbackUrl', statusBy: 'ownReference' });
		const rows = [
			{ amount: 10, order: 'A-1', part: 'first' },
			{ amount: 10, order: 'A-1', part: 'second' },
		];
		const sleeper = await collect(rows, { options: { duplicateKey: '={{ $json.part }}' } });
		expect(sandbox.state.transactions).toHaveLength(2);
		const [second, first] = sandbox.state.transactions;
		sandbox.settle(first!.ref, 'success');
		await until('an answer', async () => (sleeper.answers.length > 0 ? true : undefined));
		expect(sleeper.result().status).toBe('waiting');
		sandbox.settle(second!.ref, 'failed');
		const items = (await sleeper.awake()).json('Success');
		expect(items.map(({ reference, state }) => [reference, state])).toEqual([
			[first!.ref, 'success'],
			[second!.ref, 'failed'],
		]);
	});
});

describe('many callbacks at once', () => {
	it('a genuine one is heard among twenty that are not true', async () => {
		sandbox.change({ mode: 'rich' });
		const rows = [ORDER, { amount: 20, order: 'A-2' }];
		const sleeper = await collect(rows.map((row) => ({ ...row, mobile: '254712990303' })));
		const before = asked();
		const { callback_url: url } = of('A-1');
		const lies = Array.from(
			{ length: 20 },
			async (_, n) => await post(url, { ref: `TX-${n}`, status: 'success' }),
		);
		const start = Date.now();
		settle('A-2');
		await until('its answer', async () =>
			sleeper.answers.some(({ status }) => status === 200) ? true : undefined,
		);
		expect(Date.now() - start).toBeLessThan(2_000);
		const told = await Promise.all(lies);
		expect(told.map(({ status }) => status)).toEqual(told.map(() => 503));
		expect(asked() - before).toBeLessThan(100);
		settle('A-1');
		await sleeper.awake();
	});

	it('of many payments of one execution, each is asked about once or twice', async () => {
		sandbox.change({ mode: 'rich' });
		const rows = Array.from({ length: 60 }, (_, n) => ({ amount: 10 + n, order: `M-${n}` }));
		const sleeper = await collect(rows, { options: { concurrency: 20 } });
		const before = asked();
		for (const { order } of rows) settle(order);
		const result = await sleeper.awake();
		expect(result.json('Success').every(({ state }) => state === 'success')).toBe(true);
		expect(asked() - before).toBeLessThanOrEqual(2 * rows.length);
		expect(sleeper.answers.every(({ status }) => [200, 409, 503].includes(status))).toBe(true);
	});
});

describe('several executions that wait for one order', () => {
	it('are not woken by the payment of another', async () => {
		sandbox.change({ mode: 'rich', statusBy: 'ownReference' });
		const waiting = async (duplicateKey: string) =>
			await collect([ORDER], { options: { duplicateKey } }, { workflowId: 'several' });
		const october = await waiting('oct');
		const november = await waiting('nov');
		const [second, first] = sandbox.state.transactions;
		sandbox.settle(second!.ref, 'success');
		await november.awake();
		const pending = await post(first!.callback_url, { ref: first!.ref, status: 'pending' });
		expect(pending.status).toBe(200);
		expect(october.result().status).toBe('waiting');
		sandbox.settle(first!.ref, 'failed');
		expect((await october.awake()).json('Success')).toMatchObject([
			{ state: 'failed', reference: first!.ref },
		]);
	});

	it('a payment that an earlier run had sent is not waited for, and told with what is known', async () => {
		sandbox.change({ statusBy: 'ownReference' });
		sandbox.faults.add({
			kind: 'reset-after',
			route: '/api/v3/service-unified-collections',
			nth: 1,
		});
		const workflowId = 'found-later';
		const settings = { onError: 'continueErrorOutput' } as const;
		sandbox.faults.add({ kind: 'server-error', route: '/api/v3/get-unified-transaction-status' });
		const first = await collect([ORDER], {}, { workflowId, settings });
		expect(first.result().json('Failed')).toMatchObject([{ error: { outcome: 'unknown' } }]);
		sandbox.faults.clear();
		const { callback_url: sent, ref } = of('A-1');
		const second = await collect([ORDER], {}, { workflowId });
		expect(second.result().status).toBe('success');
		expect(second.result().json('Success')).toMatchObject([
			{ outcome: 'accepted', reference: ref, state: 'pending' },
		]);
		const [shown] = second.result().json('Success') as Array<{ request: IDataObject }>;
		expect(String(shown!.request.callback_url).replace(/signature=[^&]*/, '')).toBe(
			sent.replace(/signature=[^&]*/, ''),
		);
		expect(sandbox.state.ledger.accepted).toBe(1);
	});
});

describe('all that holds for creates holds', () => {
	it('a dry run sends nothing, asks nothing and does not sleep', async () => {
		const before = sandbox.state.requests.length;
		const sleeper = await collect([ORDER], { options: { dryRun: true } });
		const [item] = sleeper.result().json('Success');
		expect(item).toMatchObject({ outcome: 'valid', message: 'Dry run: would be sent' });
		expect(Object.values(item!)).not.toContain(null);
		expect(sandbox.state.requests.length).toBe(before);
	});

	it('a payment is sent once, however often the workflow runs, and slept for once', async () => {
		const first = await collect([ORDER], {}, { workflowId: 'once' });
		const again = await collect([ORDER], {}, { workflowId: 'once' });
		expect(again.result().status).toBe('success');
		expect(again.result().json('Success')).toEqual([
			expect.objectContaining({ outcome: 'duplicate', state: null }),
		]);
		expect(sandbox.state.ledger.accepted).toBe(1);
		settle('A-1');
		await first.awake();
	});

	it('with Retry On Fail nothing is sent again, and a bad first row does not wake it', async () => {
		const rows = [{ amount: 'nothing', order: 'A-0' }, ORDER];
		const settings = {
			onError: 'continueErrorOutput',
			retryOnFail: true,
			maxTries: 3,
			waitBetweenTries: 0,
		} as const;
		const sleeper = await collect(rows, {}, { settings });
		expect(sleeper.result().status).toBe('waiting');
		expect(sandbox.state.ledger.accepted).toBe(1);
		settle('A-1');
		const result = await sleeper.awake();
		expect(result.json('Success')).toHaveLength(1);
		expect(result.json('Failed')).toEqual([expect.objectContaining({ order: 'A-0' })]);
		expect(sandbox.state.ledger.accepted).toBe(1);
	});

	it('a retry of an execution that had slept sends nothing, and finds what is final by now', async () => {
		sandbox.change({ mode: 'rich' });
		const options = { onDuplicate: 'sendAnyway' };
		const rows = [ORDER, { amount: 20, order: 'A-2' }];
		const sleeper = await collect(rows, { options });
		const aside = sleeper.result().run.data.executionData!.nodeExecutionStack[0]!.data.main![0]!;
		settle('A-1');
		const credential = demoCredential(sandbox.url);
		const parameters = {
			resource: 'collection',
			operation: 'createAndWait',
			amount: 1250.5,
			mobile: '0712345678',
			options,
		};
		const items = aside.map(({ json }) => ({ json }));
		const retried = await runPayments(parameters, { credential, items, mode: 'retry' });
		expect(retried.status).toBe('success');
		expect(retried.successJson).toEqual([
			expect.objectContaining({ orderReference: 'A-1', state: 'success', paidInFull: true }),
			expect.objectContaining({ orderReference: 'A-2', state: 'timedOut' }),
		]);
		expect(sandbox.state.ledger.accepted).toBe(2);
	});

	it('rows can come from columns, with their own fields in the result', async () => {
		const sleeper = await collect(
			[{ Country: 'Kenya', Amount: '10', Phone: '0712345678', 'Order No': 'A-1', Shelf: 'B7' }],
			{ inputMode: 'columns' },
		);
		settle('A-1');
		expect((await sleeper.awake()).json('Success')[0]).toMatchObject({
			Shelf: 'B7',
			state: 'success',
		});
	});

	it('a wrong limit is found before anything is sent', async () => {
		const sleeper = await collect([ORDER], { waitLimitMinutes: 0 });
		expect(sleeper.result().failure?.message).toMatch(/'Wait Limit \(Minutes\)' in row 1.* is 0/);
		expect(sandbox.state.ledger.accepted).toBe(0);
	});

	it('an account that depends on the row is refused before anything is sent', async () => {
		const credential = demoCredential(sandbox.url, { sender: '={{ $json.sender }}' });
		const sleeper = await collect([{ ...ORDER, sender: 'Demo Shop' }], {}, { credential });
		expect(sleeper.result().failure?.message).toContain('whose account depends on the row');
		expect(sandbox.state.ledger.accepted).toBe(0);
	});

	it('signed by the service, it is confirmed all the same', async () => {
		const credential = demoCredential(sandbox.url, { signatureSource: 'endpoint' });
		const sleeper = await collect([ORDER], {}, { credential });
		settle('A-1');
		expect((await sleeper.awake()).json('Success')[0]).toMatchObject({ state: 'success' });
	});
});
