import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject, IExecuteFunctions, INodeParameters, INodeType } from 'n8n-workflow';

import { UnifiedPaymentsApi } from '../../../credentials/UnifiedPaymentsApi.credentials.ts';
import { connect, node, runWorkflow } from '../../../host/engine/index.mts';
import { UnifiedPayments } from '../../../nodes/UnifiedPayments/UnifiedPayments.node.ts';
import { startSandbox } from '../../../sandbox/index.mts';
import { demoCredential, runPayments } from '../../helpers/payments.mts';
import { throughout } from '../../helpers/throughout.mts';

const sandbox = throughout(async () => await startSandbox({ settleDelayMs: Infinity }));
let workflowId: string;
let workflows = 0;

beforeEach(() => {
	sandbox.reset();
	workflowId = `approval-${++workflows}`;
});

const PARAMETERS: INodeParameters = {
	resource: 'collection',
	inputMode: 'columns',
	columns: { mappingMode: 'autoMapInputData', value: null, matchingColumns: [], schema: [] },
};

const row = (order: string, changes: IDataObject = {}): IDataObject => ({
	country: 'KE',
	amount: 10,
	phone: '0712345678',
	order,
	...changes,
});
const ROWS = ['A', 'B', 'C'].map((order) => row(order));

type More = Partial<Parameters<typeof runPayments>[1]>;

const run = async (
	operation: string,
	items: IDataObject[],
	options: IDataObject = {},
	more: More = {},
) =>
	await runPayments({ ...PARAMETERS, operation, options } as INodeParameters, {
		credential: demoCredential(sandbox.url),
		items,
		workflowId,
		...more,
	});

const approve = async (items: IDataObject[]): Promise<string> =>
	String((await run('check', items)).successJson[0]!.fingerprint);

const taken = () => sandbox.state.ledger.countBy('third_party_reference_1');
const once = (...orders: string[]) => Object.fromEntries(orders.map((order) => [order, 1]));
const ALL = once('A', 'B', 'C');

