import type { IDataObject } from 'n8n-workflow';

import type { Sleeper } from '../../../dev/host/engine/index.mts';
import { until } from '../../../dev/host/shared/until.mts';
import { demoCredential, PATHS } from '../../helpers/payments.mts';
import { json, startWire } from '../../helpers/wire.mts';
import { useSleepers, withoutPauses, withRealPauses } from '../../helpers/waiting.mts';

withoutPauses();

const { answered, collect, post, sandbox } = useSleepers();

const ORDER = { amount: 1250.5, order: 'A-1' };
/** A payer who does not pay by himself. */
const SLOW = '254712990303';
const toErrorOutput = { settings: { onError: 'continueErrorOutput' } } as const;

const of = (order: string) =>
	sandbox.state.transactions.find((each) => each.third_party_reference_1 === order)!;
const settle = (order: string, status: 'success' | 'failed' = 'success') =>
	sandbox.settle(of(order).ref, status);
const accepted = () => sandbox.state.ledger.accepted;
const states = (items: IDataObject[]) => items.map(({ state }) => state);

/** As far as it has come. */
const lookAt = (sleeper: Sleeper) => {
	const result = sleeper.result();
	return { status: result.status, json: result.json('Success') };
};

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
		expect(accepted()).toBe(1);
	});

	it('which may be a failure, with its reason', async () => {
		const sleeper = await collect([ORDER]);
		sandbox.settle(of('A-1').ref, { status: 'failed', failureCode: 'WRONG_PIN' });
		expect((await sleeper.awake()).json('Success')[0]).toMatchObject({
			state: 'failed',
			paidInFull: null,
			transaction: { failureReason: { failureCode: 'WRONG_PIN' } },
		});
	});

	it('and does not sleep at all when it is final at once', async () => {
		sandbox.change({ mode: 'rich' });
		const { status, json } = lookAt(await collect([{ amount: 990200, order: 'A-1' }]));
		expect(status).toBe('success');
		expect(states(json)).toEqual(['success']);
	});

	it('nor when it is final within the seconds that users have to enter a PIN', async () => {
		sandbox.change({ mode: 'rich' });
		const run = withRealPauses(async () => await collect([{ ...ORDER, mobile: SLOW }]));
		await until('the payment', async () => (of('A-1') === undefined ? undefined : true));
		await new Promise((resolve) => setTimeout(resolve, 600));
		settle('A-1');
		const sleeper = await run;
		expect(states(lookAt(sleeper).json)).toEqual(['success']);
		expect(sleeper.answers.filter(({ status }) => status === 200)).toEqual([]);
	});

	it('a callback before the reply to the create is not lost', async () => {
		const sleeper = await collect([{ amount: 990304, order: 'A-1' }]);
		expect(states((await sleeper.awake()).json('Success'))).toEqual(['success']);
		expect(sleeper.answers[0]!.status).toBe(409);
	});
});

describe('when time is up', () => {
	it.each(['rich', 'spec'] as const)('the items go on with what is known: %s', async (mode) => {
		sandbox.change({ mode });
		const rows = [{ amount: 'nothing', order: 'A-0' }, ORDER];
		const sleeper = await collect(rows, {}, toErrorOutput);
		const result = await sleeper.timeOut();
		expect(result.status).toBe('success');
		const { callback_url: url, ref } = of('A-1');
		expect(result.json('Success')).toMatchObject([
			{
				outcome: 'accepted',
				state: 'timedOut',
				reference: mode === 'rich' ? ref : null,
				orderReference: 'A-1',
				asked: mode === 'rich' ? { amount: 1250.5, currency: 'KES' } : null,
				paidInFull: null,
				transaction: null,
			},
		]);
		expect(result.json('Failed')).toMatchObject([{ ...rows[0], error: { outcome: 'not_sent' } }]);
		// Too late: the service hears that nobody waits any more.
		expect((await post(url, { ref })).status).toBe(409);
	});
});

