import type { IDataObject } from 'n8n-workflow';

import { UnifiedPaymentsApi } from '../../../credentials/UnifiedPaymentsApi.credentials.ts';
import { connect, node, pass, runWorkflow } from '../../../dev/host/engine/index.mts';
import { UnifiedPayments } from '../../../nodes/UnifiedPayments/UnifiedPayments.node.ts';
import { COLLECT, outcomes, SHEET, usePayments, type More } from '../../helpers/payments.mts';
import { loop, sender } from '../../helpers/waiting.mts';

const { accepted, credential, run: runNode, sandbox, taken, workflowId } = usePayments();

const row = (order: string, changes: IDataObject = {}): IDataObject => ({
	country: 'KE',
	amount: 10,
	phone: '0712345678',
	order,
	...changes,
});
const ROWS = ['A', 'B', 'C'].map((order) => row(order));
const ALL = { A: 1, B: 1, C: 1 };
const REFUSED = 'not the rows that were approved';

const create = async (items: IDataObject[], options: IDataObject = {}, more: More = {}) =>
	await runNode(SHEET, items, { options, ...more });
const check = async (items: IDataObject[], options: IDataObject = {}) =>
	(await runNode({ ...SHEET, operation: 'check' }, items, { options })).successJson[0]!;
const approve = async (items: IDataObject[]) => String((await check(items)).fingerprint);