describe('an approval', () => {
	it('sends what was approved, in any order and notation, from the rows that the check gave', async () => {
		const { items, fingerprint } = (await run('check', ROWS)).successJson[0]!;
		const [first, ...others] = items as IDataObject[];
		const same = [...others, { ...first, phone: '+254712345678' }];
		const result = await run('create', same, { approvedFingerprint: fingerprint });
		expect(result.successJson.map(({ outcome }) => outcome)).toEqual(Array(3).fill('accepted'));
		expect(taken()).toEqual(ALL);
	});

	it.each<[string, IDataObject[], string]>([
		[
			'one amount',
			[...ROWS.slice(0, 2), row('C', { amount: 11 })],
			'approved was 3 rows with 30 KES, and now it is 3 rows with 31 KES',
		],
		[
			'a row more',
			[...ROWS, row('D', { amount: 2.5 })],
			'approved was 3 rows with 30 KES, and now it is 4 rows with 32.50 KES',
		],
		['a row less', ROWS.slice(1), 'and now it is 2 rows with 20 KES'],
		[
			'another payer',
			[...ROWS.slice(0, 2), row('C', { phone: '0712345670' })],
			'it is 3 rows with 30 KES now as then, but something else in them was changed',
		],
	])('with %s, nothing is sent, and it says what differs', async (_, changed, message) => {
		const approvedFingerprint = await approve(ROWS);
		const stopped = await run('create', changed, { approvedFingerprint });
		expect(stopped.nodeError?.message).toContain(message);
		const went = await run(
			'create',
			changed,
			{ approvedFingerprint },
			{ onError: 'continueErrorOutput' },
		);
		expect(went.successJson).toEqual([]);
		expect(went.failedJson.map(({ error }) => (error as IDataObject).outcome)).toEqual(
			changed.map(() => 'not_sent'),
		);
		expect(taken()).toEqual({});
	});

	it.each([
		['empty', ''],
		['null', null],
		['an expression that finds nothing', '={{ $json.nothing }}'],
		['an expression that goes wrong', '={{ $("Nowhere").first().json.fingerprint }}'],
		['something else', 'approved'],
		['yes', true],
	])('%s is none: nothing is sent', async (_, approvedFingerprint) => {
		const result = await run(
			'create',
			ROWS,
			{ approvedFingerprint },
			{ onError: 'continueErrorOutput' },
		);
		expect(result.failedJson).toHaveLength(3);
		expect(result.successJson).toEqual([]);
		expect(taken()).toEqual({});
	});

	it('is that of the first row, and must be about all of them', async () => {
		const all = await approve(ROWS);
		const first = await approve(ROWS.slice(0, 1));
		const options = { approvedFingerprint: '={{ $json.print }}' };
		const rows = ROWS.map((each) => ({ ...each, print: all }));
		const refused = await run('create', [{ ...rows[0]!, print: first }, ...rows.slice(1)], options);
		expect(refused.nodeError?.message).toContain('approved was 1 row with 10 KES');
		const none = await run('create', [{ ...ROWS[0]! }, ...rows.slice(1)], options);
		expect(none.nodeError?.message).toContain("'Approved Fingerprint'");
		expect(taken()).toEqual({});
		await run('create', rows, options);
		expect(taken()).toEqual(ALL);
	});

	it('holds when the same batch is run again after a part of it was sent', async () => {
		const approvedFingerprint = await approve(ROWS);
		await run('create', ROWS.slice(0, 1));
		await run('create', ROWS, { approvedFingerprint });
		await run('create', ROWS, { approvedFingerprint });
		expect(taken()).toEqual(ALL);
	});

	it('holds for a whole sheet of which some rows were sent before', async () => {
		await run('create', ROWS.slice(0, 1));
		const approvedFingerprint = await approve(ROWS.slice(1));
		const result = await run('create', ROWS, { approvedFingerprint });
		expect(result.successJson.map(({ outcome }) => outcome)).toEqual([
			'duplicate',
			'accepted',
			'accepted',
		]);
		expect(taken()).toEqual(ALL);
	});

	it('does not hold while another run is sending a row that was not approved', async () => {
		const [first, ...others] = ROWS;
		const approvedFingerprint = await approve(others);
		sandbox.faults.add({ kind: 'latency', delayMs: 1500, first: 1 });
		// Declined in the end, so that the row is free again.
		const declined = { ...first!, amount: 2_000_000_000 };
		const sending = run('create', [declined], {}, { onError: 'continueErrorOutput' });
		await sleep(500);
		const result = await run('create', [declined, ...others], { approvedFingerprint });
		expect(result.nodeError?.message).toContain('not the rows that were approved');
		await sending;
		expect(taken()).toEqual({});
	});

	it('with nothing left to send, each row says so', async () => {
		await run('create', ROWS);
		const approvedFingerprint = await approve([row('Z')]);
		const result = await run('create', ROWS, { approvedFingerprint });
		expect(result.successJson.map(({ outcome }) => outcome)).toEqual(Array(3).fill('duplicate'));
	});

	it('counts for a dry run as well', async () => {
		const approvedFingerprint = await approve(ROWS.slice(1));
		const result = await run('create', ROWS, { approvedFingerprint, dryRun: true });
		expect(result.successJson).toMatchObject(
			ROWS.map(() => ({
				outcome: 'not_sent',
				message: expect.stringContaining('not the rows that were approved') as string,
			})),
		);
	});

	it('of another account is none', async () => {
		const approvedFingerprint = await approve(ROWS);
		const credential = demoCredential(sandbox.url, { clientId: 'somebody-else' });
		const result = await run('create', ROWS, { approvedFingerprint }, { credential });
		expect(result.nodeError?.message).toContain('not the rows that were approved');
	});

	it('holds with Retry On Fail, for values that change between two readings as well', async () => {
		const approvedFingerprint = await approve(ROWS);
		const result = await runPayments(
			{
				resource: 'collection',
				operation: 'create',
				country: 'KE',
				amount: '={{ $json.amount }}',
				mobile: '={{ $json.phone }}',
				orderReference: '={{ $json.order }}',
				additionalFields: { thirdPartyReference2: '={{ Math.random() }}' },
				options: { approvedFingerprint },
			},
			{
				credential: demoCredential(sandbox.url),
				items: ROWS,
				workflowId,
				retryOnFail: true,
				maxTries: 3,
				waitBetweenTries: 0,
			},
		);
		expect(result.nodeError?.message).toContain('not the rows that were approved');
		expect(taken()).toEqual({});
	});
});

