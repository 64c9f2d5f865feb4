import { sandboxCredential } from '../../../dev/host/demo/sandboxCredential.mts';
import { call } from '../../../dev/host/shared/http.mts';
import { readCredential } from '../../../nodes/UnifiedPayments/protocol/credential.ts';
import { withMark, writeMark } from '../../../nodes/UnifiedPayments/payment/mark.ts';
import { json, startWire, type Wire } from '../../helpers/wire.mts';
import {
	callbacksOf,
	collect,
	create,
	delivered,
	leaksIn,
	LiveTrigger,
	rejectedOf,
	saveCredential,
	TRIGGER,
	useTriggerDemo,
} from './triggerSupport.mts';

const demo = useTriggerDemo();

afterEach(() => demo().sandbox.faults.clear());

/** The address for callbacks about an order, as the action node makes it. */
const addressFor = (url: string, orderReference: string, amount: string, baseUrl?: string) =>
	withMark(
		url,
		writeMark(
			readCredential({ ...sandboxCredential(demo().sandbox), ...(baseUrl && { baseUrl }) }),
			{
				...{ kind: 'link' as const, orderReference, amount, currency: 'KES' },
				...{
					isOneOfSeveral: false,
					key: { key: 'key', by: 'orderReference' as const, values: null },
				},
			},
			{ workflowId: 'w', nodeId: 'n' },
		),
	);

it('a link that is paid leads to one confirmed item', async () => {
	const live = await LiveTrigger.start(demo());
	const fields = { amount: '150.5', businessName: 'Demo Shop', itemName: 'Tea' };
	const { reference, link } = await create(
		demo(),
		{ resource: 'paymentLink', ...fields, orderReference: 'A-1' },
		addressFor(live.url, 'A-1', '150.5'),
	);
	await call(`${demo().sandbox.url}/sandbox/links/${link.split('/').at(-1)}/pay`, {
		method: 'POST',
		body: { outcome: 'success' },
	});
	await delivered(demo(), reference, 1);
	const runs = await live.runs(1);

	expect(rejectedOf(runs)).toEqual([]);
	expect(callbacksOf(runs)).toMatchObject([
		{
			verified: 'confirmed',
			state: 'success',
			orderReference: 'A-1',
			asked: { amount: 150.5, currency: 'KES' },
			paidInFull: true,
			transaction: { ref: reference, amount: 150.5, currency: 'KES' },
			callback: { body: { ref: reference }, headers: { 'content-type': 'application/json' } },
			eventKey: `${reference}:success`,
		},
	]);
});

it('a collection that calls back out of order gives one item, and never goes back to pending', async () => {
	const live = await LiveTrigger.start(demo());
	const { reference } = await collect(demo(), '990302', live.url);
	const told = await delivered(demo(), reference, 2);
	const runs = await live.runs(2);

	expect(told.map(({ body }) => body.status).sort()).toEqual(['pending', 'success']);
	expect(runs.map(({ status }) => status)).toEqual(['success', 'success']);
	expect(callbacksOf(runs)).toMatchObject([{ state: 'success', verified: 'confirmed' }]);
	expect(rejectedOf(runs)).toEqual([]);
});

describe('a record without a callback URL', () => {
	const record = { ref: 'TX-1', amount: '1500.00', currency: 'KES', status: 'success' };
	let wire: Wire | undefined;
	afterEach(async () => await wire?.close());

	/** A trigger, and a service that states this; gives what a callback leads to. */
	const open = async (stated: object = {}) => {
		const data = { ...record, ...stated };
		wire = await startWire((_, response) =>
			json(response, 200, { success: true, message: 'Transaction found.', data }),
		);
		const baseUrl = wire.url;
		const live = await LiveTrigger.start(demo(), {}, await saveCredential(demo(), { baseUrl }));
		/** To the address of an order, or of a stranger to the bare one. */
		return async (order: string | null) => {
			const before = await live.count();
			const url = order === null ? live.url : addressFor(live.url, order, '1500', baseUrl);
			const { status } = await call(url, { method: 'POST', body: { ref: 'TX-1' } });
			expect(status).toBe(200);
			const runs = (await live.runs(before + 1)).slice(before);
			return [...callbacksOf(runs), ...rejectedOf(runs)];
		};
	};

	it('comes out with its order, although a stranger called first', async () => {
		const told = await open();
		expect(await told(null)).toMatchObject([{ state: 'success', orderReference: null }]);
		expect(await told('A-1')).toMatchObject([{ orderReference: 'A-1', paidInFull: true }]);
		expect(await told('A-1')).toEqual([]);
		expect(await told(null)).toEqual([]);
		expect(await told('B-2')).toMatchObject([{ reason: 'order_mismatch' }]);
	});

	it('that names another order than the URL is rejected', async () => {
		const told = await open({ third_party_reference_1: 'A-1' });
		expect(await told('B-2')).toMatchObject([{ reason: 'order_mismatch' }]);
		expect(await told('A-1')).toMatchObject([{ paidInFull: true }]);
	});
});

it('a service that cannot be reached fails the execution, and a retry emits the item', async () => {
	const { sandbox, host } = demo();
	const live = await LiveTrigger.start(demo());
	sandbox.faults.add({ route: 'status.v3', kind: 'server-error' });
	const { reference } = await collect(demo(), '990200', live.url);
	await delivered(demo(), reference, 1);
	const [failed] = await live.runs(1);

	expect([failed!.status, callbacksOf([failed!])]).toEqual(['error', []]);
	expect(failed!.error(TRIGGER)?.message).toContain('The callback could not be confirmed');

	sandbox.faults.clear();
	const again = await host.client.retry(failed!.id);
	expect(callbacksOf([again])).toMatchObject([
		{ verified: 'confirmed', state: 'success', transaction: { ref: reference } },
	]);

	// The same callback sent once more is a repeat by now.
	await live.post({ ref: reference });
	const repeat = (await live.runs(3)).at(-1)!;
	expect([repeat.status, callbacksOf([repeat])]).toEqual(['success', []]);
});

it('the second address answers when the run has ended, with an error when it failed', async () => {
	const { sandbox, host } = demo();
	const live = await LiveTrigger.start(demo(), { options: { transactionType: 'payout' } });
	const { ref: reference } = sandbox.addPayout({ status: 'success' });
	const address = live.address.replace('/webhook?', '/finished?');
	const answers: Array<[number, string]> = [];
	sandbox.faults.add({ route: 'status.v3', kind: 'server-error' });
	for (let sent = 1; sent <= 3; sent++) {
		const { status, text } = await call(address, { method: 'POST', body: { ref: reference } });
		answers.push([status, status === 200 ? text : '']);
		sandbox.faults.clear();
		// It has ended by now: nothing to wait for.
		const all = await host.client.executions(live.workflow);
		expect(all.map((each) => each.status)).not.toContain('running');
		expect(all).toHaveLength(sent);
	}
	expect(answers).toEqual([
		[500, ''],
		[200, ''],
		[200, ''],
	]);
	// What is sent again in the same words is taken for the same.
	expect(callbacksOf(await live.runs(3))).toMatchObject([
		{ state: 'success', transaction: { ref: reference } },
		{ state: 'success', transaction: { ref: reference } },
	]);
});

it('no secret is in the log, at debug level, nor in any file of n8n', async () => {
	expect(demo().host.log()).toContain('debug');
	expect(await leaksIn(demo())).toEqual([]);
});
