import { readFile } from 'node:fs/promises';

import type { INode, INodeParameters } from 'n8n-workflow';

import { filledIn, readExample } from '../../dev/host/demo/examples.mts';
import type { SavedWorkflow } from '../../dev/host/n8n/index.mts';
import { endOf } from '../helpers/soak/server.mts';
import { goodSheet } from '../helpers/soak/sheet.mts';
import { setting, tell } from '../helpers/soak/settings.mts';
import { place } from '../e2e/host/support.mts';
import { outcomes, saveCollections, taken, twice, useQueue, workerOf } from './support.mts';

const demo = useQueue();

beforeEach(() => demo().sandbox.reset());

const ROWS = setting('SHEET_ROWS', 100);
const ROUNDS = setting('SHEET_ROUNDS', 5);

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
	/** How many rows were sent twice in each round. */
	async function rounds(count: number, seed: number, options: INodeParameters, before?: INode) {
		const counts: number[] = [];
		for (let round = 0; round < count; round++) {
			demo().sandbox.reset();
			const sheet = goodSheet(ROWS, seed + round);
			const workflow = await saveCollections(demo(), sheet, options, before);
			const { runs, onTwo } = await runTwice(workflow);
			expect([onTwo, ...runs.map(({ status }) => status)]).toEqual([true, 'success', 'success']);
			expect(Object.keys(taken(demo()))).toHaveLength(ROWS);
			tell(runs.map((run) => JSON.stringify(outcomes(run.json('Node')))).join(' and '));
			counts.push(twice(demo()).length);
		}
		tell(`of ${ROWS} rows, sent twice in each round: ${counts.join(', ')}`);
		return counts;
	}

	it('with nothing set, no row is sent twice, and each is sent', async () => {
		expect(await rounds(ROUNDS, 40, {})).toEqual(Array(ROUNDS).fill(0));
	});

	it('without claims, every row is sent twice', async () => {
		expect(await rounds(1, 60, { onDuplicate: 'sendAnyway' })).toEqual([ROWS]);
	});

	const savePostgres = async () => {
		const { port, user, database } = demo().queue.services.postgres;
		return await demo().host.client.createCredential('Postgres', 'postgres', {
			...{ host: '127.0.0.1', port, user, database, password: 'any', ssl: 'disable' },
		});
	};

	it('with the Postgres step of docs/reliability.md, word for word', async () => {
		const doc = await readFile('docs/reliability.md', 'utf8');
		const [table, query] = [...doc.matchAll(/```sql\n([^]*?)```/g)].map(([, text]) => text!);
		const queryReplacement = `=${/\*Query Parameters\*.*: `([^`]+)`/.exec(doc)![1]!}`;
		const parameters = { operation: 'executeQuery', query: query!, options: { queryReplacement } };
		const { id, name } = await savePostgres();
		const sql = demo().queue.services.postgres.query;
		await sql(table!);
		const step = {
			...place('Claim', 'n8n-nodes-base.postgres', parameters),
			...{ typeVersion: 2.6, credentials: { postgres: { id, name } } },
		};
		expect(await rounds(2, 20, {}, step)).toEqual([0, 0]);
		await sql('DROP TABLE payment_claims');
	});

	it('with the claim step of the example, PostgreSQL decides: no order is sent twice', async () => {
		const { host, sandbox, queue, credential } = demo();
		const { query } = queue.services.postgres;
		const postgres = await savePostgres();
		const example = filledIn(
			await readExample('several-workers-each-order-once.json', [credential, postgres]),
			{ url: 'https://n8n.example.com/webhook/pay' },
		);
		const orders = Array.from({ length: ROWS }, (_, index) => ({
			...{ Order: `W-${index}`, 'First Name': 'Amina', Country: 'Kenya', Phone: '0712 345678' },
			...{ Amount: 100 + index, Business: 'Savanna Coffee', Item: `Order ${index}` },
		}));
		// One that the service declines, and one that never leaves.
		Object.assign(orders[0]!, { Amount: 2_000_000_000 });
		Object.assign(orders[1]!, { Amount: 'much' });
		const workflow = await host.client.createWorkflow({
			...example,
			pinData: { 'Demo orders': orders.map((json) => ({ json })) },
		});
		const { runs, onTwo } = await runTwice(workflow);
		expect([onTwo, ...runs.map(({ failure }) => failure?.message)]).toEqual([
			...[true, undefined, undefined],
		]);
		const counts = () => Object.values(sandbox.state.ledger.countBy('item_name'));
		expect(counts()).toEqual(Array(ROWS - 2).fill(1));
		const each = runs.map((run) => run.json('Create payment links').length);
		tell(`rows that went through on each worker: ${each.join(' and ')}`);
		expect(each[0]! + each[1]!).toBe(ROWS - 2);
		const lines = await query('SELECT reference, outcome, link FROM payment_claims');
		expect(lines).toHaveLength(ROWS - 2);
		expect(lines.every((line) => /^W-\d+\|accepted\|http/.test(line))).toBe(true);

		// Corrected, those two are all that the next run sends.
		Object.assign(orders[0]!, { Amount: 20 });
		Object.assign(orders[1]!, { Amount: 21 });
		const corrected = await host.client.createWorkflow({
			...example,
			name: 'Corrected',
			pinData: { 'Demo orders': orders.map((json) => ({ json })) },
		});
		const { client } = host;
		const again = await endOf(client, await client.start(corrected, 'Start'));
		expect(again.json('Create payment links')).toHaveLength(2);
		expect(counts()).toEqual(Array(ROWS).fill(1));
	});
});
