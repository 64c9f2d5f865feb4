import { readFileSync } from 'node:fs';

import { call } from '../../host/shared/http.mts';
import { until } from '../../host/shared/until.mts';
import {
	asleep,
	ended,
	newOrder,
	saveWaiting,
	statusOf,
	transactionOf,
	useWaitingDemo,
} from '../e2e/host/waitingSupport.mts';

const demo = useWaitingDemo({
	mode: 'rich',
	callbackRetry: { attempts: 6, firstDelayMs: 500 },
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

/** n8n loads the whole execution for each call, so more of them is a matter of its own limits. */
const MANY = 100;

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

/** What it takes of n8n while something is done: time in milliseconds, and growth in megabytes. */
async function cost(work: () => Promise<unknown>): Promise<{ ms: number; megabytes: number }> {
	const [start, used] = [Date.now(), memory()];
	let most = used;
	const watch = setInterval(() => (most = Math.max(most, memory())), 100);
	try {
		await work();
	} finally {
		clearInterval(watch);
	}
	return { ms: Date.now() - start, megabytes: most - used };
}

it('many payments of one execution that end at the same time are asked about at most twice each, in little memory', async () => {
	const { id, orders } = await sleep(MANY);
	const payments = orders.map((order) => transactionOf(demo(), order));
	// Refused at the first look, so that this is what n8n takes to load the execution for each call.
	const alone = await cost(async () => {
		const calls = payments.map(
			async ({ callback_url: url }) => await call(url, { method: 'POST', body: [] }),
		);
		expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(calls.map(() => 400));
	});
	const before = asked();
	const all = await cost(async () => {
		for (const { ref } of payments) demo().sandbox.settle(ref, 'success');
		// n8n is not asked meanwhile: that would load the execution, too.
		const isAnswered = () =>
			demo().sandbox.state.callbacks.some(({ status }) => status === 'delivered') &&
			demo().sandbox.state.callbacks.every(({ status }) => status !== 'pending');
		await until('all answers', async () => (isAnswered() ? true : undefined), { seconds: 120 });
	});
	const items = (await ended(demo(), id)).json('Success');
	expect(items.map(({ state }) => state)).toEqual(orders.map(() => 'success'));
	expect(asked() - before).toBeLessThanOrEqual(2 * MANY);
	expect(all.megabytes - alone.megabytes).toBeLessThan(250);
	const answers = demo().sandbox.state.callbacks.flatMap((each) => each.attempts);
	// n8n itself turns away what comes while it goes on, or after the end.
	expect(answers.every(({ status }) => [200, 409, 500, 503].includes(status ?? 0))).toBe(true);
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
	demo().sandbox.settle(paid!.ref, 'success');
	await until('its answer', async () =>
		demo().sandbox.state.callbacks.some(
			({ reference, status }) => reference === paid!.ref && status === 'delivered',
		)
			? true
			: undefined,
	);
	expect((await Promise.all(lies)).map(({ status }) => status)).toEqual(lies.map(() => 503));
	expect(asked() - before).toBeLessThan(100);
	expect(await statusOf(demo(), id)).toBe('waiting');
	demo().sandbox.settle(lied!.ref, 'success');
	expect((await ended(demo(), id)).json('Success')).toHaveLength(2);
});
