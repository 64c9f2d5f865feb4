import '../queue/inQueueMode.mts';

import { setTimeout as wait } from 'node:timers/promises';

import type { SavedWorkflow } from '../../dev/host/n8n/index.mts';
import { audit, CLEAN, inBrief, saidBy, tally } from '../helpers/soak/audit.mts';
import { publishTrigger, sendCallbacks, storedIn } from '../helpers/soak/callbacks.mts';
import { endOf, isOver } from '../helpers/soak/server.mts';
import { MINUTE, setting, tell } from '../helpers/soak/settings.mts';
import { goodSheet, REFERENCE } from '../helpers/soak/sheet.mts';
import { replaceWorker, saveCollections, startQueueDemo, workerOf } from '../queue/support.mts';
import type { QueueDemo } from '../queue/support.mts';

const ROWS = setting('KILL_ROWS', 4_000);
const KILLS = setting('KILLS', 20);
const PATH = 'soak-queue';

jest.setTimeout(90 * MINUTE);

let demo: QueueDemo;
let callbacks: SavedWorkflow;
beforeEach(async () => {
	demo = await startQueueDemo({ logLimit: 1 }, { N8N_CONCURRENCY_PRODUCTION_LIMIT: '10' });
	callbacks = await publishTrigger(demo, PATH);
});
afterEach(async () => await demo.stop());

/** Sends callbacks to both addresses meanwhile; what was acknowledged at each, and lost. */
async function underCallbacks(kill: () => Promise<void>) {
	const [webhook, finished] = (['webhook', 'finished'] as const).map((address) =>
		// With pauses: workers that have no time for rows would send none.
		sendCallbacks(demo, PATH, address, { lanes: 3, pauseMs: 300 }),
	);
	await kill();
	const acknowledged = { webhook: await webhook!.stop(), finished: await finished!.stop() };
	const { stored, emptied } = await storedIn(demo, callbacks);
	const isLost = (marker: string) => stored.get(marker) !== 'success';
	const lost = {
		webhook: [...acknowledged.webhook].filter(isLost),
		finished: [...acknowledged.finished].filter(isLost),
	};
	tell(
		`callbacks: ${lost.webhook.length} of ${acknowledged.webhook.size} lost that were acknowledged when stored, ` +
			`${lost.finished.length} of ${acknowledged.finished.size} at the end; n8n emptied ${emptied} executions`,
	);
	expect(acknowledged.webhook.size).toBeGreaterThan(2 * KILLS);
	expect(acknowledged.finished.size).toBeGreaterThan(2 * KILLS);
	return lost;
}

it(`${KILLS} workers are killed in mid-batch: nothing taken twice or lost, and no callback that was acknowledged at the end`, async () => {
	const { host, sandbox } = demo;
	const { client } = host;
	const rows = goodSheet(ROWS, 71);
	const workflow = await saveCollections(demo, rows, { concurrency: 10 });
	const stride = Math.floor((ROWS / KILLS) * 0.8);
	const lost = await underCallbacks(async () => {
		for (let kills = 0; kills < KILLS; kills++) {
			const goal = sandbox.state.ledger.accepted + 5 + ((kills * 37) % stride);
			const id = await client.start(workflow, 'Start');
			const worker = await workerOf(demo, id);
			while (sandbox.state.ledger.accepted < goal && !(await isOver(client, id))) await wait(20);
			await worker.kill();
			tell(`kill ${kills + 1}: the service has taken ${sandbox.state.ledger.accepted}`);
			await replaceWorker(demo, worker);
		}
	});
	const last = await endOf(client, await client.start(workflow, 'Start'));
	const said = saidBy(last.outputs('Node'));
	const found = audit(rows, said, sandbox.state.ledger.countBy(REFERENCE));
	tell(`rows: ${JSON.stringify(tally(said))}; ${inBrief(found)}`);
	expect(found).toEqual(CLEAN);
	expect(sandbox.state.ledger.accepted).toBeGreaterThan(0);
	expect(lost.finished).toEqual([]);
});

it(`${KILLS} webhook processors are killed: no callback that was acknowledged is lost`, async () => {
	const lost = await underCallbacks(async () => {
		for (let kills = 1; kills <= KILLS; kills++) {
			// At another moment each time.
			await wait(2000 + ((kills * 377) % 1000));
			await demo.queue.restartWebhook('kill');
			tell(`kill ${kills} of a webhook processor`);
		}
	});
	expect(lost).toEqual({ webhook: [], finished: [] });
});
