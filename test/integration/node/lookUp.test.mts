import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { startSandbox, type Switches } from '../../../sandbox/index.mts';
import { demoCredential, runPayments } from '../../helpers/payments.mts';
import { throughout } from '../../helpers/throughout.mts';

const HOOK = 'https://n8n.example.com/webhook/8c5ff0ad-8c84-4a5c-9c1e-1f6d3b2f0f52/pay';
const CREATE = '/api/v3/payment-link-api/create';
const LIST = '/api/payment-link-api/list';
const STATUS = '/api/v3/get-unified-transaction-status';
const COLLECT = '/api/v3/service-unified-collections';

const sandbox = throughout(async () => await startSandbox({ settleDelayMs: Infinity }));
let workflowId: string;
let run = 0;

beforeEach(() => {
	sandbox.reset();
	sandbox.faults.clear();
	workflowId = `look-up-${++run}`;
});

const links = (options: IDataObject = {}, changes: INodeParameters = {}): INodeParameters => ({
	resource: 'paymentLink',
	operation: 'create',
	country: 'KE',
	amount: '={{ $json.amount }}',
	businessName: 'Amina Shop',
	itemName: '={{ $json.item }}',
	orderReference: '={{ $json.order }}',
	callbackUrl: '={{ $json.hook }}',
	additionalFields: { email: '={{ $json.email }}' },
	// One after the other, so that the service's ledger is in the order of the rows.
	options: { concurrency: 1, ...options },
	...changes,
});

const collections = (options: IDataObject = {}): INodeParameters => ({
	resource: 'collection',
	operation: 'create',
	country: 'KE',
	amount: '={{ $json.amount }}',
	mobile: '254712345678',
	orderReference: '={{ $json.order }}',
	callbackUrl: '={{ $json.hook }}',
	options: { concurrency: 1, ...options },
});

const row = (order: string, changes: IDataObject = {}): IDataObject => ({
	order,
	amount: 100,
	item: 'Rent',
	email: '',
	hook: HOOK,
	...changes,
});

const send = async (
	parameters: INodeParameters,
	items: IDataObject[],
	credential: IDataObject = {},
	onError: 'continueErrorOutput' | 'stopWorkflow' = 'continueErrorOutput',
) =>
	await runPayments(parameters, {
		credential: demoCredential(sandbox.url, credential as never),
		items,
		workflowId,
		onError,
	});

/** While the service can be asked nothing. */
const sendWithoutAnswers = async (...sent: Parameters<typeof send>) => {
	sandbox.faults.add({ kind: 'server-error', route: LIST });
	const result = await send(...sent);
	sandbox.faults.clear();
	return result;
};

const asked = (path: string) => sandbox.state.requests.filter((each) => each.path === path).length;
const pick = (items: IDataObject[], ...names: string[]) =>
	items.map((item) => names.map((name) => item[name]));
const addresses = () =>
	[...sandbox.state.links]
		.sort((a, b) => a.reference.localeCompare(b.reference))
		.map(({ link }) => link);

/** Orders with the same values, an order that its item names, and rows without an order. */
const SHEET = [
	row('INV-2026-10'),
	row('INV-2026-11'),
	row('A-1', { item: 'Order A-1' }),
	row('A 2/3 é', { item: 'Chair' }),
	row('', { item: 'Table', email: 'amina@example.com' }),
	row('', { item: 'Table', email: 'baraka@example.com' }),
	row('B-8', { item: 'Order B-8', hook: '' }),
];

/** Which rows of the sheet get a link, by what the service keeps and lists. */
const FOUND: Array<[Partial<Switches>, rows: number[]]> = [
	[{ listEntries: 'callbackUrl' }, [1, 2, 3, 4, 5, 6]],
	[{ listEntries: 'otherNames' }, [1, 2, 3, 4, 5, 6]],
	[{ listEntries: 'fields' }, []],
	[{ listEntries: 'callbackUrl', callbackUrls: 'noQuery' }, []],
	[{ listEntries: 'fields', callbackUrls: 'noQuery' }, []],
	[{ listEntries: 'otherNames', callbackUrls: 'noQuery' }, []],
	[{ listEntries: 'callbackUrl', callbackUrls: 'cut255' }, [1, 2, 3, 4, 5, 6]],
	[{ listEntries: 'fields', callbackUrls: 'cut255' }, []],
	[{ listEntries: 'otherNames', callbackUrls: 'cut255' }, [1, 2, 3, 4, 5, 6]],
];

