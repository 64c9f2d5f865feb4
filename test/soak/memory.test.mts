import { measureMemory } from '../helpers/soak/memory.mts';
import { MINUTE, setting, tell } from '../helpers/soak/settings.mts';

const ROWS = setting('ROWS', 10_000);
const MAX_MB = 150;

// A naive node is measured in `test/integration/bulk/memory.test.mts`.
it.each([
	[ROWS, 'without a logo', 50, 0],
	[setting('LOGO_ROWS', ROWS), 'with a logo of 1 MB', 10, 1024 * 1024],
])(
	`%i rows %s, %i at the same time, grow by at most ${MAX_MB} MB`,
	async (rows, _, lanes, logoBytes) => {
		const memory = await measureMemory({ node: 'ours', rows, lanes, logoBytes });
		tell(JSON.stringify({ rows, lanes, logoBytes, ...memory }));
		expect(memory.accepted).toBe(rows);
		expect(memory.peakMb).toBeLessThanOrEqual(MAX_MB);
	},
	60 * MINUTE,
);
