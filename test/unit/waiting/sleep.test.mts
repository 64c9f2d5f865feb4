import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { readOptions } from '../../../nodes/UnifiedPayments/fields/options.ts';
import type { Json } from '../../../nodes/UnifiedPayments/protocol/parse.ts';
import { createClient } from '../../../nodes/UnifiedPayments/transport/client.ts';
import { createResumeUrls, resumeAddress } from '../../../nodes/UnifiedPayments/waiting/address.ts';
import { PAUSES } from '../../../nodes/UnifiedPayments/waiting/status.ts';
import {
	hasSlept,
	hasSleptAfterCreate,
	lookAgain,
	sleepUntilFinal,
} from '../../../nodes/UnifiedPayments/waiting/sleep.ts';
import {
	addressOf,
	asleep,
	created,
	EXECUTION,
	recordOf,
	SAVED,
	serviceWith,
	type Answer,
	type Service,
} from './service.mts';

interface Host {
	service?: Service;
	input?: Json[];
	mode?: string;
	signal?: AbortSignal;
	/** The credential as it was saved. */
	raw?: Json;
	/** Which time it is that the node runs. */
	run?: number;
	saved?: Json;
}

/** A run of the node, and what it leaves with the host. */
function hostWith({
	service = serviceWith({}),
	input = [],
	mode = 'trigger',
	signal,
	raw = SAVED,
	run = 0,
	saved = {},
}: Host = {}) {
	const left = { data: { main: [] as INodeExecutionData[][] } };
	const until: Date[] = [];
	const warned: string[] = [];
	const evaluated: unknown[] = [];
	const context = {
		getNode: () => ({ id: 'node', name: 'Collect', parameters: {} }),
		getMode: () => mode,
		getExecutionId: () => '17',
		getInputData: () => input.map((json, item) => ({ json, pairedItem: { item } })),
		getCredentials: async () => ({ ...SAVED, ...saved }),
		getExecutionCancelSignal: () => signal,
		getExecuteData: () => left,
		putExecutionToWait: async (date: Date) => void until.push(date),
		evaluateExpression: (...given: unknown[]) => {
			evaluated.push(given);
			return given[0] === '{{ $runIndex }}' ? run : EXECUTION;
		},
		helpers: service,
		logger: { warn: (line: string) => warned.push(line) },
		additionalData: { credentialsHelper: { getDecrypted: async () => raw } },
	} as unknown as IExecuteFunctions;
	return { context, left, until, warned, evaluated };
}

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
	return {
		...host,
		shown: shown.map(({ json }) => json),
		items: shown,
		aside: host.left.data.main,
	};
}

const pending = (order: string, over: Json = {}) => recordOf(order, { status: 'pending', ...over });

/** The second of two payments. */
const open = (order: string) => pending(order, { callback_url: addressOf(order, 1) });

describe('an execution whose payments are not final', () => {
	it('sleeps for as long as it may, and puts aside how they leave when time is up', async () => {
		const before = Date.now();
		const { shown, items, aside, until } = await sleepWith([created('A-1')], {
			limitMinutes: 7,
		});
		expect(until).toHaveLength(1);
		expect(until[0]!.getTime()).toBeGreaterThanOrEqual(before + 7 * 60_000);
		expect(until[0]!.getTime()).toBeLessThanOrEqual(Date.now() + 7 * 60_000);
		const json = { ...created('A-1'), ...NOTHING, state: 'timedOut' };
		expect(aside).toEqual([[{ json, pairedItem: { item: 0 } }]]);
		expect(shown).toEqual([json]);
		expect(items[0]!.pairedItem).toEqual({ item: 0 });
	});

	const NOTHING = { state: null, asked: null, paidInFull: null, transaction: null };

	it('shows no items with errors, which n8n would take for a failure, and puts them aside', async () => {
		const bad = { error: { message: 'x' } };
		const { shown, aside } = await sleepWith([bad, created('A-1')]);
		expect(shown).toHaveLength(1);
		expect(shown[0]).toMatchObject({ outcome: 'accepted' });
		expect(aside[0]!.map(({ json }) => json)).toEqual([bad, shown[0]]);
	});

	it.each<[string, Record<string, Answer[]>, string[], string[], number]>([
		[
			'until all are final, and at none of these again',
			{ 'A-1': [recordOf('A-1')], 'B-1': [open('B-1'), { ...open('B-1'), status: 'failed' }] },
			['A-1', 'B-1', 'B-1'],
			['success', 'failed'],
			0,
		],
		[
			'once after each pause, and then sleeps with what is known',
			{ 'A-1': [recordOf('A-1')], 'B-1': [open('B-1')] },
			['A-1', 'B-1', 'B-1', 'B-1'],
			['success', 'timedOut'],
			0,
		],
		[
			'no more than twice at what the service does not know',
			{ 'A-1': [undefined], 'B-1': [undefined] },
			['A-1', 'B-1', 'A-1', 'B-1'],
			['timedOut', 'timedOut'],
			0,
		],
		[
			'on when one look goes wrong',
			{ 'A-1': [recordOf('A-1')], 'B-1': [open('B-1'), new Error('down')] },
			['A-1', 'B-1', 'B-1', 'B-1'],
			['success', 'timedOut'],
			2,
		],
	])('looks %s', async (_, records, asked, states, warnings) => {
		const service = serviceWith(records);
		const items = [created('A-1'), created('B-1', {}, { callback_url: addressOf('B-1', 1) })];
		const { shown, warned } = await sleepWith(items, { service, pauses: [1, 1] });
		expect(service.asked).toEqual(asked);
		expect(shown.map(({ state }) => state)).toEqual(states);
		expect(warned).toHaveLength(warnings);
	});

	it('looks no more once it is cancelled', async () => {
		const service = serviceWith({ 'A-1': pending('A-1') });
		const cancelled = new AbortController();
		setTimeout(() => cancelled.abort(), 30);
		const start = Date.now();
		await sleepWith([created('A-1')], { service, pauses: [60_000], signal: cancelled.signal });
		expect(Date.now() - start).toBeLessThan(30_000);
		expect(service.asked).toEqual(['A-1']);
	});

	it('looks at no more at the same time than it may send', async () => {
		const orders = Array.from({ length: 12 }, (_, row) => `O-${row}`);
		const items = orders.map((order, row) =>
			created(order, {}, { callback_url: addressOf(order, row) }),
		);
		const service = serviceWith({});
		await sleepWith(items, { service, options: { concurrency: 3 } });
		expect(service.most).toBe(3);
	});

	it('does not ask again where it gets no answer, and says so without secrets', async () => {
		const down = Object.assign(new Error('no way to secret-key'), { code: 'ENOTFOUND' });
		const service = serviceWith({ 'A-1': down });
		const { warned, until } = await sleepWith([created('A-1')], { service });
		expect(service.asked).toEqual(['A-1']);
		expect(warned).toHaveLength(1);
		expect(warned[0]).toMatch(
			/^A payment could not be looked up before waiting for it: No connection to the service/,
		);
		expect(warned[0]).not.toContain('secret-key');
		expect(until).toHaveLength(1);
	});
});

