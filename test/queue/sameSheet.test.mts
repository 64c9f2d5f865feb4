import type { SavedWorkflow } from '../../host/n8n/index.mts';
import { endOf } from '../helpers/soak/server.mts';
import { goodSheet } from '../helpers/soak/sheet.mts';
import { setting, tell } from '../helpers/soak/settings.mts';
import { outcomes, saveCollections, taken, twice, useQueue, workerOf } from './support.mts';

const demo = useQueue();

beforeEach(() => demo().sandbox.reset());

const ROWS = setting('SHEET_ROWS', 100);
const ROUNDS = setting('SHEET_ROUNDS', 2);
const REST_MS = 1000;

/** Two executions at the same time, one on each worker. */
async function runTwice(workflow: SavedWorkflow) {
	const { client } = demo().host;
	const start = async () => await client.start(workflow, 'Start');
	const ids = await Promise.all([start(), start()]);
	const runs = await Promise.all(ids.map(async (id) => await endOf(client, id)));
	const workers = await Promise.all(ids.map(async (id) => await workerOf(demo(), id)));
	return { runs, onTwo: workers[0] !== workers[1] };
}

describe('two executions of the same sheet at the same time, on two workers', () => {
	it('without a rest may send a row twice; how often is said', async () => {
		const counts: number[] = [];
		for (let round = 0; round < ROUNDS; round++) {
			demo().sandbox.reset();
			const { runs, onTwo } = await runTwice(
				await saveCollections(demo(), goodSheet(ROWS, 20 + round)),
			);
			expect([onTwo, ...runs.map(({ status }) => status)]).toEqual([true, 'success', 'success']);
			expect(Object.keys(taken(demo()))).toHaveLength(ROWS);
			counts.push(twice(demo()).length);
		}
		tell(`of ${ROWS} rows, sent twice in each round: ${counts.join(', ')}`);
	});

	it('with Settle Claims no row is sent twice, and each is sent', async () => {
		for (let round = 0; round < ROUNDS; round++) {
			demo().sandbox.reset();
			const options = { settleClaimsMs: REST_MS };
			const { runs, onTwo } = await runTwice(
				await saveCollections(demo(), goodSheet(ROWS, 40 + round), options),
			);
			expect([onTwo, ...runs.map(({ status }) => status)]).toEqual([true, 'success', 'success']);
			tell(runs.map((run) => JSON.stringify(outcomes(run.json('Node')))).join(' and '));
			expect(twice(demo())).toEqual([]);
			expect(Object.keys(taken(demo()))).toHaveLength(ROWS);
		}
	});
});
