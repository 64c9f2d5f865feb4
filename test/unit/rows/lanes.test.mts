import { chunkSize, runInLanes } from '../../../nodes/UnifiedPayments/rows/lanes.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

async function run(count: number, lanes: number) {
	const log: string[] = [];
	let under = 0;
	let most = 0;
	const claimed = new Set<number>();
	let doubt = 0;
	const rows = Array.from({ length: count }, (_, row) => row);
	const results = await runInLanes<number, string, string>({
		rows,
		lanes,
		async claim(chunk) {
			log.push(`claim ${chunk[0]}-${chunk.at(-1)}`);
			await turn();
			chunk.forEach((row) => claimed.add(row));
			return chunk.map((row) => `claim ${row}`);
		},
		async send(row, permission) {
			expect(permission).toBe(`claim ${row}`);
			log.push(`send ${row}`);
			under++;
			most = Math.max(most, under);
			doubt = Math.max(doubt, claimed.size);
			// The later a row, the sooner it ends: the order must come from elsewhere.
			for (let wait = 0; wait < (count - row) % 5; wait++) await turn();
			under--;
			return `result ${row}`;
		},
		async settle(chunk, permissions, ended) {
			expect(ended).toEqual(chunk.map((row) => `result ${row}`));
			expect(permissions).toHaveLength(chunk.length);
			chunk.forEach((row) => claimed.delete(row));
			log.push(`settle ${chunk[0]}-${chunk.at(-1)}`);
		},
	});
	return { results, log, most, doubt };
}

it('keeps the order of the rows', async () => {
	const { results } = await run(500, 7);
	expect(results).toEqual(Array.from({ length: 500 }, (_, row) => `result ${row}`));
});

it.each([1, 3, 50])('has never more under way than %d lanes, and uses them all', async (lanes) => {
	expect((await run(400, lanes)).most).toBe(lanes);
});

it('claims chunk after chunk, the next one while the last is under way, and settles each', async () => {
	const { log } = await run(120, 5);
	expect(log.filter((line) => line.startsWith('claim'))).toEqual([
		'claim 0-49',
		'claim 50-99',
		'claim 100-119',
	]);
	expect(log.filter((line) => line.startsWith('settle')).sort()).toEqual([
		'settle 0-49',
		'settle 100-119',
		'settle 50-99',
	]);
	expect(log.indexOf('claim 50-99')).toBeLessThan(log.indexOf('settle 0-49'));
	expect(log.indexOf('claim 100-119')).toBeGreaterThan(log.indexOf('claim 50-99'));
});

it('claims the next chunk when the middle of this one is sent: no lane waits, and little is in doubt', async () => {
	const { log } = await run(150, 1);
	expect(log.slice(log.indexOf('send 24'), log.indexOf('send 26') + 1)).toEqual([
		'send 24',
		'claim 50-99',
		'send 25',
		'send 26',
	]);
	expect(log.indexOf('claim 100-149')).toBe(log.indexOf('send 75') - 1);
});

it.each([
	[1, 50],
	[12, 50],
	[13, 52],
	[50, 200],
])('a chunk of %d lanes has %d rows', (lanes, rows) => {
	expect(chunkSize(lanes)).toBe(rows);
});

it('has no more than three chunks claimed, however long the sheet: these are in doubt after a crash', async () => {
	const lanes = 5;
	expect((await run(1000, lanes)).doubt).toBeLessThanOrEqual(3 * chunkSize(lanes));
});

it('does nothing for no rows', async () => {
	expect(await run(0, 5)).toMatchObject({ results: [], log: [] });
});