describe.each(FOUND)('a service with %o', (switches, found) => {
	it.each(['spec', 'rich'] as const)('%s replies: each link is its own row’s', async (mode) => {
		sandbox.change({ ...switches, mode });
		const first = (await send(links(), SHEET)).successJson;
		const all = addresses();
		expect(all).toHaveLength(SHEET.length);
		const has = (index: number) => mode === 'rich' || found.includes(index + 1);
		expect(pick(first, 'outcome', 'link', 'linkFrom')).toEqual(
			SHEET.map((_, index) => [
				'accepted',
				has(index) ? all[index] : null,
				has(index) ? (mode === 'rich' ? 'reply' : 'list') : null,
			]),
		);
		for (const { link, message } of first) {
			if (link === null) expect(message).toMatch(/^Payment link was created\. No link was found: /);
		}
		// Run again, the sheet comes back with the same links, and nothing is sent.
		const again = (await send(links(), SHEET)).successJson;
		expect(pick(again, 'outcome', 'link')).toEqual(
			SHEET.map((_, index) => ['duplicate', found.includes(index + 1) ? all[index] : null]),
		);
		expect(asked(CREATE)).toBe(SHEET.length);
	});

	it('lost replies: what the service took is accepted, and nothing else', async () => {
		sandbox.change(switches);
		sandbox.faults.add({ kind: 'reset-after', route: CREATE, probability: 0.5, seed: 7 });
		sandbox.faults.add({ kind: 'truncate', route: CREATE, processed: false, nth: 3 });
		const result = await send(links(), SHEET);
		sandbox.faults.clear();
		const said = (await send(links(), SHEET)).successJson;
		const taken = new Set(
			sandbox.state.ledger.entries.map(({ params }) =>
				JSON.stringify([params.item_name, params.email ?? '', params.callback_url]),
			),
		);
		expect([...result.success, ...result.failed]).toHaveLength(SHEET.length);
		for (const item of said) {
			const { outcome, request } = item as { outcome: string; request: IDataObject };
			const isTaken = taken.has(
				JSON.stringify([request.item_name, request.email ?? '', request.callback_url]),
			);
			if (outcome === 'accepted' || outcome === 'duplicate') expect(isTaken).toBe(true);
			else expect(outcome).toBe('unknown');
		}
		expect(asked(CREATE)).toBe(SHEET.length);
	});
});