describe('an execution does not sleep', () => {
	it('when all of it is final', async () => {
		const items = [created('A-1'), { outcome: 'not_sent' }, { error: { message: 'x' } }];
		const {
			shown,
			items: left,
			until,
			aside,
		} = await sleepWith(items, {
			service: serviceWith({ 'A-1': recordOf('A-1') }),
		});
		expect([until, aside]).toEqual([[], []]);
		expect(shown).toMatchObject([
			{ state: 'success', paidInFull: true },
			{ outcome: 'not_sent', state: null },
			{ error: { message: 'x' } },
		]);
		expect(shown[2]).toEqual({ error: { message: 'x' } });
		expect(left.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
		]);
	});

	it('for nothing: then it asks for nothing, not even for its own address', async () => {
		const { shown, items, until, evaluated } = await sleepWith([
			{ outcome: 'unknown' },
			{ outcome: 'valid' },
			{ error: { message: 'x' } },
		]);
		expect([until, evaluated]).toEqual([[], []]);
		expect(shown).toEqual([
			{ outcome: 'unknown', state: null, asked: null, paidInFull: null, transaction: null },
			{ outcome: 'valid' },
			{ error: { message: 'x' } },
		]);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
		]);
	});

	it('but does for its own, beside these', async () => {
		const items = [
			created('B-1', { outcome: 'duplicate' }, { callback_url: addressOf('B-1', 1) }),
			created('A-1'),
		];
		const { until, aside } = await sleepWith(items);
		expect(until).toHaveLength(1);
		expect(aside[0]!.map(({ json }) => json.state)).toEqual([null, 'timedOut']);
	});

	it('for a payment that is called back to another execution', async () => {
		const elsewhere = EXECUTION.replace('/17', '/18');
		const callback_url = addressOf('A-1', 0, elsewhere);
		const { shown, until } = await sleepWith([created('A-1', {}, { callback_url })], {
			service: serviceWith({ 'A-1': pending('A-1', { callback_url }) }),
		});
		expect(until).toEqual([]);
		expect(shown[0]).toMatchObject({ state: 'pending' });
	});
});

describe('a retry of an execution that had slept', () => {
	it.each([
		['is one', 'retry', [asleep('A-1')], true],
		['with others beside', 'retry', [{ order: 1 }, asleep('A-1')], true],
		['is not another mode', 'trigger', [asleep('A-1')], false],
		['is not one that had not slept', 'retry', [{ order: 1 }], false],
		[
			'is not one whose payments were final',
			'retry',
			[created('A-1', { state: 'success' })],
			false,
		],
		['is not one of other items', 'retry', [{ state: 'timedOut' }], false],
		['is not one of nothing', 'retry', [], false],
	] as Array<[string, string, Json[], boolean]>)('%s', (_, mode, input, expected) => {
		expect(hasSlept(hostWith({ mode, input }).context)).toBe(expected);
	});

	it('of a node that creates is one only where it created them itself', () => {
		const input = [asleep('A-1')];
		expect(hasSleptAfterCreate(hostWith({ mode: 'retry', input }).context)).toBe(true);
		const place = { node: 'another', run: 0 };
		const url = resumeAddress(EXECUTION, place, 0).replace(/.*&/, '');
		const callback_url = addressOf('A-1').replace(/upi=\w+/, url);
		const others = [asleep('A-1', {}, { callback_url })];
		expect(hasSleptAfterCreate(hostWith({ mode: 'retry', input: others }).context)).toBe(false);
		expect(hasSlept(hostWith({ mode: 'retry', input: others }).context)).toBe(true);
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
		const client = createClient(context).forRow(0);
		const items = await lookAgain(context, client, readOptions({}));
		expect(items.map(({ json }) => json).slice(1)).toEqual([late, asleep('D-1'), ...others]);
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
		expect(await urlOf(0)).toBe(
			'https://n8n.example.com/webhook-waiting/17/unified-payments?signature=abc&upi=VF60',
		);
		expect(await urlOf(4)).toContain('&upi=VF64');
		expect(evaluated).toEqual([
			['{{ $execution.resumeUrl }}', 0],
			['{{ $runIndex }}', 0],
		]);
	});

	it('differ by the run of the node, as in a loop', async () => {
		expect(await createResumeUrls(hostWith({ run: 2 }).context)(0)).toContain('&upi=VF62.0');
	});
});
