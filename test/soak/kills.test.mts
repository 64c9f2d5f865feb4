import { buildIfStale } from '../../dev/host/n8n/index.mts';
import { CLEAN } from '../helpers/soak/audit.mts';
import { planOf, tooLate } from '../helpers/soak/faults.mts';
import { killAndRerun } from '../helpers/soak/kills.mts';
import { OURS } from '../helpers/soak/server.mts';
import { MINUTE, setting } from '../helpers/soak/settings.mts';
import { inColumns, inFields, linksInFields, sheet } from '../helpers/soak/sheet.mts';

const ROWS = setting('KILL_ROWS', 4_000);
const KILLS = setting('KILLS', 20);

// A naive node fails the same in `test/integration/bulk/kills.test.mts`.
jest.setTimeout(60 * MINUTE);

// The very first start on a machine installs n8n.
beforeAll(async () => await buildIfStale(), 30 * MINUTE);

it.each([
	['a sheet by its columns: nothing taken twice, nothing lost', 1, inColumns, 'collections'],
	['a sheet by its fields: nothing taken twice, nothing lost', 2, inFields, 'collections'],
	['a sheet of links: in the end each has its own', 4, linksInFields, 'links'],
] as const)(`n8n is killed ${KILLS} times in the middle of %s`, async (_, seed, read, creates) => {
	const survived = await killAndRerun({
		...{ type: OURS, seed, creates, kills: KILLS },
		// So that some are left after the last kill.
		stride: Math.max(2, Math.floor((ROWS / KILLS) * 0.4)),
		parameters: read({ concurrency: 10, timeoutSeconds: 5 }),
		rows: sheet(ROWS, seed),
		faultPlan: planOf(seed, tooLate(5)),
	});
	expect(survived).toMatchObject({ kills: KILLS, found: CLEAN });
	expect(survived.outcomes.duplicate).toBeGreaterThan(0);
	if (creates === 'links')
		expect(survived).toMatchObject({ notFound: [], strayLinks: [], linkless: [] });
});
