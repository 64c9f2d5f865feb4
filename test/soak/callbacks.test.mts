import { buildIfStale } from '../../dev/host/n8n/index.mts';
import { until } from '../../dev/host/shared/until.mts';
import { startSandbox } from '../../dev/sandbox/index.mts';
import { TRIGGER_TYPE } from '../e2e/host/triggerSupport.mts';
import { publishTrigger, sendCallbacks, storedIn, untilOpen } from '../helpers/soak/callbacks.mts';
import { startPhoenix } from '../helpers/soak/server.mts';
import { MINUTE, setting, tell } from '../helpers/soak/settings.mts';

const KILLS = setting('KILLS', 20);
/** It needs no more to fail. */
const NAIVE_KILLS = Math.min(KILLS, 3);
const IN_FLIGHT = 20;
const PATH = 'soak';

// Every kill is followed by a start of n8n.
jest.setTimeout(90 * MINUTE);

beforeAll(async () => await buildIfStale(), 30 * MINUTE);

/** Callbacks without a pause, while n8n is killed and started again and again. */
async function endure(type: string, kills: number) {
	const sandbox = await startSandbox({ settleDelayMs: Infinity, logLimit: 1 });
	const n8n = await startPhoenix();
	const stage = () => ({ host: n8n.host(), sandbox });
	try {
		const workflow = await publishTrigger(stage(), PATH, undefined, type);
		const acknowledged: string[] = [];
		for (let kill = 1; kill <= kills; kill++) {
			await untilOpen(stage(), PATH);
			const sending = sendCallbacks(stage(), PATH, 'webhook', { lanes: IN_FLIGHT, pauseMs: 0 });
			// Each time at another moment.
			const enough = 5 + ((kill * 7) % 31);
			await until(
				`${enough} callbacks`,
				async () => (sending.acknowledged.size >= enough ? true : undefined),
				{ seconds: 600, everyMs: 5 },
			);
			const restarted = n8n.killAndRestart();
			acknowledged.push(...(await sending.stop()));
			await restarted;
			tell(`kill ${kill} of ${kills}: ${acknowledged.length} acknowledged so far`);
		}
		await untilOpen(stage(), PATH);
		const { stored } = await storedIn(stage(), workflow);
		// One that n8n has not begun neither goes on nor can be retried.
		const missing = acknowledged.filter((marker) => (stored.get(marker) ?? 'new') === 'new');
		tell(`${type}: ${missing.length} of ${acknowledged.length} acknowledged callbacks are missing`);
		return { acknowledged, missing };
	} finally {
		await n8n.end();
		await sandbox.close();
	}
}

it(`${KILLS} kills with ${IN_FLIGHT} callbacks in flight: none that was acknowledged is missing`, async () => {
	const { acknowledged, missing } = await endure(TRIGGER_TYPE, KILLS);
	expect(missing).toEqual([]);
	expect(acknowledged.length).toBeGreaterThanOrEqual(5 * KILLS);
});

it(`a naive trigger loses acknowledged callbacks in ${NAIVE_KILLS} kills`, async () => {
	const { missing } = await endure('n8n-nodes-naive-payments.naiveTrigger', NAIVE_KILLS);
	expect(missing.length).toBeGreaterThan(0);
});
