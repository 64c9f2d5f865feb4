import { call } from '../../dev/host/shared/http.mts';
import { until } from '../../dev/host/shared/until.mts';
import { watching } from '../e2e/host/hostLoad.mts';
import {
	asleep,
	ended,
	newOrder,
	saveWaiting,
	statusOf,
	transactionOf,
	useWaitingDemo,
} from '../e2e/host/waitingSupport.mts';
import { MINUTE, setting, tell } from '../helpers/soak/settings.mts';

const MANY = setting('PAYMENTS', 500);
/** A phone whose customer takes a long time. */
const SLOW = '254712990303';

const demo = useWaitingDemo({
	mode: 'rich',
	callbackRetry: { attempts: 20, firstDelayMs: 3_000, factor: 1 },
	callbackTimeoutMs: 10 * MINUTE,
});

// n8n's own Wait node is the measure of the time in `test/e2e/host/healthz.test.mts`.
it(
	`${MANY} payments of one execution that end at the same time are all heard, with two requests each and 200 MB at most`,
	async () => {
		const orders = Array.from({ length: MANY }, newOrder);
		const rows = orders.map((order, n) => ({ amount: 10 + n, order, mobile: SLOW }));
		const parameters = { options: { concurrency: 20 } };
		const workflow = await saveWaiting(demo(), { rows, parameters });
		const id = await demo().host().client.start(workflow, 'Start');
		await asleep(demo(), id);
		const references = orders.map((order) => transactionOf(demo(), order).ref);

		// n8n loads the execution for each call, whatever the node makes of it: that comes first, and is told apart.
		const addresses = orders.map((order) =>
			transactionOf(demo(), order).callback_url.replace(/&upo=[^&]*/, ''),
		);
		const away = await watching(
			demo().host(),
			async () =>
				await Promise.all(
					addresses.map(
						async (url) => (await call(url, { method: 'POST', body: { ref: 'x' } })).status,
					),
				),
		);
		tell(`turned away: ${JSON.stringify({ ...away, result: [...new Set(away.result)] })}`);
		const requests = () => demo().sandbox.state.requests.length;
		const before = requests();
		const first = () =>
			demo().sandbox.state.callbacks.flatMap(({ attempts }) => attempts.slice(0, 1));
		const told = await watching(demo().host(), async () => {
			for (const reference of references) demo().sandbox.settle(reference, 'success');
			// n8n is not asked about the execution meanwhile: that would load it, too.
			await until('all answers', async () => (first().length === MANY ? true : undefined), {
				seconds: 600,
			});
		});
		const answers = first().map(({ status, error }) => status ?? error);
		const asked = requests() - before;
		tell(JSON.stringify({ ...told, answers: [...new Set(answers)], asked }));

		// n8n itself answers 500 or 503 when its database is too busy, and 409 once the execution goes on.
		expect([200, 409, 500, 503]).toEqual(expect.arrayContaining([...new Set(answers)]));
		expect(told.megabytes).toBeLessThanOrEqual(200);
		const isBack = async () => await statusOf(demo(), id).catch(() => undefined);
		await until('an n8n that answers', isBack);
		const json = (await ended(demo(), id, 120)).json('Success');
		const said = json.map((item) => [item.orderReference, item.state]);
		expect(said).toEqual(orders.map((order) => [order, 'success']));
		expect(asked).toBeLessThanOrEqual(2 * MANY);
	},
	20 * MINUTE,
);