describe('several payments', () => {
	const ROWS = [10, 20, 30].map((amount, at) => ({ amount, order: `A-${at + 1}` }));

	it.each([
		// Only the callback knows the name of the payment, and n8n could be stopped now.
		['spec', { status: 503, body: { accepted: false, reason: 'try_again_later' } }],
		['rich', { status: 200, body: { accepted: true, reason: 'kept' } }],
	] as const)('go on together when the last is final: %s', async (mode, answer) => {
		sandbox.change({ mode });
		const sleeper = await collect(ROWS);
		settle('A-3', 'failed');
		settle('A-1');
		await answered(sleeper, 2);
		expect(sleeper.answers[0]).toEqual(answer);
		expect(sleeper.result().status).toBe('waiting');
		settle('A-2');
		const result = await sleeper.awake();
		expect(result.json('Success')).toMatchObject([
			{ orderReference: 'A-1', state: 'success' },
			{ orderReference: 'A-2', state: 'success' },
			{ orderReference: 'A-3', state: 'failed' },
		]);
		expect(result.outputs('Success').map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2].map((item) => expect.objectContaining({ item }) as object),
		);
	});

	it.each([
		['the same order twice on purpose', { onDuplicate: 'sendAnyway' }, {}],
		[
			'two instalments of an order',
			{ duplicateKey: '={{ $json.part }}' },
			{ records: 'noCallbackUrl', statusBy: 'ownReference' },
		],
	] as const)(
		'%s: two payments, of which neither is paid by the other',
		async (_, options, switches) => {
			sandbox.change(switches);
			const rows = ['first', 'second'].map((part) => ({ ...ORDER, part }));
			const sleeper = await collect('duplicateKey' in options ? rows : [ORDER, ORDER], { options });
			const [second, first] = sandbox.state.transactions;
			sandbox.settle(first!.ref, 'success');
			await answered(sleeper);
			expect(sleeper.result().status).toBe('waiting');
			sandbox.settle(second!.ref, 'failed');
			const items = (await sleeper.awake()).json('Success');
			expect(new Map(items.map(({ reference, state }) => [reference, state]))).toEqual(
				new Map([
					[first!.ref, 'success'],
					[second!.ref, 'failed'],
				]),
			);
		},
	);
});

it('sixty payments of one execution that end at once are all used, with few questions', async () => {
	sandbox.change({ mode: 'rich' });
	const rows = Array.from({ length: 60 }, (_, n) => ({ amount: 10 + n, order: `N-${n}` }));
	const sleeper = await collect(rows, { options: { concurrency: 20 } });
	expect(sleeper.result().status).toBe('waiting');
	const before = sandbox.state.requests.length;
	for (const { order } of rows) settle(order);
	const items = (await sleeper.awake()).json('Success');
	expect(items.map(({ orderReference, state }) => [orderReference, state])).toEqual(
		rows.map(({ order }) => [order, 'success']),
	);
	expect(sandbox.state.requests.length - before).toBeLessThanOrEqual(2 * rows.length);
	await answered(sleeper, rows.length);
	const told = sleeper.answers.map(({ status }) => status);
	expect([200, 409, 503]).toEqual(expect.arrayContaining([...new Set(told)]));
	expect(told).toContain(503);
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

it('what an earlier run was paid is not the result of the row that repeats it', async () => {
	sandbox.change({ mode: 'rich', statusBy: 'ownReference' });
	const shared = { workflowId: 'rent' };
	const november = await collect([ORDER], {}, shared);
	sandbox.settle(sandbox.state.transactions[0]!.ref, 'success');
	expect((await november.awake()).json('Success')).toMatchObject([{ state: 'success' }]);
	const december = (await collect([ORDER], {}, shared)).result();
	expect([december.status, december.json('Success')]).toMatchObject([
		'success',
		[{ outcome: 'duplicate', state: null, paidInFull: null, transaction: null }],
	]);
});

it("n8n's proof that the execution may be resumed is not shown, however the service says it back", async () => {
	const said: string[] = [];
	const wire = await startWire(({ json: asked }, response) => {
		const { callback_url: url = '' } = (asked as { params: { callback_url?: string } }).params;
		said.push(url);
		json(response, 200, { success: true, data: { debug: encodeURIComponent(url) } });
	});
	const sleeper = await collect([ORDER], {}, { credential: demoCredential(wire.url) });
	await wire.close();
	const data = JSON.stringify(sleeper.result().run.data.resultData.runData);
	expect(data).toContain('debug');
	expect(data).not.toContain(new URL(said[0]!).searchParams.get('signature'));
});

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
			const ofOther = of('B-1').callback_url.replace(
				/.*\?signature=\w+/,
				url.replace(/(signature=\w+).*/, '$1'),
			);
			const calls: Array<[address: string, body: unknown]> = [
				[url, { ref, ...says }],
				[url, { ref: stolen, ...says }],
				[url, { data: { ref: stolen, third_party_reference_1: 'A-1', ...says } }],
				[url, { ref: 'unknown', ...says }],
				[url, {}],
				[url, []],
				[url.replace('upo=1A', 'upo=1B'), { ref: stolen, ...says }],
				[url.replace(/&upo=.*/, ''), { ref: stolen, ...says }],
				[ofOther, says],
			];
			const answers = await Promise.all(calls.map(async (given) => (await post(...given)).status));
			expect(answers.every((status) => [200, 400, 409, 503].includes(status))).toBe(true);
			expect(sleeper.result().status).toBe('waiting');
			settle('A-1');
			expect((await sleeper.awake()).json('Success')[0]).toMatchObject({ reference: ref });
		},
	);

	it('nor may one record stand for two payments', async () => {
		sandbox.change({ records: 'noCallbackUrl' });
		const sleeper = await collect(['A-1', 'A-2'].map((order) => ({ amount: 10, order })));
		settle('A-1');
		await answered(sleeper);
		const forged = await post(of('A-2').callback_url, { ref: of('A-1').ref, status: 'success' });
		expect(forged.status).toBe(503);
		expect(sleeper.result().status).toBe('waiting');
		settle('A-2', 'failed');
		expect(states((await sleeper.awake()).json('Success'))).toEqual(['success', 'failed']);
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
		sandbox.faults.add({ kind: 'reset-after', route: PATHS.collect, nth: 1 });
		sandbox.faults.add({ kind: 'server-error', route: PATHS.status });
		const workflowId = 'found-later';
		const first = await collect([ORDER], {}, { workflowId, ...toErrorOutput });
		expect(first.result().json('Failed')).toMatchObject([{ error: { outcome: 'unknown' } }]);
		sandbox.faults.clear();
		const { callback_url: sent, ref } = of('A-1');
		const { status, json } = lookAt(await collect([ORDER], {}, { workflowId }));
		expect(status).toBe('success');
		expect(json).toMatchObject([{ outcome: 'accepted', reference: ref, state: 'pending' }]);
		const unsigned = (url: unknown) => String(url).replace(/signature=[^&]*/, '');
		const [shown] = json as Array<{ request: IDataObject }>;
		expect(unsigned(shown!.request.callback_url)).toBe(unsigned(sent));
		expect(accepted()).toBe(1);
	});
});