describe('an approval', () => {
	it('sends what was approved, in any order and notation, from the rows that the check gave', async () => {
		const { items, fingerprint } = await check(ROWS);
		const [first, ...others] = items as IDataObject[];
		const same = [...others, { ...first, phone: '+254712345678' }];
		const result = await create(same, { approvedFingerprint: fingerprint });
		expect(outcomes(result)).toEqual(Array(3).fill('accepted'));
		expect(taken()).toEqual(ALL);
	});

	it.each<[string, IDataObject[], string]>([
		[
			'one amount',
			[...ROWS.slice(0, 2), row('C', { amount: 11 })],
			'approved was 3 rows with 30 KES, and now it is 3 rows with 31 KES',
		],
		['a row more', [...ROWS, row('D', { amount: 2.5 })], 'now it is 4 rows with 32.50 KES'],
		['a row less', ROWS.slice(1), 'and now it is 2 rows with 20 KES'],
		[
			'another payer',
			[...ROWS.slice(0, 2), row('C', { phone: '0712345670' })],
			'it is 3 rows with 30 KES now as then, but something else in them was changed',
		],
	])('with %s, nothing is sent, and it says what differs', async (_, changed, message) => {
		const approvedFingerprint = await approve(ROWS);
		const stopped = await create(changed, { approvedFingerprint });
		expect(stopped.nodeError?.message).toContain(message);
		const onError = 'continueErrorOutput';
		const went = await create(changed, { approvedFingerprint }, { onError });
		expect(outcomes(went)).toEqual(changed.map(() => 'not_sent'));
		expect(accepted()).toBe(0);
	});

	it.each([
		['empty', ''],
		['null', null],
		['an expression that finds nothing', '={{ $json.nothing }}'],
		['an expression that goes wrong', '={{ $("Nowhere").first().json.fingerprint }}'],
		['something else', 'approved'],
		['yes', true],
	])('%s is none: nothing is sent', async (_, approvedFingerprint) => {
		const result = await create(ROWS, { approvedFingerprint }, { onError: 'continueErrorOutput' });
		expect(result.failedJson).toHaveLength(3);
		expect(accepted()).toBe(0);
	});

	it('is that of the first row, and must be about all of them', async () => {
		const options = { approvedFingerprint: '={{ $json.print }}' };
		const print = await approve(ROWS);
		const rows = ROWS.map((each) => ({ ...each, print }));
		const first = { ...rows[0]!, print: await approve(ROWS.slice(0, 1)) };
		const refused = await create([first, ...rows.slice(1)], options);
		expect(refused.nodeError?.message).toContain('approved was 1 row with 10 KES');
		const none = await create([ROWS[0]!, ...rows.slice(1)], options);
		expect(none.nodeError?.message).toContain("'Approved Fingerprint'");
		expect(accepted()).toBe(0);
		await create(rows, options);
		expect(taken()).toEqual(ALL);
	});

	it('holds after a crash: of the rows that were approved, what was sent is a duplicate', async () => {
		await create(ROWS.slice(0, 1));
		const approvedFingerprint = await approve(ROWS);
		// The second is sent, and then n8n is killed.
		sandbox.faults.add({ kind: 'reset-after', nth: 1 });
		const options = { approvedFingerprint, concurrency: 1 };
		await create(ROWS, options);
		const again = await create(ROWS, { approvedFingerprint: await approve(ROWS) });
		expect(outcomes(again)).toEqual(['duplicate', expect.anything(), 'accepted']);
		expect(taken()).toEqual(ALL);
	});

	it('is one of these payments, by their Duplicate Key, and holds for them once more', async () => {
		const duplicateKey = '={{ $json.tenant }}-{{ $json.month }}';
		const month = (name: string) =>
			['T1', 'T2'].map((tenant) => row('', { order: undefined, tenant, month: name }));
		const { fingerprint } = await check(month('2026-11'), { duplicateKey });
		const options = { duplicateKey, approvedFingerprint: String(fingerprint) };
		const send = async (name: string, workflowId: string) =>
			outcomes(await create(month(name), options, { onError: 'continueErrorOutput', workflowId }));
		expect(await send('2026-12', 'one')).toEqual(['not_sent', 'not_sent']);
		expect(await send('2026-11', 'one')).toEqual(['accepted', 'accepted']);
		expect(await send('2026-11', 'one')).toEqual(['duplicate', 'duplicate']);
		expect(await send('2026-11', 'another')).toEqual(['accepted', 'accepted']);
	});

	it('is about all valid rows of the input, also those that were sent before', async () => {
		const approvedFingerprint = await approve(ROWS.slice(1));
		await create(ROWS.slice(0, 1));
		const { nodeError } = await create(ROWS, { approvedFingerprint });
		expect(nodeError?.message).toContain(REFUSED);
		expect(taken()).toEqual({ A: 1 });
	});

	it('counts for a dry run as well', async () => {
		const approvedFingerprint = await approve(ROWS.slice(1));
		const { successJson } = await create(ROWS, { approvedFingerprint, dryRun: true });
		const message = expect.stringContaining(REFUSED) as string;
		expect(successJson).toMatchObject(ROWS.map(() => ({ outcome: 'not_sent', message })));
	});

	it('holds with Retry On Fail, for values that change between two readings as well', async () => {
		const options = { approvedFingerprint: await approve(ROWS) };
		const additionalFields = { thirdPartyReference2: '={{ Math.random() }}' };
		const retries = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };
		const result = await runNode({ ...COLLECT, additionalFields }, ROWS, { options, ...retries });
		expect(result.nodeError?.message).toContain(REFUSED);
		expect(accepted()).toBe(0);
	});
});

describe('limits', () => {
	it('with a sum above the limit nothing is sent; the message has limit, sum and row', async () => {
		const { nodeError } = await create(ROWS, { maxTotal: 25 });
		expect(nodeError?.message).toContain(
			"The rows ask for 30 KES together, which is more than the 25 KES of 'Max Total'. With order C, 0712345678, item 3 of the input it is more",
		);
		expect(nodeError).toMatchObject({ context: { itemIndex: 2 } });
		const onError = 'continueErrorOutput';
		expect((await create(ROWS, { maxTotal: 25 }, { onError })).failedJson).toHaveLength(3);
		expect(accepted()).toBe(0);
		// A bad row and a repeat ask for nothing.
		const rows = [row('A'), row('A'), row('B', { amount: 'ten' }), row('C')];
		await create(rows, { maxTotal: 20 }, { onError });
		expect(taken()).toEqual({ A: 1, C: 1 });
	});

	it('what was sent before does not count, unless it is sent again on purpose', async () => {
		await create(ROWS.slice(0, 2));
		const result = await create(ROWS, { maxTotal: 10 });
		expect(outcomes(result)).toEqual(['duplicate', 'duplicate', 'accepted']);
		const again = await create(ROWS, { maxTotal: 10, onDuplicate: 'sendAnyway' });
		expect(again.nodeError?.message).toContain('30 KES');
		expect(taken()).toEqual(ALL);
	});

	it('a row above the limit is not sent; the others only if failed rows go elsewhere', async () => {
		const rows = [row('A', { amount: '1,000.50' }), row('B')];
		const { nodeError } = await create(rows, { maxAmount: 500 });
		expect(nodeError?.message).toContain(
			`'Amount' in order A, 0712345678 is "1,000.50", which is more than the 500 KES of 'Max Amount'`,
		);
		expect(accepted()).toBe(0);
		await create(rows, { maxAmount: 500 }, { onError: 'continueErrorOutput' });
		expect(taken()).toEqual({ B: 1 });
	});
});

