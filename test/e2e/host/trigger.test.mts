import { createHmac } from 'node:crypto';

import type { Browser } from 'playwright-core';

import { sandboxCredential } from '../../../host/demo/sandboxCredential.mts';
import { call } from '../../../host/shared/http.mts';
import { until } from '../../../host/shared/until.mts';
import { readCredential } from '../../../nodes/UnifiedPayments/protocol/credential.ts';
import { withMark, writeMark } from '../../../nodes/UnifiedPayments/payment/mark.ts';
import { launchBrowser, openPage } from '../../helpers/browser.mts';
import { CANARIES } from '../../helpers/soak/canary.mts';
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
	saveTrigger,
	TOKEN,
	TRIGGER,
	TRIGGER_TYPE,
	useTriggerDemo,
} from './triggerSupport.mts';
import { NODE_TYPE, place, to } from './support.mts';

const demo = useTriggerDemo();

afterEach(() => demo().sandbox.faults.clear());

/** The address for callbacks about an order, as the action node makes it. */
const addressFor = (url: string, orderReference: string, amount: string) =>
	withMark(
		url,
		writeMark(
			readCredential(sandboxCredential(demo().sandbox)),
			{ orderReference, amount, currency: 'KES' },
			{ key: orderReference, by: 'orderReference' },
			{ workflowId: 'w', nodeId: 'n' },
		),
	);

describe('a link that is paid in the browser', () => {
	let browser: Browser;
	beforeAll(async () => {
		browser = await launchBrowser();
	}, 120_000);
	afterAll(async () => await browser?.close());

	it.each([
		['Pay', 'Payment received', { state: 'success' }],
		['Let it fail', 'Payment failed', { state: 'failed' }],
	])('"%s" leads to one confirmed item', async (button, heading, { state }) => {
		const live = await LiveTrigger.start(demo());
		const { reference, link, run } = await create(
			demo(),
			{
				resource: 'paymentLink',
				amount: '150.5',
				businessName: 'Demo Shop',
				itemName: 'Tea',
				// What the page would ask the customer for.
				orderReference: `A-${state}`,
				additionalFields: { firstName: 'Amina', lastName: 'Otieno', phone: '0712 345678' },
			},
			addressFor(live.url, `A-${state}`, '150.5'),
		);
		const { page, context } = await openPage(browser, link);
		await page.getByRole('button', { name: new RegExp(`^${button}`) }).click();
		await page.getByRole('heading', { name: heading }).waitFor();
		await context.close();
		await delivered(demo(), reference, 1);
		const runs = await live.runs(1);

		expect(rejectedOf(runs)).toEqual([]);
		expect(callbacksOf(runs)).toEqual([
			{
				event: 'transaction.updated',
				verified: 'confirmed',
				type: 'payin',
				state,
				orderReference: `A-${state}`,
				asked: { amount: 150.5, currency: 'KES' },
				paidInFull: state === 'success' ? true : null,
				transaction: expect.objectContaining({
					ref: reference,
					amount: 150.5,
					currency: 'KES',
					status: state,
					state,
				}) as object,
				callback: {
					body: expect.objectContaining({ ref: reference, amount: '150.50' }) as object,
					headers: expect.objectContaining({ 'content-type': 'application/json' }) as object,
					receivedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string,
				},
				eventKey: `${reference}:${state}`,
			},
		]);
		// The service was told the token, and nothing that n8n keeps about it shows it.
		const sent = new URL(demo().sandbox.state.links[0]!.callback_url!);
		expect(sent.searchParams.get('token')).toBe(TOKEN);
		for (const each of [run, ...runs]) {
			const stored = JSON.stringify(each.data);
			expect(stored).not.toContain(TOKEN);
			expect(stored).not.toContain(encodeURIComponent(TOKEN));
		}
	});
});