describe('all that holds for creates holds', () => {
	it('with Retry On Fail nothing is sent again, and a bad first row does not wake it', async () => {
		const rows = [{ amount: 'nothing', order: 'A-0' }, ORDER];
		const retries = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };
		const settings = { ...toErrorOutput.settings, ...retries };
		const sleeper = await collect(rows, {}, { settings });
		expect(sleeper.result().status).toBe('waiting');
		settle('A-1');
		const result = await sleeper.awake();
		expect(result.json('Success')).toHaveLength(1);
		expect(result.json('Failed')).toMatchObject([{ order: 'A-0' }]);
		expect(accepted()).toBe(1);
	});

	it('a retry of an execution that had slept sends nothing, and finds what is final by now', async () => {
		sandbox.change({ mode: 'rich' });
		const options = { onDuplicate: 'sendAnyway' };
		const sleeper = await collect([ORDER, { amount: 20, order: 'A-2' }], { options });
		settle('A-1');
		const retried = await sleeper.retry();
		expect(retried.status).toBe('success');
		expect(retried.json('Success')).toMatchObject([
			{ orderReference: 'A-1', state: 'success', paidInFull: true },
			{ orderReference: 'A-2', state: 'timedOut' },
		]);
		expect(accepted()).toBe(2);
	});

	it('a retry sends what had timed out and is asked for once more, under an order of its own', async () => {
		const [timedOut] = (await (await collect([ORDER])).timeOut()).json('Success');
		const again = await collect(
			[{ ...timedOut!, amount: 20, order: 'B-2' }],
			{},
			{ mode: 'retry' },
		);
		expect(again.result().status).toBe('waiting');
		expect(of('B-2')).toMatchObject({ amount: 20 });
	});

	it('a wrong limit, or an account that depends on the row, is refused before anything is sent', async () => {
		const limited = await collect([ORDER], { waitLimitMinutes: 0 });
		expect(limited.result().failure?.message).toMatch(/'Wait Limit \(Minutes\)' in .* is 0/);
		const credential = demoCredential(sandbox.url, { sender: '={{ $json.sender }}' });
		const byRow = await collect([{ ...ORDER, sender: 'Demo Shop' }], {}, { credential });
		expect(byRow.result().failure?.message).toContain('whose account depends on the row');
		expect(accepted()).toBe(0);
	});
});
