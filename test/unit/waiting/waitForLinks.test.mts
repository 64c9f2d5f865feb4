import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { waitLimitField } from '../../../nodes/UnifiedPayments/fields/waitLimit.ts';
import type { Json } from '../../../nodes/UnifiedPayments/protocol/parse.ts';
import { createClient } from '../../../nodes/UnifiedPayments/transport/client.ts';
import { waitForLinks } from '../../../nodes/UnifiedPayments/waiting/waitForLinks.ts';
import {
	addressOf,
	asleep,
	created,
	EXECUTION,
	recordOf,
	SAVED,
	serviceWith,
	type Service,
} from './service.mts';

interface Host {
	service?: Service;
	mode?: string;
	saved?: Json;
	raw?: Json;
	limit?: unknown;
	options?: unknown;
}

/** A link of a row: the service has given it no name. */
const link = (order: string, row = 0, over: Json = {}) =>
	created(order, over, {
		third_party_reference_1: undefined,
		callback_url: addressOf(order, row),
	});

/** The node that waits for links, after nodes that pass them on. */
async function wait(
	input: Json[],
	{
		service = serviceWith({}),
		mode = 'trigger',
		saved = {},
		raw = SAVED,
		limit = 5,
		options = {},
	}: Host = {},
) {
	const left = { data: { main: [] as INodeExecutionData[][] } };
	const until: Date[] = [];
	const warned: string[] = [];
	const given: Json = { waitLimitMinutes: limit, options };
	const context = {
		getNode: () => ({ id: 'node', name: 'Wait', type: 'payments', parameters: { options } }),
		getMode: () => mode,
		getExecutionId: () => '17',
		getInputData: () => input.map((json, item) => ({ json, pairedItem: { item } })),
		getParentNodes: () => [],
		getCredentials: async () => ({ ...SAVED, ...saved }),
		getNodeParameter: (name: string, _: number, fallback: unknown) => given[name] ?? fallback,
		getExecutionCancelSignal: () => undefined,
		getExecuteData: () => left,
		putExecutionToWait: async (date: Date) => void until.push(date),
		evaluateExpression: () => EXECUTION,
		helpers: service,
		logger: { warn: (line: string) => warned.push(line) },
		additionalData: { credentialsHelper: { getDecrypted: async () => raw } },
	} as unknown as IExecuteFunctions;
	const start = Date.now();
	const items = await waitForLinks(
		context,
		waitLimitField(60),
		createClient(context).forRow(0),
	).catch((error: Error) => error);
	return { items, until, warned, start, asked: service.asked, aside: left.data.main[0] };
}

const jsonOf = (items: INodeExecutionData[] | Error) =>
	items instanceof Error ? [] : items.map(({ json }) => json);

