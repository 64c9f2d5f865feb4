import type { INodeExecutionData } from 'n8n-workflow';

import { waitLimitField } from '../../../nodes/UnifiedPayments/fields/waitLimit.ts';
import type { Json } from '../../../nodes/UnifiedPayments/protocol/parse.ts';
import { createClient } from '../../../nodes/UnifiedPayments/transport/client.ts';
import { waitForLinks } from '../../../nodes/UnifiedPayments/waiting/waitForLinks.ts';
import { hostWith, type Host } from './host.mts';
import { addressOf, asleep, created, recordOf, SAVED, serviceWith } from './service.mts';

/** A link of a row: the service has given it no name. */
const link = (order: string, row = 0, over: Json = {}) =>
	created(order, over, {
		third_party_reference_1: undefined,
		callback_url: addressOf(order, row),
	});

/** The node that waits for links, after nodes that pass them on. */
async function wait(
	input: Json[],
	{ limit = 5, options = {}, ...host }: Host & { limit?: unknown; options?: Json } = {},
) {
	const parameters = { waitLimitMinutes: limit, options };
	const { context, left, ...seen } = hostWith({ ...host, input, parameters });
	const start = Date.now();
	const client = createClient(context).forRow(0);
	const items: INodeExecutionData[] | Error = await waitForLinks(
		context,
		waitLimitField(60),
		client,
	).catch((error: Error) => error);
	const given = items instanceof Error ? [] : items.map(({ json }) => json);
	return { ...seen, items, given, start, aside: left.data.main[0] };
}

/** A service that has these payments of links, by order and name. */
const paid = (names: Record<string, string>, links?: Parameters<typeof serviceWith>[1]) => {
	const entries = Object.entries(names).map(([order, ref], row): [string, Json] => [
		ref,
		recordOf(order, { ref, callback_url: addressOf(order, row) }),
	]);
	return serviceWith(Object.fromEntries(entries), links);
};

/** How the list has a link. */
const listed = (reference: string, order: string, row = 0) => ({
	reference,
	callback_url: addressOf(order, row),
});