describe('a limit of the total, in a loop', () => {
	it('counts what the same execution has sent already, in each currency, and no other execution', async () => {
		const type = 'n8n-nodes-unified-payments.unifiedPayments';
		const uganda = { country: 'UG', phone: '0772345678', amount: 20 };
		const rows = [...ROWS, row('D'), row('E', uganda), row('F')];
		const runLoop = async (items: IDataObject[]) =>
			await runWorkflow({
				nodes: [
					pass('Start'),
					node('Loop', 'test.loop'),
					{
						...node('Create', type, { ...SHEET, options: { maxTotal: 30 } }),
						onError: 'continueRegularOutput',
					},
				],
				connections: {
					...connect(['Start', 'Loop'], ['Create', 'Loop']),
					Loop: { main: [[], [{ node: 'Create', type: 'main', index: 0 }]] },
				},
				items: items.map((json) => ({ json })),
				nodeTypes: { [type]: new UnifiedPayments(), 'test.loop': loop },
				credentials: { unifiedPaymentsApi: credential() },
				credentialTypes: [new UnifiedPaymentsApi()],
				workflowId: workflowId(),
			});
		await runLoop(rows);
		expect(taken()).toEqual({ A: 1, B: 1, C: 1, E: 1 });
		await runLoop([row('D')]);
		expect(taken()).toEqual({ A: 1, B: 1, C: 1, D: 1, E: 1 });
	});
});

describe('a check and a create of the same workflow', () => {
	/** Check → Split → Create, as people build it. */
	const both = async (items: IDataObject[]) => {
		const type = 'n8n-nodes-unified-payments.unifiedPayments';
		const options = { approvedFingerprint: "={{ $('Check').first().json.fingerprint }}" };
		const result = await runWorkflow({
			nodes: [
				pass('Start'),
				node('Check', type, { ...SHEET, operation: 'check' }),
				node('Split', 'test.split'),
				node('Create', type, { ...SHEET, options }),
			],
			connections: connect(['Start', 'Check'], ['Check', 'Split'], ['Split', 'Create']),
			items: items.map((json) => ({ json })),
			nodeTypes: {
				[type]: new UnifiedPayments(),
				'test.split': sender('split', ([found]) => found!.items as IDataObject[]),
			},
			credentials: { unifiedPaymentsApi: credential() },
			credentialTypes: [new UnifiedPaymentsApi()],
			workflowId: workflowId(),
		});
		return { check: result.json('Check')[0]!, create: result.json('Create') };
	};

	it('the check knows nothing of earlier runs, and its approval holds nevertheless', async () => {
		const first = await both(ROWS.slice(0, 2));
		expect(first.check).toMatchObject({ valid: 2, repeats: 0 });
		expect(first.create).toHaveLength(2);
		const second = await both([...ROWS, ROWS[2]!]);
		expect(second.check).toMatchObject({
			valid: 3,
			repeats: 1,
			totals: [{ currency: 'KES', rows: 3, amount: 30 }],
			items: [{ order: 'A' }, { order: 'B' }, { order: 'C' }],
		});
		expect(second.create.map(({ outcome }) => outcome)).toEqual([
			...['duplicate', 'duplicate', 'accepted'],
		]);
		expect(taken()).toEqual(ALL);
	});
});
