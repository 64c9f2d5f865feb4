import { measureMemory } from '../../helpers/soak/memory.mts';

const MAX_MB = 150;
// A logo of 1 MB that all rows share. Ten thousand rows are in `test/soak`.
const RUN = { rows: 120, lanes: 50, logoBytes: 1024 * 1024 };

jest.setTimeout(180_000);

it('a logo that all rows share is held once; a naive node holds it once per row', async () => {
	const [ours, naive] = await Promise.all([
		measureMemory({ ...RUN, node: 'ours' }),
		measureMemory({ ...RUN, node: 'naive' }),
	]);
	expect(ours.accepted).toBe(RUN.rows);
	expect(ours.peakMb).toBeLessThan(MAX_MB);
	expect(naive.peakMb).toBeGreaterThan(MAX_MB);
});