describe('links that are waited for', () => {
	it('let the execution sleep, for as long as the node says', async () => {
		const { given, until, start, aside } = await wait([link('A-1')], { limit: '5' });
		expect(until).toHaveLength(1);
		const minutes = (until[0]!.getTime() - start) / 60_000;
		expect(minutes).toBeGreaterThanOrEqual(5);
		expect(minutes).toBeLessThan(5.5);
		expect(given).toMatchObject([{ state: 'timedOut' }]);
		expect(aside).toHaveLength(1);
	});

	it('are not waited for where there is nothing', async () => {
		const odd = { limit: 'soon', raw: { sender: '={{ $json.a }}' } };
		const { items, until, asked } = await wait([], odd);
		expect([items, until, asked]).toEqual([[], [], []]);
	});

	it('go on when they are paid, found by their names in the list', async () => {
		const service = paid({ 'A-1': 'PL-1' }, [listed('PL-1', 'A-1'), listed('PL-9', 'Z-9', 9)]);
		const { given, until, asked } = await wait([link('A-1')], { service });
		expect(until).toEqual([]);
		expect(given).toMatchObject([{ state: 'success', reference: 'PL-1' }]);
		expect(asked).toEqual(['list', 'PL-1']);
	});

	it('are not looked for in the list where each has its name', async () => {
		const input = [link('A-1', 0, { reference: 'PL-1' })];
		const { given, asked } = await wait(input, { service: paid({ 'A-1': 'PL-1' }) });
		expect(asked).toEqual(['PL-1']);
		expect(given).toMatchObject([{ state: 'success' }]);
	});

	it('keep the names that the service gave, whatever the list says', async () => {
		const list = [listed('PL-X', 'A-1'), listed('PL-2', 'B-1', 1)];
		const service = paid({ 'A-1': 'PL-1', 'B-1': 'PL-2' }, list);
		const input = [link('A-1', 0, { reference: 'PL-1' }), link('B-1', 1)];
		const { given, asked } = await wait(input, { service });
		expect(given.map(({ reference }) => reference)).toEqual(['PL-1', 'PL-2']);
		expect(asked[0]).toBe('list');
		expect(asked.slice(1).sort()).toEqual(['PL-1', 'PL-2']);
	});

	it('are not asked about by their number in the list, which a transaction may have, too', async () => {
		const list = [{ ...listed('', 'A-1'), id: 5 }];
		const { asked } = await wait([link('A-1')], { service: paid({ 'A-1': '5' }, list) });
		expect(asked).toEqual(['list']);
	});

	it('are waited for all the same where there is no list, and the log says so', async () => {
		const down = Object.assign(new Error('no way to secret-key'), { code: 'ENOTFOUND' });
		const { until, warned } = await wait([link('A-1')], { service: serviceWith({}, down) });
		expect(until).toHaveLength(1);
		expect(warned).toEqual([
			expect.stringMatching(
				/^The list of payment links could not be read: No connection to the service/,
			),
		]);
		expect(warned[0]).not.toContain('secret-key');
	});

	it('come out with the rows that are not waited for', async () => {
		const unknown = created('B-1', { outcome: 'unknown' });
		const elsewhere = created('C-1', {}, { callback_url: 'https://shop.example.com/hook' });
		const service = paid({ 'A-1': 'PL-1' }, [listed('PL-1', 'A-1')]);
		const { given, until } = await wait([link('A-1'), unknown, elsewhere], { service });
		expect(until).toEqual([]);
		expect(given).toMatchObject([
			{ state: 'success' },
			{ outcome: 'unknown', state: null },
			{ outcome: 'accepted', state: null },
		]);
		const none = await wait([unknown, elsewhere]);
		expect((none.items as Error).message).toContain('There is no payment link to wait for');
	});

	it('are not those of a row that an earlier run sent with other values', async () => {
		const other = created('A-1', { outcome: 'duplicate' }, { callback_url: undefined });
		const { given, until, asked } = await wait([other]);
		expect([until, asked]).toEqual([[], []]);
		expect(given).toMatchObject([{ outcome: 'duplicate', state: null }]);
	});

	it('are looked at again, and not waited for, in a retry after the sleep', async () => {
		const late = asleep('B-1', {}, { callback_url: addressOf('B-1', 1) });
		const service = serviceWith({ 'A-1': recordOf('A-1') });
		const { given, until } = await wait([asleep('A-1'), late], {
			service,
			metadata: { unifiedPaymentsSlept: true },
		});
		expect(until).toEqual([]);
		expect(given).toMatchObject([{ state: 'success' }, { state: 'timedOut' }]);
	});
});

describe('what cannot be waited for', () => {
	const ACCOUNT =
		/^The payment links were created with another account\nChoose the credential here/;
	const forged = created('B-1', {}, { callback_url: `${addressOf('B-1', 1).slice(0, -5)}AAAAA` });
	const dependent = { raw: { ...SAVED, sender: '={{ $json.shop }}' } };

	it.each<[string, Json[], Host, RegExp]>([
		['no links', [{ order: 1 }], {}, /^Item 1 of the input cannot be traced.*\nCreate the links/],
		['links of another account', [link('A-1')], { saved: { secretKey: 'another-key' } }, ACCOUNT],
		['one link of another account', [link('A-1'), forged], {}, ACCOUNT],
		[
			'an account that depends on the row',
			[link('A-1')],
			dependent,
			/whose account depends on the row.*\nChoose a credential without expressions/,
		],
	])('%s, is said before it sleeps', async (_, input, host, words) => {
		const { items, until, asked } = await wait(input, host);
		const { message, description } = items as Error & { description: string };
		expect(`${message}\n${description}`).toMatch(words);
		expect([until, asked]).toEqual([[], []]);
	});

	it.each<[string, Parameters<typeof wait>[1], string]>([
		['a limit', { limit: 'soon' }, 'waitLimitMinutes'],
		['an option', { options: { concurrency: 'many' } }, 'concurrency'],
	])('%s that is none, either', async (_, host, field) => {
		const { items, until, asked } = await wait([link('A-1')], host);
		expect(items).toMatchObject({ issues: [{ field }] });
		expect([until, asked]).toEqual([[], []]);
	});
});
