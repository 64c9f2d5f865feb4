import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { INode } from 'n8n-workflow';

import { sandboxCredential } from '../../host/demo/sandboxCredential.mts';
import { buildIfStale, startHost, type Host } from '../../host/n8n/index.mts';
import { startSandbox, type Sandbox } from '../../sandbox/index.mts';
import { startPostgres, type Postgres } from '../../host/n8n/queue/postgres.mts';
import { endOf, OURS, saveSheet } from '../helpers/soak/server.mts';
import { MINUTE, tell } from '../helpers/soak/settings.mts';
import { goodSheet, inColumns, REFERENCE } from '../helpers/soak/sheet.mts';

const ROWS = 300;

jest.setTimeout(15 * MINUTE);

describe('the Postgres step of docs/reliability.md', () => {
	let postgres: Postgres;
	let sandbox: Sandbox;
	/** Two that share nothing: neither knows what the other claimed. */
	let hosts: Host[] = [];
	let doc = '';
	let folder = '';

	const sql = () => [...doc.matchAll(/```sql\n([^]*?)```/g)].map(([, text]) => text!);

	beforeAll(async () => {
		await buildIfStale();
		doc = await readFile('docs/reliability.md', 'utf8');
		folder = await mkdtemp(join(tmpdir(), 'unified-payments-postgres-'));
		postgres = await startPostgres(folder);
		await postgres.query(sql()[0]!);
		sandbox = await startSandbox({ settleDelayMs: Infinity, logLimit: 1 });
		hosts = [await startHost(), await startHost()];
	}, 30 * MINUTE);

	afterAll(async () => {
		await Promise.all(hosts.map(async (host) => await host.stop()));
		await sandbox?.close();
		await postgres?.stop();
		await rm(folder, { recursive: true, force: true });
	}, MINUTE);

	/** As the page says, word for word. */
	const step = async ({ client }: Host): Promise<INode> => {
		const { port, database, user } = postgres;
		const { id, name } = await client.createCredential('Postgres', 'postgres', {
			...{ host: '127.0.0.1', port, database, user, password: 'any', ssl: 'disable' },
		});
		const queryReplacement = `=${/\*Query Parameters\*.*: `([^`]+)`/.exec(doc)![1]!}`;
		const options = { queryReplacement };
		return {
			...{ id: 'claim', name: 'Claim', type: 'n8n-nodes-base.postgres', typeVersion: 2.6 },
			position: [0, 0],
			parameters: { operation: 'executeQuery', query: sql()[1]!, options },
			credentials: { postgres: { id, name } },
		};
	};

	/** The same sheet on both at the same time; how often each row was taken. */
	const runOnBoth = async (seed: number, withStep: boolean) => {
		sandbox.reset();
		const ends = hosts.map(async (host) => {
			const workflow = await saveSheet(host.client, {
				type: OURS,
				parameters: inColumns({ concurrency: 10 }),
				rows: goodSheet(ROWS, seed),
				credential: sandboxCredential(sandbox),
				...(withStep && { before: await step(host) }),
			});
			const run = async () => await endOf(host.client, await host.client.start(workflow, 'Start'));
			return { first: await run(), again: await run() };
		});
		const runs = await Promise.all(ends);
		const counts = Object.values(sandbox.state.ledger.countBy(REFERENCE));
		return { runs, counts };
	};

	it('lets each row through once, on processes that know nothing of each other', async () => {
		const { runs, counts } = await runOnBoth(1, true);
		expect(runs.map(({ first, again }) => [first.status, again.status])).toEqual([
			['success', 'success'],
			['success', 'success'],
		]);
		expect(counts).toEqual(Array(ROWS).fill(1));
		const firsts = runs.map(({ first }) => first.json('Node').length);
		tell(`rows that went through on each: ${firsts.join(' and ')}`);
		expect(firsts[0]! + firsts[1]!).toBe(ROWS);
		// Nothing is left for another run.
		expect(runs.flatMap(({ again }) => again.json('Node'))).toEqual([]);
	});

	it('without it, two such processes send the same rows', async () => {
		const { counts } = await runOnBoth(2, false);
		expect(counts).toEqual(Array(ROWS).fill(2));
	});
});
