// Payments that were taken for another one, or sent when they must not be. Each was seen on an earlier version.
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { startSandbox } from '../../../sandbox/index.mts';
import { demoCredential, runPayments } from '../../helpers/payments.mts';
import { throughout } from '../../helpers/throughout.mts';

const HOOK = 'https://n8n.example.com/webhook/pay';
const CREATE = '/api/v3/payment-link-api/create';
const LIST = '/api/payment-link-api/list';
const COLLECT = '/api/v3/service-unified-collections';
const STATUS = '/api/v3/get-unified-transaction-status';

const sandbox = throughout(async () => await startSandbox({ settleDelayMs: Infinity }));
let count = 0;
let workflowId: string;

beforeEach(() => {
	sandbox.reset();
	sandbox.faults.clear();
	workflowId = `whose-${++count}`;
});

const link = (options: IDataObject = {}, changes: INodeParameters = {}): INodeParameters => ({
	resource: 'paymentLink',
	operation: 'create',
	country: 'KE',
	amount: '={{ $json.amount }}',
	businessName: 'Amina Shop',
	itemName: '={{ $json.item ?? "Rent" }}',
	orderReference: '={{ $json.order ?? "" }}',
	callbackUrl: `={{ $json.hook ?? "${HOOK}" }}`,
	additionalFields: { email: '={{ $json.email ?? "" }}' },
	options: { concurrency: 1, ...options },
	...changes,
});

const collection = (options: IDataObject = {}): INodeParameters => ({
	resource: 'collection',
	operation: 'create',
	country: 'KE',
	amount: '={{ $json.amount }}',
	mobile: '254712345678',
	orderReference: '={{ $json.order }}',
	callbackUrl: HOOK,
	options: { concurrency: 1, ...options },
});

const run = async (parameters: INodeParameters, items: IDataObject[], workflow = workflowId) =>
	await runPayments(parameters, {
		credential: demoCredential(sandbox.url),
		items,
		workflowId: workflow,
		onError: 'continueErrorOutput',
	});

const posts = () =>
	sandbox.state.requests.filter(({ path }) => path === CREATE || path === COLLECT).length;
const messages = (items: IDataObject[]) =>
	items.map(({ error }) => String((error as IDataObject | undefined)?.message));

describe('rows of one input with the same key', () => {
	it.each([
		['Duplicate Key', { duplicateKey: 'may' }, { order: 'A-1' }, { order: 'B-2', amount: 70 }],
		['order, another item', {}, { order: 'A-1' }, { order: 'A-1', item: 'Deposit' }],
		['order, another column', {}, { order: 'A-1' }, { order: 'A-1', note: 'x' }],
		['order, another address', {}, { order: 'A-1' }, { order: 'A-1', hook: `${HOOK}/2` }],
	])('%s: none is sent, and no link is copied', async (_, options, one, other) => {
		const rows = [
			{ amount: 50, ...one },
			{ amount: 50, ...other },
			{ amount: 50, ...one },
		];
		const { successJson, failedJson } = await run(link(options), rows);
		expect(successJson).toEqual([]);
		expect(messages(failedJson)).toEqual([
			expect.stringMatching(/^This row and (?:order \S+, )?row 2 .* but differ in /),
			expect.stringMatching(/^This row and (?:order \S+, )?row 1 .* but differ in /),
			expect.stringMatching(/^This row and (?:order \S+, )?row 2 .* but differ in /),
		]);
		expect(posts()).toBe(0);
	});

	it('the same in everything but the number of the row: sent once', async () => {
		const rows = [
			{ row_number: 2, amount: 50, order: 'A-1' },
			{ row_number: 3, amount: 50, order: 'A-1' },
		];
		const { successJson } = await run(link(), rows);
		expect(successJson.map(({ outcome }) => outcome)).toEqual(['accepted', 'duplicate']);
		expect(successJson[1]!.link).toBe(successJson[0]!.link);
		expect(posts()).toBe(1);
	});

	it('two sheets in one, with the same numbers: rows are called by their place', async () => {
		const rows = [
			{ row_number: 5, amount: 50, order: 'A-1' },
			{ row_number: 5, amount: 'x', order: 'B-2' },
		];
		const { failedJson } = await run(link(), rows);
		expect(messages(failedJson)).toEqual([expect.stringContaining('in order B-2, row 2')]);
	});
});