describe('a collection', () => {
	/** Everything it calls back about, through a trigger of its own. */
	const outcomeOf = async (amount: string, callbacks: number, parameters = {}) => {
		const live = await LiveTrigger.start(demo(), parameters);
		const { reference } = await collect(demo(), amount, live.url);
		const told = await delivered(demo(), reference, callbacks);
		const runs = await live.runs(callbacks);
		return { live, reference, told, runs, items: callbacksOf(runs) };
	};

	it('that succeeds at once gives one item', async () => {
		const { items, runs, reference } = await outcomeOf('990200', 1);

		expect(items).toMatchObject([
			{ verified: 'confirmed', state: 'success', transaction: { ref: reference, amount: 990200 } },
		]);
		expect(rejectedOf(runs)).toEqual([]);
	});

	it('that calls back twice gives one item', async () => {
		const { items, runs } = await outcomeOf('990301', 2);

		expect(runs.map(({ status }) => status)).toEqual(['success', 'success']);
		expect(items).toMatchObject([{ state: 'success' }]);
		expect(rejectedOf(runs)).toEqual([]);
	});

	it.each(['confirm', 'token', 'hmac'])(
		'that calls back out of order never goes back to pending (%s)',
		async (verification) => {
			const { items, told, runs } = await outcomeOf('990302', 2, { verification });

			expect(told.map(({ body }) => body.status).sort()).toEqual(['pending', 'success']);
			expect(runs.map(({ status }) => status)).toEqual(['success', 'success']);
			expect(items).toMatchObject([
				{ state: 'success', verified: verification === 'confirm' ? 'confirmed' : verification },
			]);
			expect(rejectedOf(runs)).toEqual([]);
		},
	);
});

describe('a service with a mind of its own', () => {
	const record = { ref: 'TX-1', amount: '-10.00', currency: 'KES', status: 'success' };
	const found = { success: true, message: 'Transaction found.', data: record };
	let wire: Wire | undefined;
	afterEach(async () => await wire?.close());

	/** A trigger that asks a service which answers like that. */
	const against = async (answer: (id: string) => object) => {
		wire = await startWire(({ json: sent }, response) => {
			const { id } = (sent as { params: { id: string } }).params;
			json(response, 200, answer(id));
		});
		const changes = { baseUrl: wire.url, callbackToken: TOKEN };
		return await LiveTrigger.start(demo(), {}, await saveCredential(demo(), changes));
	};

	it('that does not know at the moment fails the execution, and a retry emits the item', async () => {
		let answer: object = { success: false, message: 'Transaction status is unknown at the moment' };
		const live = await against(() => answer);
		await live.post(record);
		const [failed] = await live.runs(1);
		expect([failed!.status, rejectedOf([failed!])]).toEqual(['error', []]);

		answer = found;
		const again = await demo().host.client.retry(failed!.id);
		expect(callbacksOf([again])).toMatchObject([
			{ state: 'success', transaction: { amount: -10 } },
		]);
	});
});

describe('a record without a callback URL', () => {
	const record = { ref: 'TX-1', amount: '1500.00', currency: 'KES', status: 'success' };
	let wire: Wire | undefined;
	afterEach(async () => await wire?.close());

	/** A trigger that asks for no token, and a service that states this. */
	const open = async (stated: object = {}, parameters = {}) => {
		const data = { ...record, ...stated };
		wire = await startWire((_, response) =>
			json(response, 200, { success: true, message: 'Transaction found.', data }),
		);
		const changes = { baseUrl: wire.url };
		const credential = await saveCredential(demo(), changes);
		const live = await LiveTrigger.start(demo(), parameters, credential);
		const account = readCredential({ ...sandboxCredential(demo().sandbox), ...changes });
		/** A callback to the address of an order, or of a stranger to the bare one. */
		const told = async (orderReference: string | null, body: object) => {
			const before = await live.count();
			const payment = { orderReference, amount: '1500', currency: 'KES' };
			const url =
				orderReference === null
					? live.url
					: withMark(
							live.url,
							writeMark(
								account,
								payment,
								{ key: orderReference, by: 'orderReference' },
								{ workflowId: 'w', nodeId: 'n' },
							),
						);
			expect((await call(url, { method: 'POST', body })).status).toBe(200);
			const runs = (await live.runs(before + 1)).slice(before);
			return [...callbacksOf(runs), ...rejectedOf(runs)];
		};
		return told;
	};

	it('comes out with its order, although a stranger called first', async () => {
		const told = await open();
		const body = { ref: 'TX-1' };
		expect(await told(null, body)).toMatchObject([{ state: 'success', orderReference: null }]);
		expect(await told('A-1', body)).toMatchObject([{ orderReference: 'A-1', paidInFull: true }]);
		expect(await told('A-1', body)).toEqual([]);
		expect(await told(null, body)).toEqual([]);
		expect(await told('B-2', body)).toMatchObject([{ reason: 'order_mismatch' }]);
	});

	it.each(['confirm', 'token', 'hmac', 'none'])(
		'that names another order than the URL is rejected (%s)',
		async (verification) => {
			const named = { third_party_reference_1: 'A-1' };
			if (verification === 'confirm') {
				const told = await open(named);
				expect(await told('B-2', { ref: 'TX-1' })).toMatchObject([{ reason: 'order_mismatch' }]);
				expect(await told('A-1', { ref: 'TX-1' })).toMatchObject([{ paidInFull: true }]);
				return;
			}
			const live = await LiveTrigger.start(demo(), { verification });
			const body = JSON.stringify({ ...record, ...named });
			const signature = createHmac('sha256', CANARIES.secretKey).update(body).digest('hex');
			const headers = { 'content-type': 'application/json', 'x-signature': signature };
			for (const order of ['B-2', 'A-1']) {
				const url = addressFor(live.address, order, '1500');
				expect((await fetch(url, { method: 'POST', body, headers })).status).toBe(200);
				await live.runs(order === 'B-2' ? 1 : 2);
			}
			const runs = await live.runs(2);
			expect(rejectedOf(runs)).toMatchObject([{ reason: 'order_mismatch', reference: 'TX-1' }]);
			expect(callbacksOf(runs)).toMatchObject([{ orderReference: 'A-1', paidInFull: true }]);
		},
	);
});

