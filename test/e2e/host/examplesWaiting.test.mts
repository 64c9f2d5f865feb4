import { setTimeout as sleep } from 'node:timers/promises';

import { filledIn, readExample } from '../../../dev/host/demo/examples.mts';
import type { SavedCredential } from '../../../dev/host/n8n/index.mts';
import { call } from '../../../dev/host/shared/http.mts';
import { until } from '../../../dev/host/shared/until.mts';
import { startMessages } from '../../../dev/host/messages/index.mts';
import type { Messages } from '../../../dev/host/messages/index.mts';
import { withNode } from './standins/stage.mts';
import {
	asleep,
	calledBack,
	ended,
	newOrder,
	transactionOf,
	useWaitingDemo,
} from './waitingSupport.mts';

const EXAMPLE = 'link-email-paid-and-on.json';

const demo = useWaitingDemo();
let messages: Messages;
let smtp: SavedCredential;

beforeAll(async () => {
	messages = await startMessages();
	const { name, type, data } = messages.credentials.find((each) => each.type === 'smtp')!;
	smtp = await demo().host().client.createCredential(name, type, data);
}, 120_000);
afterAll(async () => await messages?.stop());

/** Its ends, of which one is taken. */
const ENDS = ['Ship the order', 'Tell the shop', 'Remind the customer'];

test.each([
	[
		'spec',
		{ outcome: 'success' },
		'Ship the order',
		{ paid: 1250.5, currency: 'KES', inFull: true },
	],
	['spec', { outcome: 'success', amount: 1 }, 'Tell the shop', {}],
] as const)(
	'a link goes out by mail, and the workflow goes on in the right way: mode %s, %j, "%s"',
	async (mode, payment, end, result) => {
		const { sandbox } = demo();
		const { client } = demo().host();
		sandbox.change({ mode });
		const before = messages.all.length;
		// As somebody sets it up, by its note.
		const example = await readExample(EXAMPLE, [demo().credential, smtp]);
		const ready = filledIn(example, { email: 'amina@example.com' });
		const id = await client.start(await client.createWorkflow(ready), 'Start');
		await asleep(demo(), id);
		const mail = await until('the mail', async () => messages.all[before]);
		expect(mail.to).toBe('amina@example.com');
		expect(mail.text).toContain('Hello Amina');
		const [, reference] = /https?:\/\/\S+\/pay\/(\S+)/.exec(mail.text)!;
		const url = `${sandbox.url}/sandbox/links/${reference}/pay`;
		expect((await call(url, { method: 'POST', body: payment })).status).toBe(200);

		const run = await ended(demo(), id);
		expect(run.status).toBe('success');
		expect(run.json(end)).toEqual([expect.objectContaining(result)]);
		for (const other of ENDS) if (other !== end) expect(run.json(other)).toEqual([]);
		if (end !== 'Tell the shop') return;
		const told = await until('the mail to the shop', async () => messages.all[before + 1]);
		expect(told).toMatchObject({
			to: 'shop@example.com',
			subject: expect.stringContaining('is not paid in full: do not ship it yet') as string,
		});
		expect(told.text).toMatch(/, 1 KES came in\.\s+Asked for: 1250\.5 KES/);
	},
);

describe('Asked again when it failed', () => {
	const AGAIN = 'asked-again-when-it-failed.json';

	/** As somebody sets it up for these orders, with seconds in place of hours. */
	async function importAgain(orders: string[], seconds = 1) {
		const example = await readExample(AGAIN, [demo().credential]);
		const soon = withNode(example, 'A while later', (node) => ({
			...node,
			parameters: { ...node.parameters, amount: seconds, unit: 'seconds' },
		}));
		const row = { country: 'Kenya', mobile: '0712 345678', amount: 250, try: 1 };
		return await demo()
			.host()
			.client.createWorkflow({
				...soon,
				pinData: { 'Demo orders': orders.map((order) => ({ json: { order, ...row } })) },
			});
	}

	async function settle(order: string, body: { status: string; failureCode?: string }) {
		const { ref } = transactionOf(demo(), order);
		const url = `${demo().sandbox.url}/sandbox/transactions/${ref}/settle`;
		expect((await call(url, { method: 'POST', body })).status).toBe(200);
		await calledBack(demo(), ref);
		return ref;
	}

	const asks = (order: string) =>
		Object.keys(demo().sandbox.state.ledger.countBy('third_party_reference_1'))
			.filter((each) => each.startsWith(order))
			.sort();
	const asked = async (order: string) =>
		await until(`the ask ${order}`, async () => (asks(order).length > 0 ? true : undefined));

	test('twice at most, each try under a name of its own, and never while one is open', async () => {
		const [late, unwilling, good] = [newOrder(), newOrder(), newOrder()] as const;
		const workflow = await importAgain([late, unwilling, good]);
		const id = await demo().host().client.start(workflow, 'Start');
		await asleep(demo(), id);
		await settle(late, { status: 'failed', failureCode: 'TIMEOUT' });
		await settle(unwilling, { status: 'failed', failureCode: 'USER_CANCELLED' });
		await sleep(2500);
		expect(asks(late)).toEqual([late]);
		await settle(good, { status: 'success' });
		for (const name of [`${late}-try-2`, `${late}-try-3`]) {
			await asked(name);
			await asleep(demo(), id);
			await settle(name, { status: 'failed', failureCode: 'TIMEOUT' });
		}

		const run = await ended(demo(), id);
		expect(run.status).toBe('success');
		expect(run.json('Paid')).toMatchObject([{ order: good, tries: 1, paid: 250 }]);
		expect(run.json('For a person')).toMatchObject([
			{ order: late, tries: 3, why: 'The customer did not answer in time' },
			{ order: unwilling, tries: 1, why: 'The customer cancelled the payment' },
		]);
		const again = await ended(demo(), await demo().host().client.start(workflow, 'Start'));
		expect(again.json('For a person')).toMatchObject(
			[late, unwilling, good].map((order) => ({
				order,
				why: expect.stringContaining('an earlier run') as string,
			})),
		);
		const tries = [late, `${late}-try-2`, `${late}-try-3`];
		expect(asks(late)).toEqual(tries);
		expect(demo().sandbox.state.ledger.countBy('third_party_reference_1')).toMatchObject(
			Object.fromEntries([...tries, unwilling, good].map((name) => [name, 1])),
		);
	});

	test('not when the payment went through meanwhile', async () => {
		const [meanwhile, late] = [newOrder(), newOrder()] as const;
		const id = await demo()
			.host()
			.client.start(await importAgain([meanwhile, late], 5), 'Start');
		await asleep(demo(), id);
		await settle(meanwhile, { status: 'failed', failureCode: 'TIMEOUT' });
		await settle(late, { status: 'failed', failureCode: 'OPERATOR_UNAVAILABLE' });
		Object.assign(transactionOf(demo(), meanwhile), {
			...{ status: 'success', state: 'success', status_code: '200' },
			failureReason: { failureCode: null, failureMessage: null },
		});
		await asked(`${late}-try-2`);
		await asleep(demo(), id);
		await settle(`${late}-try-2`, { status: 'success' });

		const run = await ended(demo(), id);
		expect(run.json('Paid')).toMatchObject([{ order: late, tries: 2 }]);
		expect(run.json('For a person')).toMatchObject([{ order: meanwhile, why: 'State: success' }]);
		expect(asks(meanwhile)).toEqual([meanwhile]);
	});
});