describe('Send Unanswered sends only what the service plainly does not have', () => {
	it.each(['server-error', 'html', 'endless'] as const)(
		'a link when the list answers with %s: once, however often it is run',
		async (kind) => {
			sandbox.faults.add({ kind: 'truncate', route: CREATE, processed: true, nth: 1 });
			sandbox.faults.add({ kind, route: LIST });
			for (let times = 0; times < 3; times++) {
				await run(link({ onDuplicate: 'sendUnanswered', timeoutSeconds: 1 }), [
					{ amount: 50, order: 'A-1' },
				]);
			}
			expect(posts()).toBe(1);
			expect(sandbox.state.ledger.accepted).toBe(1);
		},
	);

	it('a collection when the status errs: once', async () => {
		sandbox.change({ statusBy: 'ownReference' });
		sandbox.faults.add({ kind: 'truncate', route: COLLECT, processed: true, nth: 1 });
		sandbox.faults.add({ kind: 'server-error', route: STATUS });
		const again = collection({ onDuplicate: 'sendUnanswered', timeoutSeconds: 1 });
		await run(again, [{ amount: 50, order: 'A-1' }]);
		const { successJson } = await run(again, [{ amount: 50, order: 'A-1' }]);
		expect(successJson).toMatchObject([
			{ outcome: 'unknown', message: expect.stringContaining('Look it up') as string },
		]);
		expect(posts()).toBe(1);
	});

	it('an order with another amount is not sent while it is open whether the first was taken', async () => {
		sandbox.change({ statusBy: 'ownReference' });
		sandbox.faults.add({ kind: 'truncate', route: COLLECT, processed: true, nth: 1 });
		sandbox.faults.add({ kind: 'server-error', route: STATUS });
		await run(collection(), [{ amount: 50, order: 'A-1' }]);
		sandbox.faults.clear();
		const again = collection({ onDuplicate: 'sendUnanswered' });
		const { successJson } = await run(again, [{ amount: 60, order: 'A-1' }]);
		expect(successJson).toMatchObject([{ outcome: 'unknown' }]);
		expect(posts()).toBe(1);
	});

	it('and sends again what it is told is not there', async () => {
		sandbox.change({ statusBy: 'ownReference' });
		sandbox.faults.add({ kind: 'truncate', route: COLLECT, processed: false, nth: 1 });
		const again = collection({ onDuplicate: 'sendUnanswered' });
		await run(again, [{ amount: 50, order: 'A-1' }]);
		const { successJson } = await run(again, [{ amount: 50, order: 'A-1' }]);
		expect(successJson).toMatchObject([{ outcome: 'accepted' }]);
		expect(posts()).toBe(2);
	});
});

describe('equal values are no proof', () => {
	it.each([[{}], [{ listEntries: 'fields' as const }]])(
		'a link that another workflow made in January is not February’s: %j',
		async (switches) => {
			sandbox.change(switches);
			await run(link(), [{ amount: 50 }], `january-${count}`);
			sandbox.faults.add({ kind: 'truncate', route: CREATE, processed: false, nth: 1 });
			const { failedJson, successJson } = await run(link(), [{ amount: 50 }]);
			expect(successJson).toEqual([]);
			expect(failedJson).toMatchObject([{ error: { outcome: 'unknown' } }]);
		},
	);

	it('the same order of another workflow, with one trigger for both: each has its own link', async () => {
		const rows = [{ amount: 50, order: 'A-1' }];
		const [first] = (await run(link(), rows, `other-${count}`)).successJson;
		const [second] = (await run(link(), rows)).successJson;
		expect(first).toMatchObject({ outcome: 'accepted', linkFrom: 'list' });
		expect(second).toMatchObject({ outcome: 'accepted', linkFrom: 'list' });
		expect(second!.link).not.toBe(first!.link);
	});

	it('what is sent several times on purpose has a link of its own each time', async () => {
		const rows = [{ amount: 50, order: 'A-1' }];
		const anyway = link({ onDuplicate: 'sendAnyway' });
		const [first] = (await run(anyway, rows)).successJson;
		const [second] = (await run(anyway, rows)).successJson;
		expect(first).toMatchObject({ outcome: 'accepted', linkFrom: 'list' });
		expect(second).toMatchObject({ outcome: 'accepted', linkFrom: 'list' });
		expect(second!.link).not.toBe(first!.link);
	});

	it('and a lost request of it is not taken for the other one', async () => {
		const rows = [{ amount: 50, order: 'A-1' }];
		await run(link(), rows, `other-${count}`);
		sandbox.faults.add({ kind: 'truncate', route: CREATE, processed: false, nth: 1 });
		const { failedJson } = await run(link(), rows);
		expect(failedJson).toMatchObject([{ error: { outcome: 'unknown' } }]);
	});
});

