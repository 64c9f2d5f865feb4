import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startPostgres, type Postgres } from '../../dev/host/n8n/queue/postgres.mts';

/** The statements that the documentation gives, run as they stand there. */
const statementsIn = async (file: string): Promise<string[]> =>
	[...(await readFile(file, 'utf8')).matchAll(/```sql\n([^]*?)```/g)].map(([, sql]) => sql!);

let folder: string;
let postgres: Postgres;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'statements-'));
	postgres = await startPostgres(folder);
}, 120_000);

afterAll(async () => {
	await postgres.stop();
	await rm(folder, { recursive: true, force: true });
});

const text = (value: string | null) => (value === null ? 'NULL' : `'${value}'`);

type Event = [state: string, amount: number, order?: string];

describe('the statement of docs/trigger.md for several workers', () => {
	let statement: string;

	beforeEach(async () => {
		const [table, found] = await statementsIn('docs/trigger.md');
		statement = found!;
		await postgres.query(`DROP TABLE IF EXISTS payments; ${table!}`);
	});

	/** Which of the events are delivered: each comes with a connection of its own, as from n8n. */
	async function delivered(events: readonly Event[]): Promise<boolean[]> {
		const told: boolean[] = [];
		for (const [state, amount, order = null] of events) {
			const rows = await postgres.query(
				`PREPARE keep (text, text, text, numeric) AS ${statement};
				EXECUTE keep ('TX-1', ${text(state)}, ${text(order)}, ${amount});`,
			);
			told.push(rows.includes('TX-1'));
		}
		return told;
	}

	it.each<[string, Event[], boolean[]]>([
		[
			'a repeat',
			[
				['success', 5],
				['success', 5],
			],
			[true, false],
		],
		[
			'a success that is repeated after a late pending',
			[
				['success', 5],
				['pending', 5],
				['success', 5],
			],
			[true, false, false],
		],
		[
			'each change',
			[
				['pending', 5],
				['failed', 5],
				['success', 5],
			],
			[true, true, true],
		],
		[
			'another amount',
			[
				['success', 5],
				['success', 9],
			],
			[true, true],
		],
		[
			'an order that becomes known, once',
			[
				['success', 5],
				['success', 5, 'A-1'],
				['success', 5, 'A-1'],
				['success', 5],
			],
			[true, true, false, false],
		],
		[
			'a late pending with the order, which takes nothing back',
			[
				['success', 5],
				['pending', 5, 'A-1'],
				['success', 5],
			],
			[true, false, false],
		],
	])('decides about %s', async (_, events, expected) => {
		expect(await delivered(events)).toEqual(expected);
	});

	it('leaves a payment with its first order', async () => {
		await delivered([
			['success', 5, 'A-1'],
			['failed', 5, 'B-2'],
		]);
		expect(await postgres.query('SELECT state, order_reference FROM payments')).toEqual([
			'failed|A-1',
		]);
	});

	it('lets one of twenty workers pass', async () => {
		const all = await Promise.all(
			Array.from({ length: 20 }, async () => await delivered([['success', 5, 'A-1']])),
		);
		expect(all.flat().filter(Boolean)).toHaveLength(1);
	});
});