describe('wrong tokens', () => {
	it('fifty at once wait for one another, and the right one is let in', async () => {
		const live = await LiveTrigger.start(demo(), { verification: 'token' });
		const body = { ref: 'TX-1', status: 'success' };
		const guess = async () =>
			(await call(`${live.url}?token=wrong`, { method: 'POST', body })).status;
		const guesses = await Promise.all(Array.from({ length: 50 }, guess));

		expect(new Set(guesses)).toEqual(new Set([401]));
		expect((await live.post(body)).status).toBe(200);
		expect(await live.runs(1)).toHaveLength(1);
	});
});

describe('"Listen for test event"', () => {
	it('shows the next callback in the editor, also one that was seen before', async () => {
		const { client } = demo().host;
		const { workflow, testUrl } = await saveTrigger(demo());
		const { reference } = await collect(demo(), '990200', 'http://127.0.0.1:9/');
		const body = { ref: reference };
		const address = `${testUrl}?token=${encodeURIComponent(TOKEN)}`;
		for (const attempt of [1, 2]) {
			expect(await client.listen(workflow, TRIGGER)).toBe(true);
			const refused = await call(testUrl, { method: 'POST', body });
			const reply = await call(address, { method: 'POST', body });
			const listed = await until('the test run', async () => {
				const all = await client.executions(workflow);
				return all.length === attempt ? all : undefined;
			});
			const run = await client.finished(listed.at(-1)!.id);

			expect([refused.status, reply.status]).toEqual([401, 200]);
			expect(listed.at(-1)?.mode).toBe('manual');
			expect(run.json('Callback')).toMatchObject([
				{ verified: 'confirmed', state: 'success', transaction: { ref: reference } },
			]);
		}
	});
});

describe('activation', () => {
	it('by callback token without one in the credential fails, and says what is missing', async () => {
		const verification = { verification: 'token' };
		const { workflow, url } = await saveTrigger(demo(), verification, demo().credential);

		await expect(demo().host.client.publish(workflow)).rejects.toThrow(
			"the credential has no 'Callback Token'",
		);
		expect((await call(url, { method: 'POST', body: { ref: 'x' } })).status).toBe(404);
	});

	it('with an allow list that cannot be read fails, and says which entry', async () => {
		const options = { ipAllowList: '127.0.0.1, localhost' };
		const { workflow } = await saveTrigger(demo(), { options });

		await expect(demo().host.client.publish(workflow)).rejects.toThrow('localhost');
	});

	it('can be taken back: afterwards nothing is received', async () => {
		const live = await LiveTrigger.start(demo());
		await demo().host.client.deactivate(live.workflow);

		expect((await live.post({ ref: 'x' })).status).toBe(404);
	});

	it('without a token is possible where the service is asked', async () => {
		const bare = await saveCredential(demo(), {});
		const live = await LiveTrigger.start(demo(), {}, bare);
		const { reference } = await collect(demo(), '990200', 'http://127.0.0.1:9/');
		const reply = await call(live.url, { method: 'POST', body: { ref: reference } });

		expect(reply.status).toBe(200);
		expect(callbacksOf(await live.runs(1))).toMatchObject([{ verified: 'confirmed' }]);
	});
});

