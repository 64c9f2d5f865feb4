import { runInLanes } from '../../../nodes/UnifiedPayments/rows/lanes.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

interface Watched {
	results: string[];
	log: string[];
	/** The most rows under way at the same time. */
	most: number;
	/** The most rows that were claimed, or being claimed, and not yet sent. */
	doubt: number;
	claims: number[];
}

async function run(count: number, lanes: number, wait = async () => undefined): Promise<Watched> {
	const log: string[] = [];
	const claims: number[] = [];
	let under = 0;
	let most = 0;
	let claimed = 0;
	let doubt = 0;
	const rows = Array.from({ length: count }, (_, row) => row);
	const results = await runInLanes<number, string, string>({
		rows,
		lanes,
		async claim(chunk) {
			claims.push(chunk.length);
			log.push(`claim ${chunk[0]}-${chunk.at(-1)}`);
			claimed += chunk.length;
			doubt = Math.max(doubt, claimed);
			await turn();
			return chunk.map((row) => `claim ${row}`);
		},
		async turn() {
			await wait();
		},
		async send(row, permission) {
			expect(permission).toBe(`claim ${row}`);
			claimed--;
			log.push(`send ${row}`);
			under++;
			most = Math.max(most, under);
			// The later a row, the sooner it ends: the order must come from elsewhere.
			for (let waited = 0; waited < (count - row) % 5; waited++) await turn();
			under--;
			return `result ${row}`;
		},
	});
	return { results, log, most, doubt, claims };
}

it.each([1, 7, 50])(
	'keeps the order of the rows in %d lanes, and sends each once',
	async (lanes) => {
		const { results, log } = await run(500, lanes);
		expect(results).toEqual(Array.from({ length: 500 }, (_, row) => `result ${row}`));
		expect(log.filter((line) => line.startsWith('send'))).toHaveLength(500);
	},
);

it.each([1, 3, 50])('has never more under way than %d lanes, and uses them all', async (lanes) => {
	expect((await run(400, lanes)).most).toBe(lanes);
});

it.each([1, 2, 5, 50])('has at most two rows for each of %d lanes in doubt', async (lanes) => {
	expect((await run(400, lanes)).doubt).toBeLessThanOrEqual(2 * lanes);
	const slow = async () => void (await turn());
	expect((await run(200, lanes, slow as () => Promise<undefined>)).doubt).toBeLessThanOrEqual(
		2 * lanes,
	);
});

it('claims for many rows with one write', async () => {
	const { claims } = await run(2000, 50);
	expect(claims.reduce((sum, each) => sum + each, 0)).toBe(2000);
	expect(claims[0]).toBe(100);
	expect(claims.length).toBeLessThan(30);
});

it('claims the next rows before the last ones are taken, so that no lane waits', async () => {
	const { log } = await run(30, 4);
	expect(log[0]).toBe('claim 0-7');
	const second = log.findIndex((line) => line.startsWith('claim 8'));
	expect(second).toBeLessThan(log.indexOf('send 7'));
});

it('ends when there are fewer rows than lanes, or none', async () => {
	expect((await run(3, 50)).results).toHaveLength(3);
	expect(await run(0, 5)).toMatchObject({ results: [], log: [] });
});

it('gives every row its own turn, also beside rows that need not wait', async () => {
	const turns: number[] = [];
	const sentWithout: number[] = [];
	await runInLanes<number, 'skip' | 'send', void>({
		rows: Array.from({ length: 60 }, (_, row) => row),
		lanes: 5,
		claim: async (chunk) => chunk.map((row) => (row % 3 === 0 ? 'skip' : 'send')),
		async turn(row, permission) {
			if (permission === 'send') await turn();
			turns.push(row);
		},
		async send(row) {
			if (!turns.includes(row)) sentWithout.push(row);
		},
	});
	expect(sentWithout).toEqual([]);
	expect(turns.sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, row) => row));
});
