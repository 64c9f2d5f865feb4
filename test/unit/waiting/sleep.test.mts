import { readOptions } from '../../../nodes/UnifiedPayments/fields/options.ts';
import type { Json } from '../../../nodes/UnifiedPayments/protocol/parse.ts';
import { createClient } from '../../../nodes/UnifiedPayments/transport/client.ts';
import { createResumeUrls } from '../../../nodes/UnifiedPayments/waiting/address.ts';
import { readAside } from '../../../nodes/UnifiedPayments/waiting/awaited.ts';
import { PAUSES } from '../../../nodes/UnifiedPayments/waiting/status.ts';
import {
	hasSlept,
	lookAgain,
	sleepUntilFinal,
} from '../../../nodes/UnifiedPayments/waiting/sleep.ts';
import { hostWith, type Host } from './host.mts';
import { addressOf, asleep, created, EXECUTION, recordOf, serviceWith } from './service.mts';
import type { Answer } from './service.mts';

interface Sleeping extends Host {
	options?: Json;
	pauses?: number[];
	limitMinutes?: number;
}

async function sleepWith(
	items: Json[],
	{ options = {}, pauses = [], limitMinutes = 30, ...given }: Sleeping = {},
) {
	const host = hostWith(given);
	PAUSES.afterCreate = pauses;
	const shown = await sleepUntilFinal(
		host.context,
		items.map((json, item) => ({ json: json as never, pairedItem: { item } })),
		{
			client: createClient(host.context).forRow(0),
			options: readOptions(options as never),
			limitMinutes,
		},
	);
	expect(shown.map(({ pairedItem }) => pairedItem)).toEqual(
		items.flatMap(({ error }, item) => (error && host.until.length > 0 ? [] : { item })),
	);
	return { ...host, aside: host.left.data.main, shown: shown.map(({ json }) => json) };
}

const pending = (order: string, over: Json = {}) => recordOf(order, { status: 'pending', ...over });

/** The second of two payments. */
const open = (order: string) => pending(order, { callback_url: addressOf(order, 1) });

const NOTHING = { state: null, asked: null, paidInFull: null, transaction: null };

describe('an execution whose payments are not final', () => {
	it('shows no items with errors, which n8n would take for a failure, and puts them aside', async () => {
		const bad = { error: { message: 'x' } };
		const { shown, aside } = await sleepWith([bad, created('A-1')]);
		expect(shown).toMatchObject([{ outcome: 'accepted' }]);
		expect(aside[0]!.map(({ json }) => json)).toEqual([bad, shown[0]]);
	});

	it('knows nothing of what an earlier run wrote into the columns of a row that went wrong', async () => {
		const old = {
			state: 'success',
			asked: 1,
			paidInFull: true,
			transaction: {},
			a: 1,
		};
		const { aside } = await sleepWith([{ error: { message: 'x' }, ...old }, created('A-1')]);
		expect(aside[0]![0]!.json).toMatchObject({ ...NOTHING, a: 1 });
	});

	const ANSWERS: Record<string, Answer> = {
		open: open('B-1'),
		failed: { ...open('B-1'), status: 'failed' },
		broken: new Error('down'),
		none: undefined,
	};

	it.each([
		['until all are final', 'open failed', 'A-1 B-1 B-1', 'success failed', 0],
		['no more than twice at what is not there', 'none', 'A-1 B-1 A-1 B-1', 'timedOut timedOut', 0],
		['on when one look goes wrong', 'open broken', 'A-1 B-1 B-1 B-1', 'success timedOut', 2],
	])('looks %s: %s', async (_, answers, asked, states, warnings) => {
		const second = answers.split(' ').map((answer) => ANSWERS[answer]);
		const first = answers === 'none' ? undefined : recordOf('A-1');
		const service = serviceWith({ 'A-1': first, 'B-1': second });
		const items = [created('A-1'), created('B-1', {}, { callback_url: addressOf('B-1', 1) })];
		const { shown, warned } = await sleepWith(items, { service, pauses: [1, 1] });
		expect(service.asked.join(' ')).toBe(asked);
		expect(shown.map(({ state }) => state).join(' ')).toBe(states);
		expect(warned).toHaveLength(warnings);
	});

	it('looks at no more of them once it has taken twenty seconds', async () => {
		const { now } = Date;
		const service = serviceWith({});
		const ask = service.httpRequestWithAuthentication;
		service.httpRequestWithAuthentication = async (...request) => {
			const passed = 15_000 * (service.asked.length + 1);
			jest.spyOn(Date, 'now').mockImplementation(() => now() + passed);
			return await ask(...request);
		};
		const items = Array.from({ length: 4 }, (_, row) =>
			created(`A-${row}`, {}, { callback_url: addressOf(`A-${row}`, row) }),
		);
		const { until } = await sleepWith(items, { service, options: { concurrency: 1 } });
		jest.restoreAllMocks();
		expect([service.asked, until.length]).toEqual([['A-0', 'A-1'], 1]);
	});

	it.each([
		[50, 150],
		[51, 51],
	])(
		'looks at %i of them %i times in all: callbacks are turned away meanwhile',
		async (count, looks) => {
			const orders = Array.from({ length: count }, (_, row) => `A-${row}`);
			const urlOf = (row: number) => ({ callback_url: addressOf(`A-${row}`, row) });
			const records = orders.map((order, row) => [order, pending(order, urlOf(row))] as const);
			const service = serviceWith(Object.fromEntries(records));
			const items = orders.map((order, row) => created(order, {}, urlOf(row)));
			await sleepWith(items, { service, pauses: [1, 1] });
			expect(service.asked).toHaveLength(looks);
			expect(service.asked.slice(0, count)).toEqual(orders);
		},
	);

	it('looks no more once it is cancelled', async () => {
		const service = serviceWith({ 'A-1': pending('A-1') });
		const cancelled = new AbortController();
		setTimeout(() => cancelled.abort(), 30);
		const start = Date.now();
		await sleepWith([created('A-1')], { service, pauses: [60_000], signal: cancelled.signal });
		expect(Date.now() - start).toBeLessThan(30_000);
		expect(service.asked).toEqual(['A-1']);
	});

	it('does not ask again where it gets no answer, and says so without secrets', async () => {
		const down = Object.assign(new Error('no way to secret-key'), { code: 'ENOTFOUND' });
		const service = serviceWith({ 'A-1': down });
		const { warned, until, asked } = await sleepWith([created('A-1')], { service });
		expect(asked).toEqual(['A-1']);
		expect(warned).toEqual([
			expect.stringMatching(
				/^A payment could not be looked up before waiting for it: No connection to the service/,
			),
		]);
		expect(warned[0]).not.toContain('secret-key');
		expect(until).toHaveLength(1);
	});
});

