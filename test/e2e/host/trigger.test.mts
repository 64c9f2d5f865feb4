import type { Browser } from 'playwright-core';

import { call } from '../../../host/shared/http.mts';
import { until } from '../../../host/shared/until.mts';
import { launchBrowser, openPage } from '../../helpers/browser.mts';
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
	useTriggerDemo,
} from './triggerSupport.mts';

const demo = useTriggerDemo();

afterEach(() => demo().sandbox.faults.clear());

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
				additionalFields: { firstName: 'Amina', lastName: 'Otieno', phone: '0712 345678' },
			},
			live.url,
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
				state,
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

	it('that fails gives one item with the reason', async () => {
		const { items } = await outcomeOf('990401', 1);

		expect(items).toMatchObject([
			{
				verified: 'confirmed',
				state: 'failed',
				transaction: { failureReason: { failureCode: 'INSUFFICIENT_FUNDS' } },
			},
		]);
	});

	it('that settles late gives nothing before, and one item then', async () => {
		const live = await LiveTrigger.start(demo());
		const { reference } = await collect(demo(), '990102', live.url);
		const { sandbox } = demo();
		const stateNow = () => sandbox.state.transactions.find(({ ref }) => ref === reference)?.state;
		const before = await live.count();
		const wasPending = stateNow() === 'pending';
		await delivered(demo(), reference, 1);
		const runs = await live.runs(1);

		expect({ before, wasPending }).toEqual({ before: 0, wasPending: true });
		expect(callbacksOf(runs)).toMatchObject([{ state: 'success' }]);
	});

	it('that is answered late gives one item', async () => {
		const { items } = await outcomeOf('990101', 1);

		expect(items).toMatchObject([{ state: 'success' }]);
	});

	it('that calls back twice gives one item', async () => {
		const { items, runs } = await outcomeOf('990301', 2);

		expect(runs.map(({ status }) => status)).toEqual(['success', 'success']);
		expect(items).toMatchObject([{ state: 'success' }]);
		expect(rejectedOf(runs)).toEqual([]);
	});

	it('that calls back twice gives two items where repeats are not skipped', async () => {
		const { items } = await outcomeOf('990301', 2, { options: { skipRepeats: false } });

		expect(items).toHaveLength(2);
		expect(items[0]?.eventKey).toBe(items[1]?.eventKey);
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

	it('that calls back before the reply to the create gives one item', async () => {
		const { items } = await outcomeOf('990304', 1);

		expect(items).toMatchObject([{ state: 'success', verified: 'confirmed' }]);
	});

	it('that never calls back gives none', async () => {
		const live = await LiveTrigger.start(demo());
		const { reference } = await collect(demo(), '990303', live.url);
		await until('the end of the payment', async () => {
			const { state } = demo().sandbox.state.transactions.find(({ ref }) => ref === reference)!;
			return state === 'success' ? true : undefined;
		});
		// Whatever would come about it would come before what another payment leads to.
		const other = await collect(demo(), '990200', live.url);
		const runs = await live.runs(1);

		expect(callbacksOf(runs)).toMatchObject([{ transaction: { ref: other.reference } }]);
	});

	it('is found under the other type when the callback does not tell', async () => {
		const live = await LiveTrigger.start(demo());
		const { ref } = demo().sandbox.addPayout({ status: 'success' });
		await live.post({ ref });

		expect(callbacksOf(await live.runs(1))).toMatchObject([
			{ verified: 'confirmed', state: 'success', transaction: { ref } },
		]);
	});
});

describe('the states to emit', () => {
	it('keep the others from leaving by either output', async () => {
		const live = await LiveTrigger.start(demo(), { states: ['failed'] });
		const good = await collect(demo(), '990200', live.url);
		await delivered(demo(), good.reference, 1);
		const bad = await collect(demo(), '990402', live.url);
		await delivered(demo(), bad.reference, 1);
		const runs = await live.runs(2);

		expect(callbacksOf(runs)).toMatchObject([
			{ state: 'failed', transaction: { ref: bad.reference } },
		]);
		expect(rejectedOf(runs)).toEqual([]);
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

it('no secret is in the log, at debug level, nor in any file of n8n', async () => {
	expect(demo().host.log()).toContain('debug');
	expect(await leaksIn(demo())).toEqual([]);
});