describe('a link whose answer was lost', () => {
	const lose = (nth = 1) => sandbox.faults.add({ kind: 'reset-after', route: CREATE, nth });

	it('is found in the list, and never sent again', async () => {
		lose(2);
		const items = [row('A-1'), row('A-2'), row('A-3')];
		const { successJson } = await send(links(), items);
		const [, second] = addresses();
		expect(successJson[1]).toMatchObject({
			outcome: 'accepted',
			success: true,
			link: second,
			linkFrom: 'list',
			orderReference: 'A-2',
			message: 'No answer came, but the service has it in its list of payment links.',
		});
		const again = await send(links({ onDuplicate: 'sendUnanswered' }), items);
		expect(pick(again.successJson, 'outcome')).toEqual([
			['duplicate'],
			['duplicate'],
			['duplicate'],
		]);
		expect(asked(CREATE)).toBe(3);
	});

	it('of an earlier run is found by the next', async () => {
		lose();
		await sendWithoutAnswers(links(), [row('A-1')]);
		const { successJson } = await send(links(), [row('A-1')]);
		expect(successJson).toMatchObject([{ outcome: 'accepted', link: addresses()[0] }]);
		expect((await send(links(), [row('A-1')])).successJson).toMatchObject([
			{ outcome: 'duplicate', link: addresses()[0] },
		]);
		expect(asked(CREATE)).toBe(1);
	});

	it.each([
		['composed or not', 'Réf 3', 'Re\u0301f 3'],
		['with an invisible character', 'A-1', 'A-1\u200b'],
		['without it', 'A\u200b-1', 'A-1'],
		['with another space', 'A 1', 'A\u00a01'],
	])('is found when its order is then written in another way: %s', async (_, was, is) => {
		lose();
		await sendWithoutAnswers(links(), [row(was)]);
		const { successJson } = await send(links({ onDuplicate: 'sendUnanswered' }), [row(is)]);
		expect(successJson).toMatchObject([{ outcome: 'accepted', link: addresses()[0] }]);
		expect(asked(CREATE)).toBe(1);
	});

	it('is looked for before Send Unanswered sends it again', async () => {
		lose();
		sandbox.faults.add({ kind: 'truncate', route: CREATE, processed: false, nth: 1 });
		await sendWithoutAnswers(links(), [row('A-1'), row('A-2')]);
		const { successJson } = await send(links({ onDuplicate: 'sendUnanswered' }), [
			row('A-1'),
			row('A-2'),
		]);
		expect(pick(successJson, 'outcome', 'link')).toEqual(
			addresses().map((link) => ['accepted', link]),
		);
		expect(sandbox.state.links.map(({ callback_url: url }) => /upo=1(A-.)/.exec(url!)![1])).toEqual(
			['A-2', 'A-1'],
		);
	});

	it('stays unknown when it is not there: absence proves nothing', async () => {
		sandbox.faults.add({ kind: 'truncate', route: CREATE, processed: false, nth: 1 });
		const { failedJson } = await send(links(), [row('A-1')]);
		expect(failedJson).toMatchObject([{ error: { outcome: 'unknown' } }]);
		const again = await send(links(), [row('A-1')]);
		expect(again.successJson).toMatchObject([{ outcome: 'unknown', link: null }]);
		expect(asked(CREATE)).toBe(1);
	});

	it('is not taken for one that was sent on purpose once more', async () => {
		await send(links(), [row('A-1')]);
		sandbox.faults.add({ kind: 'truncate', route: CREATE, processed: false, nth: 1 });
		const { failedJson } = await send(links({ onDuplicate: 'sendAnyway' }), [row('A-1')]);
		expect(failedJson).toMatchObject([{ error: { outcome: 'unknown' } }]);
	});

	it('of an order with another payer then is not taken for this one', async () => {
		lose();
		await sendWithoutAnswers(links(), [row('A-1', { email: 'amina@example.com' })]);
		const { successJson } = await send(links(), [row('A-1', { email: 'baraka@example.com' })]);
		expect(successJson).toMatchObject([{ outcome: 'unknown', link: null }]);
		expect(String(successJson[0]!.message)).toContain('another payer, item, amount or spelling');
	});

	it('and then found is not that of an order with another payer either', async () => {
		lose();
		await sendWithoutAnswers(links(), [row('A-1', { email: 'amina@example.com' })]);
		const again = links({ onDuplicate: 'sendUnanswered' });
		await send(again, [row('A-1', { email: 'amina@example.com' })]);
		const { successJson } = await send(links(), [row('A-1', { email: 'baraka@example.com' })]);
		expect(successJson).toMatchObject([{ outcome: 'duplicate', link: null }]);
		expect(String(successJson[0]!.message)).toContain('another payer, item, amount or spelling');
	});

	it('does not stop a run that stops at errors from saying what is true', async () => {
		lose();
		const result = await send(links(), [row('A-1')], {}, 'stopWorkflow');
		expect(result.nodeError).toBeUndefined();
		expect(result.successJson).toMatchObject([{ outcome: 'accepted', link: addresses()[0] }]);
	});
});

