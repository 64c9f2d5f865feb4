import { readFileSync } from 'node:fs';

import { call } from '../../../host/shared/http.mts';
import { until } from '../../../host/shared/until.mts';
import {
	asleep,
	ended,
	newOrder,
	saveWaiting,
	statusOf,
	transactionOf,
	useWaitingDemo,
} from './waitingSupport.mts';

const demo = useWaitingDemo({
	mode: 'rich',
	callbackRetry: { attempts: 12, firstDelayMs: 500 },
	callbackTimeoutMs: 20_000,
});

const asked = () =>
	demo().sandbox.state.requests.filter(({ path }) => path.includes('transaction-status')).length;

/** What n8n has in memory, in megabytes. */
const memory = () => {
	const { pid } = demo().host();
	const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
	return Number(kilobytes) / 1024;
};

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

it('five hundred payments of one execution that end at the same time are asked about at most twice each', async () => {
	const { id, orders } = await sleep(500);
	const before = asked();
	const used = memory();
	let most = used;
	const delays: number[] = [];
	const watch = setInterval(() => {
		most = Math.max(most, memory());
		const start = Date.now();
		void call(`${demo().host().url}/healthz`).then(() => delays.push(Date.now() - start));
	}, 250);
	for (const order of orders) demo().sandbox.settle(transactionOf(demo(), order).ref, 'success');
	const run = await ended(demo(), id, 200);
	clearInterval(watch);
	expect(run.json('Success')).toHaveLength(500);
	expect(run.json('Success').every(({ state }) => state === 'success')).toBe(true);
	expect(asked() - before).toBeLessThanOrEqual(2 * orders.length);
	const attempts = demo().sandbox.state.callbacks.flatMap((each) => each.attempts);
	const tally: Record<string, number> = {};
	for (const { status } of attempts) tally[String(status)] = (tally[String(status)] ?? 0) + 1;
	console.log(
		JSON.stringify({
			tally,
			grown: most - used,
			asked: asked() - before,
			delays: delays.sort((a, b) => a - b).slice(-5),
			first: attempts[0],
		}),
	);
	expect(most - used).toBeLessThan(200);
});

it('a genuine callback is heard among twenty that are not true', async () => {
	const { id, orders } = await sleep(2);
	const [lied, paid] = orders.map((order) => transactionOf(demo(), order));
	const before = asked();
	const lies = Array.from(
		{ length: 20 },
		async (_, n) =>
			await call(lied!.callback_url, {
				method: 'POST',
				body: { ref: `TX-${n}`, status: 'success' },
			}),
	);
	const start = Date.now();
	demo().sandbox.settle(paid!.ref, 'success');
	await until('its answer', async () =>
		demo().sandbox.state.callbacks.some(
			({ reference, status }) => reference === paid!.ref && status === 'delivered',
		)
			? true
			: undefined,
	);
	console.log('genuine', Date.now() - start);
	expect((await Promise.all(lies)).map(({ status }) => status)).toEqual(lies.map(() => 503));
	expect(asked() - before).toBeLessThan(100);
	expect(await statusOf(demo(), id)).toBe('waiting');
	demo().sandbox.settle(lied!.ref, 'success');
	expect((await ended(demo(), id)).json('Success')).toHaveLength(2);
});