describe('links that are waited for', () => {
	it('let the execution sleep, for as long as the node says', async () => {
		const { items, until, start, aside } = await wait([link('A-1')], { limit: '5' });
		expect(until).toHaveLength(1);
		const minutes = (until[0]!.getTime() - start) / 60_000;
		expect(minutes).toBeGreaterThanOrEqual(5);
		expect(minutes).toBeLessThan(5.5);
		expect(jsonOf(items)).toMatchObject([{ state: 'timedOut' }]);
		expect(aside).toHaveLength(1);
	});

	it('are not waited for where there is nothing', async () => {
		const { items, until, asked } = await wait([], {
			limit: 'soon',
			raw: { sender: '={{ $json.a }}' },
		});
		expect([items, until, asked]).toEqual([[], [], []]);
	});

	it('go on when they are paid, found by their names in the list', async () => {
		const service = serviceWith({ 'PL-1': recordOf('A-1', { ref: 'PL-1' }) }, [
			{ reference: 'PL-1', callback_url: addressOf('A-1') },
			{ reference: 'PL-9', callback_url: addressOf('Z-9', 9) },
		]);
		const { items, until, asked } = await wait([link('A-1')], { service });
		expect(until).toEqual([]);
		expect(jsonOf(items)).toMatchObject([{ state: 'success', reference: 'PL-1' }]);
		expect(asked).toEqual(['list', 'PL-1']);
	});

	it('are not looked for in the list where each has its name', async () => {
		const service = serviceWith({ 'PL-1': recordOf('A-1', { ref: 'PL-1' }) });
		const { items, asked } = await wait([link('A-1', 0, { reference: 'PL-1' })], { service });
		expect(asked).toEqual(['PL-1']);
		expect(jsonOf(items)).toMatchObject([{ state: 'success' }]);
	});

	it('keep the names that the service gave, whatever the list says', async () => {
		const service = serviceWith(
			{
				'PL-1': recordOf('A-1', { ref: 'PL-1' }),
				'PL-2': recordOf('B-1', { ref: 'PL-2', callback_url: addressOf('B-1', 1) }),
			},
			[
				{ reference: 'PL-X', callback_url: addressOf('A-1') },
				{ reference: 'PL-2', callback_url: addressOf('B-1', 1) },
			],
		);
		const input = [link('A-1', 0, { reference: 'PL-1' }), link('B-1', 1)];
		const { items, asked } = await wait(input, { service });
		expect(jsonOf(items).map(({ reference }) => reference)).toEqual(['PL-1', 'PL-2']);
		expect(asked[0]).toBe('list');
		expect(asked.slice(1).sort()).toEqual(['PL-1', 'PL-2']);
	});

	it('are waited for all the same where there is no list, and the log says so', async () => {
		const down = Object.assign(new Error('no way to secret-key'), { code: 'ENOTFOUND' });
		const service = serviceWith({}, down);
		const { until, warned } = await wait([link('A-1')], { service });
		expect(until).toHaveLength(1);
		expect(warned).toHaveLength(1);
		expect(warned[0]).toMatch(
			/^The list of payment links could not be read: No connection to the service/,
		);
		expect(warned[0]).not.toContain('secret-key');
	});

	it('come out with the rows that are not waited for', async () => {
		const unknown = created('B-1', { outcome: 'unknown' });
		const elsewhere = created('C-1', {}, { callback_url: 'https://shop.example.com/hook' });
		const service = serviceWith({ 'PL-1': recordOf('A-1', { ref: 'PL-1' }) }, [
			{ reference: 'PL-1', callback_url: addressOf('A-1') },
		]);
		const { items, until } = await wait([link('A-1'), unknown, elsewhere], { service });
		expect(until).toEqual([]);
		expect(jsonOf(items)).toMatchObject([
			{ state: 'success' },
			{ outcome: 'unknown', state: null },
			{ outcome: 'accepted', state: null },
		]);
		const none = await wait([unknown, elsewhere]);
		expect((none.items as Error).message).toContain('There is no payment link to wait for');
	});

	it('are not those of a row that an earlier run sent with other values', async () => {
		const other = created('A-1', { outcome: 'duplicate' }, { callback_url: undefined });
		const { items, until, asked } = await wait([other]);
		expect(until).toEqual([]);
		expect(asked).toEqual([]);
		expect(jsonOf(items)).toMatchObject([{ outcome: 'duplicate', state: null }]);
	});

	it.each(['unknown', 'not_sent'])(
		'are not missed where all rows are told to be %s',
		async (outcome) => {
			const { items, until } = await wait([created('A-1', { outcome })]);
			expect(until).toEqual([]);
			expect(jsonOf(items)).toMatchObject([{ outcome }]);
		},
	);

	it('are looked at again, and not waited for, in a retry after the sleep', async () => {
		const late = asleep('B-1', {}, { callback_url: addressOf('B-1', 1) });
		const service = serviceWith({ 'A-1': recordOf('A-1') });
		const { items, until } = await wait([asleep('A-1'), late], { service, mode: 'retry' });
		expect(until).toEqual([]);
		expect(jsonOf(items)).toMatchObject([{ state: 'success' }, { state: 'timedOut' }]);
	});
});

describe('what cannot be waited for', () => {
	const CASES: Array<[string, Json[], Host, string, RegExp]> = [
		[
			'no links',
			[{ order: 1 }],
			{},
			'There is no payment link to wait for',
			/^Create the links earlier in this workflow/,
		],
		[
			'links of another account',
			[link('A-1')],
			{ saved: { secretKey: 'another-key' } },
			'The payment links were created with another account',
			/^Choose the credential here/,
		],
		[
			'one link of another account',
			[
				link('A-1'),
				link('B-1', 1, {
					request: created('B-1', {}, { callback_url: `${addressOf('B-1', 1)}x` }).request,
				}),
			],
			{},
			'The payment links were created with another account',
			/^Choose the credential here/,
		],
		[
			'an account that depends on the row',
			[link('A-1')],
			{ raw: { ...SAVED, sender: '={{ $json.shop }}' } },
			'An execution cannot wait for payments whose account depends on the row',
			/^Choose a credential without expressions/,
		],
	];

	it.each(CASES)('%s, is said before it sleeps', async (_, input, host, message, advice) => {
		const { items, until, asked } = await wait(input, host);
		expect(items).toBeInstanceOf(Error);
		expect((items as Error).message).toContain(message);
		expect((items as { description?: string }).description).toMatch(advice);
		expect([until, asked]).toEqual([[], []]);
	});

	it.each([
		['a limit', { limit: 'soon' }, 'waitLimitMinutes'],
		['an option', { options: { concurrency: 'many' } }, 'concurrency'],
	] as Array<[string, Host, string]>)('%s that is none, either', async (_, host, field) => {
		const { items, until, asked } = await wait([link('A-1')], host);
		expect(items).toMatchObject({ issues: [{ field }] });
		expect([until, asked]).toEqual([[], []]);
	});
});
