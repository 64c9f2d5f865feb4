import { call } from '../../host/shared/http.mts';
import { until } from '../../host/shared/until.mts';
import { watching } from '../e2e/host/hostLoad.mts';
import {
	asleep,
	dataOf,
	ended,
	newOrder,
	saveWaiting,
	sleepInWaitNode,
	statusOf,
	transactionOf,
	useWaitingDemo,
} from '../e2e/host/waitingSupport.mts';
import { MINUTE, setting, tell } from '../helpers/soak/settings.mts';

const MANY = setting('PAYMENTS', 500);

const demo = useWaitingDemo({
	mode: 'rich',
	callbackRetry: { attempts: 20, firstDelayMs: 3_000, factor: 1 },
	callbackTimeoutMs: 10 * MINUTE,
});

const asked = () =>
	demo().sandbox.state.requests.filter(({ path }) => path.includes('transaction-status')).length;

/** A phone whose customer takes a long time. */
const SLOW = '254712990303';

async function sleep(count: number) {
	const rows = Array.from({ length: count }, (_, n) => ({
		amount: 10 + n,
		order: newOrder(),
		mobile: SLOW,
	}));
	const workflow = await saveWaiting(demo(), {
		rows,
		parameters: { options: { concurrency: 20 } },
	});
	const id = await demo().host().client.start(workflow, 'Start');
	await asleep(demo(), id);
	return { id, orders: rows.map(({ order }) => order) };
}

const counted = (statuses: unknown[]) => {
	const counts: Record<string, number> = {};
	for (const each of statuses) counts[String(each)] = (counts[String(each)] ?? 0) + 1;
	return counts;
};

it(
	`${MANY} payments of one execution that end at the same time take no more than n8n's own Wait node takes to refuse as many calls`,
	async () => {
		const { id, orders } = await sleep(MANY);
		const payments = orders.map((order) => transactionOf(demo(), order));
		const items = (await dataOf(demo(), id)).executionData!.nodeExecutionStack[0]!.data.main![0]!;
		const url = await sleepInWaitNode(demo(), items);
		const control = await watching(demo().host(), async () => {
			const calls = Array.from({ length: MANY }, async () => {
				return (await call(url, { method: 'POST', body: {} })).status;
			});
			return counted(await Promise.all(calls));
		});

		const before = asked();
		const first = () =>
			demo().sandbox.state.callbacks.flatMap(({ attempts }) => attempts.slice(0, 1));
		const told = await watching(demo().host(), async () => {
			for (const { ref } of payments) demo().sandbox.settle(ref, 'success');
			// n8n is not asked about the execution meanwhile: that would load it, too.
			await until('all answers', async () => (first().length === MANY ? true : undefined), {
				seconds: 600,
			});
			return counted(first().map(({ status, error }) => status ?? error));
		});
		tell(JSON.stringify({ control, told, asked: asked() - before }));

		// n8n itself answers 500 or 503 when its database is too busy, and 409 once the execution goes on.
		const expected = ['200', '409', '500', '503'];
		expect(Object.keys(told.result).filter((each) => !expected.includes(each))).toEqual([]);
		await until(
			'an n8n that answers',
			async () => await statusOf(demo(), id).catch(() => undefined),
		);
		const json = (await ended(demo(), id, 120)).json('Success');
		expect(json.map(({ state }) => state)).toEqual(orders.map(() => 'success'));
		expect(json.map(({ orderReference }) => orderReference)).toEqual(orders);
		expect(asked() - before).toBeLessThanOrEqual(2 * MANY);
		// Calls that n8n gave up before it had loaded the execution took next to nothing.
		const each = told.cpu / (told.result['200'] ?? 0);
		expect(each).toBeLessThanOrEqual(control.cpu / (control.result['404'] ?? 0));
		expect(told.megabytes).toBeLessThanOrEqual(200);
		expect(told.usuallyHeld).toBeLessThanOrEqual(control.usuallyHeld + 250);
	},
	20 * MINUTE,
);