describe('the list', () => {
	it('is asked for once per run and account, however many rows there are', async () => {
		const items = Array.from({ length: 120 }, (_, index) => row(`A-${index}`));
		const { successJson } = await send(links({ concurrency: 10 }), items);
		expect(asked(LIST)).toBe(1);
		const marks = new Map(
			sandbox.state.links.map(({ callback_url: url, link }) => [
				/upo=1([^.]+)/.exec(url!)![1],
				link,
			]),
		);
		for (const { orderReference, link } of successJson)
			expect(link).toBe(marks.get(String(orderReference)));
	});

	it('is not asked for when every reply has its link, or nothing is sent', async () => {
		sandbox.change({ mode: 'rich' });
		await send(links(), [row('A-1')]);
		sandbox.change({ mode: 'spec' });
		await send(links({ dryRun: true }), [row('A-3')]);
		expect(asked(LIST)).toBe(0);
	});

	it.each([
		['fails', { kind: 'server-error', route: LIST }, 'could not be read'],
		['is no list', { kind: 'html', route: LIST, status: 200 }, 'could not be read'],
		[
			'refuses',
			{ kind: 'redirect', route: LIST, location: 'https://x.example' },
			'could not be read',
		],
		['never ends', { kind: 'endless', route: LIST, delayMs: 20 }, 'took too long'],
		[
			'is slow',
			{ kind: 'latency', route: LIST, delayMs: 10_000 },
			/took too long|could not be read/,
		],
	] as const)('costs no result when it %s', async (_, fault, why) => {
		sandbox.faults.add(fault);
		const began = Date.now();
		const { successJson } = await send(links({ timeoutSeconds: 1 }), [row('A-1'), row('A-2')]);
		expect(Date.now() - began).toBeLessThan(9000);
		for (const item of successJson) {
			expect(item).toMatchObject({ outcome: 'accepted', link: null, linkFrom: null });
			expect(item.message).toMatch(why);
		}
		sandbox.faults.clear();
		expect(pick((await send(links(), [row('A-1'), row('A-2')])).successJson, 'link')).toEqual(
			addresses().map((link) => [link]),
		);
	});

	it('may hold anything', async () => {
		// More than a megabyte, which is read in pieces.
		sandbox.addOtherLinks({ count: 5000 });
		const { successJson } = await send(links(), SHEET);
		expect(successJson.filter(({ link }) => link !== null).length).toBeGreaterThan(4);
		const own = new Set(addresses());
		for (const { link } of successJson) if (link !== null) expect(own).toContain(link);
	});
});

describe('rows of one input that are the same', () => {
	it('come out with the same link', async () => {
		const { successJson } = await send(links(), [row('A-1'), row('A-1')]);
		expect(pick(successJson, 'outcome', 'link', 'linkFrom')).toEqual([
			['accepted', addresses()[0], 'list'],
			['duplicate', addresses()[0], 'list'],
		]);
	});
});

