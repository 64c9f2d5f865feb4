import { measureMemory, type MemoryRun } from '../helpers/soak/memory.mts';
import { MINUTE, setting, tell } from '../helpers/soak/settings.mts';

const ROWS = setting('ROWS', 10_000);
const LOGO_ROWS = setting('LOGO_ROWS', ROWS);
const MOST_MB = 150;
const LOGO = 1024 * 1024;

jest.setTimeout(60 * MINUTE);

const measure = async (run: MemoryRun) => {
	const memory = await measureMemory(run);
	tell(`${JSON.stringify(run)}: ${JSON.stringify(memory)}`);
	return memory;
};

it.each([
	[ROWS, 'without a logo', 0],
	[LOGO_ROWS, 'with a logo of 1 MB', LOGO],
])(`%i rows %s in 50 lanes grow by at most ${MOST_MB} MB`, async (rows, _, logoBytes) => {
	const { accepted, peakMb } = await measure({ node: 'ours', rows, lanes: 50, logoBytes });
	expect(accepted).toBe(rows);
	expect(peakMb).toBeLessThanOrEqual(MOST_MB);
});

it('what a logo costs does not depend on the rows', async () => {
	const few = await measure({ node: 'ours', rows: 200, lanes: 5, logoBytes: LOGO });
	const many = await measure({ node: 'ours', rows: 600, lanes: 5, logoBytes: LOGO });
	// Twice as much would be far less than the three times of a cost per row.
	expect(many.peakMb).toBeLessThan(few.peakMb * 2);
});

it('a naive node grows with every row', async () => {
	const few = await measure({ node: 'naive', rows: 100, lanes: 0, logoBytes: LOGO });
	const many = await measure({ node: 'naive', rows: 300, lanes: 0, logoBytes: LOGO });
	expect(few.peakMb).toBeGreaterThan(MOST_MB);
	expect(many.peakMb).toBeGreaterThan(few.peakMb * 2);
});