describe('a guard that was added and cannot be read stops the run', () => {
	const NOTHING = ['', null, undefined, 'abc', -1, 0, 0.004, NaN, [], {}, '1,500'];
	it.each([
		...NOTHING.map((value) => ['maxAmount', value] as const),
		...NOTHING.map((value) => ['maxTotal', value] as const),
		...['', null, undefined, 'abc', 2, [], {}].map((value) => ['dryRun', value] as const),
		...['', null, undefined, 'abc', 2, [], {}].map(
			(value) => ['approvedFingerprint', value] as const,
		),
	])('%s: %j', async (name, value) => {
		const saved = value === undefined ? [] : [value];
		for (const given of [...saved, '={{ $json.limit }}', '={{ $json.a.b.c }}']) {
			const { failedJson, successJson } = await run(link({ [name]: given as never }), [
				{ amount: 50, order: 'A-1', limit: value as never },
				{ amount: 60, order: 'A-2', limit: name === 'dryRun' ? true : (value as never) },
			]);
			expect([...failedJson, ...successJson].map(({ outcome }) => outcome)).not.toContain(
				'accepted',
			);
		}
		expect(posts()).toBe(0);
	});

	it('also when it cannot be read for one row only', async () => {
		const { failedJson } = await run(link({ maxAmount: '={{ $json.limit }}' }), [
			{ amount: 50, order: 'A-1', limit: 100 },
			{ amount: 60, order: 'A-2' },
		]);
		expect(messages(failedJson)).toEqual([
			expect.stringContaining('Not sent, because of order A-2, row 2'),
			expect.stringContaining("'Max Amount' is missing in order A-2, row 2"),
		]);
		expect(posts()).toBe(0);
	});

	it('a limit that is written as people write amounts holds', async () => {
		const { failedJson, successJson } = await run(link({ maxAmount: '1,000.50' }), [
			{ amount: '1000.50', order: 'A-1' },
			{ amount: '1000.51', order: 'A-2' },
		]);
		expect(successJson).toMatchObject([{ outcome: 'accepted' }]);
		expect(messages(failedJson)).toEqual([expect.stringContaining('1,000.50 KES')]);
	});
});

describe('options of the run are read by themselves', () => {
	it('what another field of the first row does is no matter', async () => {
		const items = [
			{ order: 'A-1' },
			...Array.from({ length: 6 }, (_, i) => ({ amount: 5, order: `B-${i}` })),
		];
		const parameters = link(
			{ concurrency: 1, requestsPerSecond: '={{ 4 }}' },
			{ amount: "={{ $json.amount ?? $('No Such Node').first().json.amount }}" },
		);
		const begin = Date.now();
		const { successJson } = await run(parameters, items);
		expect(successJson).toHaveLength(6);
		expect(Date.now() - begin).toBeGreaterThan(1000);
	});

	it.each(['concurrency', 'requestsPerSecond', 'severalWorkers'])(
		'%s that cannot be read: nothing is sent',
		async (name) => {
			const throws = "={{ $('No Such Node').first().json.limit }}";
			const { failedJson } = await run(link({ [name]: throws }), [
				{ amount: 50, order: 'A-1' },
				{ amount: 60, order: 'A-2', a: { b: { c: 1 } } },
			]);
			expect(failedJson).toHaveLength(2);
			expect(posts()).toBe(0);
		},
	);
});

describe('an order reference', () => {
	it.each([Number('12345678901234567890'), 2 ** 53, '1.23457E+15', 1e21])(
		'that a sheet has rounded is refused: %s',
		async (order) => {
			const { failedJson } = await run(link(), [{ amount: 50, order }]);
			expect(messages(failedJson)).toEqual([expect.stringContaining("'Order Reference'")]);
			expect(posts()).toBe(0);
		},
	);

	it.each([
		['composed and decomposed', 'Caf\u00e9-1', 'Cafe\u0301-1'],
		['a zero-width space', 'A-1', 'A\u200b-1'],
		['a soft hyphen', 'A-1', 'A-\u00ad1'],
		['a no-break space', 'A 1', 'A\u00a01'],
		['outer spaces', 'A-1', ' A-1 '],
	])('is compared as people see it, with %s: sent once', async (_, one, other) => {
		await run(collection(), [{ amount: 50, order: one }]);
		const { successJson } = await run(collection(), [{ amount: 50, order: other }]);
		expect(successJson).toMatchObject([{ outcome: 'duplicate' }]);
		expect(posts()).toBe(1);
	});

	it.each([
		['case', 'A-1', 'a-1'],
		['leading zeros', '007', '7'],
	])('%s counts: two payments', async (_, one, other) => {
		const { successJson } = await run(collection(), [
			{ amount: 50, order: one },
			{ amount: 50, order: other },
		]);
		expect(successJson.map(({ outcome }) => outcome)).toEqual(['accepted', 'accepted']);
	});
});

it('Check and Create with Wait in This Execution have the same fingerprint, callback URL or not', async () => {
	const rows = [{ amount: 50, order: 'A-1' }];
	const [check] = (await run({ ...link(), operation: 'check' }, rows)).successJson;
	const { successJson, failedJson } = await run(
		link({ waitInThisExecution: true, approvedFingerprint: check!.fingerprint as string }),
		rows,
	);
	expect(failedJson).toEqual([]);
	expect(successJson).toMatchObject([{ outcome: 'accepted' }]);
});

it('an approval does not hold for another callback URL', async () => {
	const [check] = (await run({ ...link(), operation: 'check' }, [{ amount: 50, order: 'A-1' }]))
		.successJson;
	const { failedJson } = await run(link({ approvedFingerprint: check!.fingerprint as string }), [
		{ amount: 50, order: 'A-1', hook: 'https://elsewhere.example.com' },
	]);
	expect(messages(failedJson)).toEqual([
		expect.stringContaining('not the rows that were approved'),
	]);
	expect(posts()).toBe(0);
});