describe('a collection whose answer was lost', () => {
	const lose = () => sandbox.faults.add({ kind: 'reset-after', route: COLLECT, nth: 1 });

	it('is looked up by its order reference', async () => {
		sandbox.change({ statusBy: 'ownReference' });
		lose();
		const { successJson } = await send(collections(), [row('A-1')]);
		const [transaction] = sandbox.state.transactions;
		expect(successJson).toMatchObject([
			{ outcome: 'accepted', success: true, reference: transaction!.ref, orderReference: 'A-1' },
		]);
		expect((await send(collections(), [row('A-1')])).successJson).toMatchObject([
			{ outcome: 'duplicate' },
		]);
		expect(asked(COLLECT)).toBe(1);
	});

	it('stays unknown where the service knows only its own references', async () => {
		lose();
		const { failedJson } = await send(collections(), [row('A-1')]);
		expect(failedJson).toMatchObject([{ error: { outcome: 'unknown' } }]);
		expect(asked(STATUS)).toBe(1);
	});

	it.each([
		['composed or not', 'Réf 3', 'Re\u0301f 3'],
		['with an invisible character', 'A-1', 'A-1\u200b'],
		['without it', 'A\u200b-1', 'A-1'],
	])('is not sent again when its order is then written in another way: %s', async (_, was, is) => {
		sandbox.change({ statusBy: 'ownReference' });
		lose();
		sandbox.faults.add({ kind: 'server-error', route: STATUS });
		await send(collections(), [row(was)]);
		sandbox.faults.clear();
		// The service knows it as it was written then, and nobody can ask by that any more.
		const again = await send(collections({ onDuplicate: 'sendUnanswered' }), [row(is)]);
		expect(again.successJson).toMatchObject([{ outcome: 'unknown' }]);
		expect(asked(COLLECT)).toBe(1);
		const right = await send(collections({ onDuplicate: 'sendUnanswered' }), [row(was)]);
		expect(right.successJson).toMatchObject([{ outcome: 'accepted' }]);
		expect(asked(COLLECT)).toBe(1);
	});

	it.each([
		['amount', { amount: 200 }],
		['order in its callback URL', { hook: `${HOOK}?upo=1A-9.10000KES.AAAAAAAAAAAAAAAA` }],
	])('is not taken for a record with another %s', async (_, change) => {
		sandbox.change({ statusBy: 'ownReference' });
		// The same reference, given to the service by somebody else of the account.
		await send(collections({ onDuplicate: 'sendAnyway' }), [row('A-1', change)], {
			orderInCallbackUrl: false,
		});
		sandbox.faults.add({ kind: 'truncate', route: COLLECT, processed: false, nth: 1 });
		const { failedJson } = await send(collections(), [row('A-1')]);
		expect(failedJson).toMatchObject([{ error: { outcome: 'unknown' } }]);
	});

	it('is found although the question about another one takes too long', async () => {
		sandbox.change({ statusBy: 'ownReference' });
		sandbox.faults.add({ kind: 'reset-after', route: COLLECT });
		// The third question, and the second try of it.
		for (const nth of [3, 3])
			sandbox.faults.add({ kind: 'latency', route: STATUS, delayMs: 10_000, nth });
		const items = [row('A-1'), row('A-2', { amount: 101 }), row('A-3', { amount: 102 })];
		const result = await send(collections({ timeoutSeconds: 1 }), items);
		expect(pick(result.successJson, 'outcome')).toEqual([['accepted'], ['accepted']]);
		expect(result.failedJson).toMatchObject([{ error: { outcome: 'unknown' } }]);
	});

	it('without an order reference is not asked about', async () => {
		lose();
		await send(collections(), [row('')]);
		expect(asked(STATUS)).toBe(0);
	});
});

it('a service that asks nothing about the list’s caller still gets every link right', async () => {
	const other = createServer((_, response) => response.end('{"success":true,"data":[]}'));
	await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
	const { port } = other.address() as AddressInfo;
	const { successJson } = await runPayments(links(), {
		credential: demoCredential(`http://127.0.0.1:${port}`, { listAuthentication: 'none' }),
		items: [row('A-1')],
		workflowId,
	});
	expect(successJson).toMatchObject([{ outcome: 'accepted', link: null }]);
	other.closeAllConnections();
	other.close();
});

describe('one order with several payments, each with a key of its own', () => {
	it.each([
		['collections', collections, COLLECT, () => sandbox.state.transactions.length],
		['links', links, CREATE, () => sandbox.state.links.length],
	] as const)(
		'%s: the one of last month does not answer for this one',
		async (_, of, path, made) => {
			sandbox.change({ statusBy: 'ownReference' });
			const month = (duplicateKey: string) => send(of({ duplicateKey }), [row('rent-7')]);
			expect(pick((await month('oct')).successJson, 'outcome')).toEqual([['accepted']]);
			sandbox.faults.add({ kind: 'truncate', route: path, processed: false, first: 1 });
			const lost = await month('nov');
			expect(lost.successJson).toEqual([]);
			expect(lost.failedJson).toMatchObject([{ error: { outcome: 'unknown' } }]);
			sandbox.faults.clear();
			expect(pick((await month('nov')).successJson, 'outcome')).toEqual([['unknown']]);
			expect(made()).toBe(1);
		},
	);

	it.each([
		['collections', collections, COLLECT],
		['links', links, CREATE],
	] as const)('%s: its own is found', async (_, of, path) => {
		sandbox.change({ statusBy: 'ownReference' });
		const month = (duplicateKey: string) => send(of({ duplicateKey }), [row('rent-7')]);
		sandbox.faults.add({ kind: 'truncate', route: path, processed: true, first: 1 });
		expect(pick((await month('oct')).successJson, 'outcome')).toEqual([['accepted']]);
	});
});