describe('limits', () => {
	it('with a sum above the limit nothing is sent; the message has limit, sum and row', async () => {
		const result = await run('create', ROWS, { maxTotal: 25 });
		expect(result.nodeError?.message).toContain(
			"The rows ask for 30 KES together, which is more than the 25 KES of 'Max Total'. With order C, row 4 it is more",
		);
		expect(taken()).toEqual({});
	});

	it('also where failed rows go to the error output', async () => {
		const result = await run('create', ROWS, { maxTotal: 25 }, { onError: 'continueErrorOutput' });
		expect(result.failedJson).toHaveLength(3);
		expect(taken()).toEqual({});
	});

	it('what was sent before does not count', async () => {
		await run('create', ROWS.slice(0, 2));
		const result = await run('create', ROWS, { maxTotal: 10 });
		expect(result.successJson.map(({ outcome }) => outcome)).toEqual([
			'duplicate',
			'duplicate',
			'accepted',
		]);
	});

	it('what is sent again on purpose does', async () => {
		await run('create', ROWS);
		const result = await run('create', ROWS, { maxTotal: 10, onDuplicate: 'sendAnyway' });
		expect(result.nodeError?.message).toContain('30 KES');
		expect(taken()).toEqual(ALL);
	});

	it('a row above the limit is not sent; the others only if failed rows go elsewhere', async () => {
		const rows = [row('A', { amount: '1,000.50' }), row('B')];
		const stopped = await run('create', rows, { maxAmount: 500 });
		expect(stopped.nodeError?.message).toContain(
			`'Amount' in order A, row 2 is "1,000.50", which is more than the 500 KES of 'Max Amount'`,
		);
		expect(stopped.nodeError?.description).toContain(
			"If the amount is right, raise 'Max Amount' in the options; if not, correct it.",
		);
		expect(taken()).toEqual({});
		await run('create', rows, { maxAmount: 500 }, { onError: 'continueErrorOutput' });
		expect(taken()).toEqual(once('B'));
	});

	it.each([-1, 'much'])('%s is no limit', async (maxTotal) => {
		const result = await run('create', ROWS, { maxTotal });
		expect(result.nodeError?.message).toContain("'Max Total'");
		expect(taken()).toEqual({});
	});
});

/** Gives the rows that a check found to be valid. */
const split: INodeType = {
	description: {
		displayName: 'Split',
		name: 'split',
		group: [],
		version: 1,
		description: '',
		defaults: { name: 'Split' },
		inputs: ['main'],
		outputs: ['main'],
		properties: [],
	},
	async execute(this: IExecuteFunctions) {
		const { items } = this.getInputData()[0]!.json;
		return [(items as IDataObject[]).map((json) => ({ json }))];
	},
};

describe('a check and a create of the same workflow', () => {
	/** Check → Split → Create, as people build it. */
	const both = async (items: IDataObject[], options: IDataObject = {}) => {
		const type = 'n8n-nodes-unified-payments.unifiedPayments';
		const result = await runWorkflow({
			nodes: [
				node('Start', 'test.pass'),
				node('Check', type, { ...PARAMETERS, operation: 'check' }),
				node('Split', 'test.split'),
				node('Create', type, {
					...PARAMETERS,
					operation: 'create',
					options: {
						approvedFingerprint: "={{ $('Check').first().json.fingerprint }}",
						...options,
					},
				} as INodeParameters),
			],
			connections: connect(['Start', 'Check'], ['Check', 'Split'], ['Split', 'Create']),
			items: items.map((json) => ({ json })),
			nodeTypes: { [type]: new UnifiedPayments(), 'test.split': split, 'test.pass': pass },
			credentials: { unifiedPaymentsApi: demoCredential(sandbox.url) },
			credentialTypes: [new UnifiedPaymentsApi()],
			workflowId,
		});
		return { check: result.json('Check')[0]!, create: result.json('Create') };
	};
	const pass: INodeType = {
		...split,
		async execute(this: IExecuteFunctions) {
			return [this.getInputData()];
		},
	};

	it('the check knows what the create sent, in earlier runs', async () => {
		const first = await both(ROWS.slice(0, 2));
		expect(first.check).toMatchObject({ valid: 2, duplicates: 0 });
		expect(first.create).toHaveLength(2);
		const second = await both(ROWS);
		expect(second.check).toMatchObject({
			valid: 1,
			duplicates: 2,
			totals: [{ currency: 'KES', rows: 1, amount: 10 }],
			skipped: [
				{ row: 2, message: expect.stringContaining('accepted') as string },
				{ row: 3, message: expect.stringContaining('accepted') as string },
			],
			items: [{ order: 'C', row_number: 4 }],
		});
		expect(second.create).toMatchObject([{ outcome: 'accepted', orderReference: 'C' }]);
		expect(taken()).toEqual(ALL);
	});

	it('a check forgets nothing and makes nothing up, however often it asks', async () => {
		await both(ROWS.slice(0, 1));
		for (let time = 0; time < 3; time++) {
			const { successJson } = await run('check', ROWS);
			expect(successJson).toMatchObject([{ valid: 2, duplicates: 1 }]);
		}
	});

	it('a row without an answer is told as such, and sent again only on purpose', async () => {
		sandbox.faults.add({ kind: 'reset-before', nth: 1 });
		const [first] = ROWS;
		const failed = await both([first!]);
		expect(failed.create).toEqual([]);
		const { successJson } = await run('check', ROWS);
		expect(successJson).toMatchObject([
			{
				valid: 2,
				duplicates: 1,
				skipped: [{ row: 2, message: expect.stringContaining('no answer is on record') as string }],
			},
		]);
		const again = await run('check', ROWS, { onDuplicate: 'sendUnanswered' });
		expect(again.successJson).toMatchObject([{ valid: 3 }]);
	});
});