describe('an execution does not sleep', () => {
	it('when all of it is final', async () => {
		const items = [created('A-1'), { outcome: 'not_sent' }, { error: { message: 'x' } }];
		const service = serviceWith({ 'A-1': recordOf('A-1') });
		const { shown, until, aside } = await sleepWith(items, { service });
		expect([until, aside]).toEqual([[], []]);
		expect(shown).toEqual([
			expect.objectContaining({ state: 'success', paidInFull: true }),
			{ outcome: 'not_sent', ...NOTHING },
			{ error: { message: 'x' } },
		]);
	});

	it('for nothing: then it asks for nothing, not even for its own address', async () => {
		const items = [{ outcome: 'unknown' }, { outcome: 'valid' }, { error: { message: 'x' } }];
		const { shown, until, evaluated } = await sleepWith(items);
		expect([until, evaluated]).toEqual([[], []]);
		expect(shown).toEqual([{ outcome: 'unknown', ...NOTHING }, ...items.slice(1)]);
	});

	it('but does for its own, beside these', async () => {
		const items = [
			created('B-1', { outcome: 'duplicate' }, { callback_url: addressOf('B-1', 1) }),
			created('A-1'),
		];
		const service = serviceWith({ 'B-1': recordOf('B-1') });
		const { until, aside } = await sleepWith(items, { service });
		expect([until.length, service.asked]).toEqual([1, ['A-1']]);
		expect(aside[0]!.map(({ json }) => json.state)).toEqual([null, 'timedOut']);
	});

	it.each(['pending', 'success'])(
		'for what it had sent before it was retried, which is called back elsewhere: %s',
		async (state) => {
			const elsewhere = EXECUTION.replace('/17', '/18');
			const callback_url = addressOf('A-1', 0, elsewhere);
			const repeat = { callback_url: addressOf('A-1', 1, elsewhere) };
			const items = [
				created('A-1', {}, { callback_url }),
				created('A-1', { outcome: 'duplicate' }, repeat),
			];
			const { shown, until } = await sleepWith(items, {
				service: serviceWith({ 'A-1': recordOf('A-1', { status: state, callback_url }) }),
			});
			expect(until).toEqual([]);
			expect(shown).toMatchObject([{ state }, { state }]);
		},
	);
});

describe('a retry of an execution that had slept', () => {
	it('is told by the entry of its run, and not by the items, which may be new rows', async () => {
		const { left } = await sleepWith([created('A-1')], { metadata: { subExecutionsCount: 1 } });
		expect(left.metadata).toMatchObject({ subExecutionsCount: 1 });
		const input = [asleep('A-1'), { order: 1 }];
		const again = hostWith({ input, metadata: left.metadata! }).context;
		expect(hasSlept(again)).toBe(true);
		expect(hasSlept(hostWith({ input }).context)).toBe(false);
	});

	it('gives what is final by now, and the others as they were', async () => {
		const others = [created('C-1', { state: 'failed' }), { error: { message: 'x' } }];
		const late = asleep('B-1', {}, { callback_url: addressOf('B-1', 1) });
		const service = serviceWith({
			'A-1': recordOf('A-1', { note: 'secret-key' }),
			'B-1': pending('B-1', { callback_url: addressOf('B-1', 1) }),
		});
		const input = [asleep('A-1'), late, asleep('D-1'), ...others];
		const { context, until } = hostWith({ input, service });
		const items = await lookAgain(context, createClient(context).forRow(0), readOptions({}));
		const open = [late, asleep('D-1')].map((each) => readAside(each).json);
		expect(items.map(({ json }) => json).slice(1)).toEqual([...open, ...others]);
		expect(items[0]).toMatchObject({
			json: { state: 'success', reference: 'TX-A-1', paidInFull: true },
			pairedItem: { item: 0 },
		});
		expect(JSON.stringify(items)).not.toContain('secret-key');
		expect(service.asked.sort()).toEqual(['A-1', 'B-1', 'D-1']);
		expect(until).toEqual([]);
	});
});

describe('the addresses of an execution', () => {
	it('are asked for once, and differ by the row', async () => {
		const { context, evaluated } = hostWith();
		const urlOf = createResumeUrls(context);
		const url = 'https://n8n.example.com/webhook-waiting/17/unified-payments?signature=abc';
		for (const row of [0, 4]) {
			expect(await urlOf(row)).toEqual({ url, awaited: { execution: '17', run: 0, row } });
		}
		expect(evaluated).toEqual([
			['{{ $execution.resumeUrl }}', 0],
			['{{ $runIndex }}', 0],
		]);
	});

	it('differ by the run of the node, as in a loop', async () => {
		const { awaited } = await createResumeUrls(hostWith({ run: 2 }).context)(0);
		expect(awaited.run).toBe(2);
	});
});
