import '../queue/inQueueMode.mts';

import { setTimeout as wait } from 'node:timers/promises';

import { endOf } from '../helpers/soak/server.mts';
import { MINUTE, setting, tell } from '../helpers/soak/settings.mts';
import { goodSheet } from '../helpers/soak/sheet.mts';
import {
	saveCollections,
	signal,
	startQueueDemo,
	twice,
	workerOf,
	type QueueDemo,
} from '../queue/support.mts';

const ROUNDS = setting('PAUSES', 20);
const ROWS = 100;
const SETTLE_MS = 1000;

jest.setTimeout(60 * MINUTE);

/** Two executions of the same sheet; one worker is paused at any moment, for longer than claims settle. */
async function pauseOne(demo: QueueDemo, round: number): Promise<number> {
	demo.sandbox.reset();
	const { client } = demo.host;
	const workflow = await saveCollections(demo, goodSheet(ROWS, 80 + round));
	const id = await client.start(workflow, 'Start');
	const worker = await workerOf(demo, id);
	await wait((round * 97) % 2500);
	signal(worker, 'SIGSTOP');
	try {
		await endOf(client, await client.start(workflow, 'Start'));
	} finally {
		signal(worker, 'SIGCONT');
	}
	await endOf(client, id);
	// What it had begun it may still be ending, although n8n has given it up.
	await wait(3 * SETTLE_MS);
	return twice(demo).length;
}

it(`a worker is paused ${ROUNDS} times for longer than its neighbour's claims settle; how often a row is sent twice is said`, async () => {
	const demo = await startQueueDemo();
	try {
		const counts: number[] = [];
		for (let round = 0; round < ROUNDS; round++) counts.push(await pauseOne(demo, round));
		tell(`of ${ROWS} rows, sent twice in each round: ${counts.join(', ')}`);
		// Only who is stopped between reading and writing the list does harm, which is rare.
		expect(counts.filter((count) => count > 0).length).toBeLessThan(ROUNDS / 2);
	} finally {
		await demo.stop();
	}
});