describe('a service that cannot be reached', () => {
	it('fails the execution, and a retry emits the item', async () => {
		const { sandbox, host } = demo();
		const live = await LiveTrigger.start(demo());
		sandbox.faults.add({ route: 'status.v3', kind: 'server-error' });
		const { reference } = await collect(demo(), '990200', live.url);
		await delivered(demo(), reference, 1);
		const [failed] = await live.runs(1);

		expect(failed?.status).toBe('error');
		expect(callbacksOf([failed!])).toEqual([]);
		expect(failed?.error(TRIGGER)?.message).toContain('The callback could not be confirmed');

		sandbox.faults.clear();
		const again = await host.client.retry(failed!.id);

		expect(again.status).toBe('success');
		expect(callbacksOf([again])).toMatchObject([
			{ verified: 'confirmed', state: 'success', transaction: { ref: reference } },
		]);

		// The same callback sent once more is a repeat by now.
		await live.post({ ref: reference });
		const repeat = (await live.runs(3)).at(-1)!;
		expect([repeat.status, callbacksOf([repeat])]).toEqual(['success', []]);
	});
});

describe('the address that is answered when the workflow has ended', () => {
	const PAYOUT = { options: { transactionType: 'payout' } };
	const post = async (live: LiveTrigger, body: object) =>
		await call(live.address.replace('/webhook?', '/finished?'), { method: 'POST', body });

	it('answers after the run, says nothing about it, and takes what is sent again for the same', async () => {
		const { sandbox, host } = demo();
		const live = await LiveTrigger.start(demo(), PAYOUT);
		const { ref: reference } = sandbox.addPayout({ status: 'success' });
		const body = { ref: reference };
		for (let sent = 1; sent <= 2; sent++) {
			const { status, text } = await post(live, body);
			expect([status, text]).toEqual([200, '']);
			// It has ended by now: nothing to wait for.
			const all = await host.client.executions(live.workflow);
			expect(all.map((each) => each.status)).toEqual(Array(sent).fill('success'));
		}
		expect(callbacksOf(await live.runs(2))).toMatchObject([
			{ state: 'success', transaction: { ref: reference } },
			{ state: 'success', transaction: { ref: reference } },
		]);
	});

	it('answers with an error when the run fails, so that the sender tries again', async () => {
		const { sandbox } = demo();
		const live = await LiveTrigger.start(demo(), PAYOUT);
		const { ref: reference } = sandbox.addPayout({ status: 'success' });
		sandbox.faults.add({ route: 'status.v3', kind: 'server-error' });
		expect((await post(live, { ref: reference })).status).toBe(500);
		sandbox.faults.clear();
		expect((await post(live, { ref: reference })).status).toBe(200);
		expect(callbacksOf(await live.runs(2))).toMatchObject([{ transaction: { ref: reference } }]);
	});
});

it('no secret is in the log, at debug level, nor in any file of n8n', async () => {
	expect(demo().host.log()).toContain('debug');
	expect(await leaksIn(demo())).toEqual([]);
});

it('Diagnose behind the trigger says what the service calls back', async () => {
	const { host, guarded } = demo();
	const { id, name, type } = guarded;
	const own = { credentials: { [type]: { id, name } } };
	const webhookId = 'callbacks-to-diagnose';
	const parameters = {
		resource: 'account',
		operation: 'diagnose',
		additionalFields: { callback: '={{ $json }}' },
	};
	const workflow = await host.client.createWorkflow({
		name: 'Callbacks that are looked at',
		nodes: [
			{ ...place(TRIGGER, TRIGGER_TYPE), typeVersion: 2, webhookId, ...own },
			{ ...place('Diagnose', NODE_TYPE, parameters), ...own },
		],
		connections: { [TRIGGER]: { main: [to('Diagnose')] } },
	});
	await host.client.publish(workflow);
	const url = `${host.url}/webhook/${webhookId}/webhook`;
	await until('the endpoint', async () =>
		(await call(url, { method: 'POST' })).status === 404 ? undefined : true,
	);
	await collect(demo(), '260', addressFor(url, 'D-1', '260'));
	const run = await until('the execution', async () => {
		const [first] = await host.client.executions(workflow);
		return first && (await host.client.finished(first.id));
	});

	const held = (about: RegExp) =>
		run.json('Diagnose').find(({ assumption }) => about.test(String(assumption)))?.holds;
	expect(held(/^A callback names its payment/)).toBe('yes');
	expect(held(/^The order of a payment is known from its callback URL/)).toBe('yes');
	expect(JSON.stringify(run.json('Diagnose'))).not.toMatch(/D-1|0712|254712/);
});
