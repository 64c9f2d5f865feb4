import '../queue/inQueueMode.mts';

import { setTimeout as wait } from 'node:timers/promises';

import { audit, CLEAN, inBrief, saidBy, tally } from '../helpers/soak/audit.mts';
import { fateOf, publishTrigger, sendCallbacks } from '../helpers/soak/queueCallbacks.mts';
import { endOf, isOver } from '../helpers/soak/server.mts';
import { MINUTE, setting, tell } from '../helpers/soak/settings.mts';
import { goodSheet, REFERENCE } from '../helpers/soak/sheet.mts';
import { replaceWorker, saveCollections, startQueueDemo, workerOf } from '../queue/support.mts';

const ROWS = setting('KILL_ROWS', 4_000);
const KILLS = setting('KILLS', 20);
const SEVERAL_AT_A_TIME = { N8N_CONCURRENCY_PRODUCTION_LIMIT: '10' };

jest.setTimeout(90 * MINUTE);

it(`${KILLS} workers are killed in mid-batch: nothing taken twice or lost, and no callback that was acknowledged at the end`, async () => {
	const demo = await startQueueDemo({ logLimit: 1 }, SEVERAL_AT_A_TIME);
	try {
		const { host, sandbox } = demo;
		const { client } = host;
		const rows = goodSheet(ROWS, 71);
		const workflow = await saveCollections(demo, rows, { concurrency: 10 });
		const callbacks = await publishTrigger(demo);
		const stop = sendCallbacks(demo);
		const stride = Math.floor((ROWS / KILLS) * 0.8);
		let kills = 0;
		for (; kills < KILLS; kills++) {
			const goal = sandbox.state.ledger.accepted + 5 + ((kills * 37) % stride);
			const id = await client.start(workflow, 'Start');
			const worker = await workerOf(demo, id);
			while (sandbox.state.ledger.accepted < goal && !(await isOver(client, id))) await wait(20);
			await worker.kill();
			const { accepted } = sandbox.state.ledger;
			tell(`kill ${kills + 1}: the service has taken ${accepted}`);
			await replaceWorker(demo, worker);
		}
		const acknowledged = await stop();
		const last = await endOf(client, await client.start(workflow, 'Start'));
		const said = saidBy(last.outputs('Node'));
		const found = audit(rows, said, sandbox.state.ledger.countBy(REFERENCE));
		tell(`rows: ${JSON.stringify(tally(said))}; ${inBrief(found)}`);

		const fate = await fateOf(demo, callbacks, acknowledged);
		tell(fate.text);
		expect(kills).toBe(KILLS);
		expect(found).toEqual(CLEAN);
		expect(fate.lost.finished).toEqual([]);
		expect(acknowledged.finished.size).toBeGreaterThan(5 * KILLS);
		// n8n lists what it has emptied as failed: nothing is gone without a trace.
		expect(fate.lost.webhook.length).toBeLessThanOrEqual(fate.cut + fate.emptied);
	} finally {
		await demo.stop();
	}
});

it(`${KILLS} webhook processors are killed: no callback that was acknowledged is lost`, async () => {
	const demo = await startQueueDemo({ logLimit: 1 }, SEVERAL_AT_A_TIME);
	try {
		const callbacks = await publishTrigger(demo);
		const stop = sendCallbacks(demo);
		for (let kills = 1; kills <= KILLS; kills++) {
			// At another moment each time.
			await wait(2000 + ((kills * 377) % 1000));
			await demo.queue.restartWebhook('kill');
			tell(`kill ${kills} of a webhook processor`);
		}
		const acknowledged = await stop();
		const fate = await fateOf(demo, callbacks, acknowledged);
		tell(fate.text);
		expect(fate.lost).toEqual({ webhook: [], finished: [] });
		expect(acknowledged.webhook.size).toBeGreaterThan(5 * KILLS);
		expect(acknowledged.finished.size).toBeGreaterThan(5 * KILLS);
	} finally {
		await demo.stop();
	}
});
