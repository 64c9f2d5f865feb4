import { buildIfStale } from '../../host/n8n/index.mts';
import { CLEAN, inBrief } from '../helpers/soak/audit.mts';
import { planOf, tooLate } from '../helpers/soak/faults.mts';
import { killAndRerun, type Ordeal } from '../helpers/soak/kills.mts';
import { NAIVE, OURS } from '../helpers/soak/server.mts';
import { MINUTE, setting, tell } from '../helpers/soak/settings.mts';
import {
	forNaive,
	goodSheet,
	inColumns,
	inFields,
	linksInFields,
	sheet,
} from '../helpers/soak/sheet.mts';

const ROWS = setting('KILL_ROWS', 4_000);
const KILLS = setting('KILLS', 20);

jest.setTimeout(60 * MINUTE);

// The very first start on a machine installs n8n.
beforeAll(async () => await buildIfStale(), 30 * MINUTE);

async function survive(ordeal: Ordeal) {
	const survived = await killAndRerun(ordeal);
	const { found, notFound, ...figures } = survived;
	const rest = JSON.stringify({ ...figures, notFound: notFound.length });
	tell(`${ordeal.type}, seed ${ordeal.seed}: ${rest}; ${inBrief(found)}`);
	expect(survived.kills).toBe(ordeal.kills);
	return survived;
}

it.each([
	['a sheet by its columns: nothing taken twice, nothing lost', 1, inColumns, 'collections'],
	['a sheet by its fields: nothing taken twice, nothing lost', 2, inFields, 'collections'],
	['a sheet of links: in the end each has its own', 4, linksInFields, 'links'],
] as const)(`n8n is killed ${KILLS} times in the middle of %s`, async (_, seed, read, creates) => {
	const survived = await survive({
		...{ type: OURS, seed, creates, kills: KILLS },
		// So that some are left after the last kill.
		stride: Math.max(2, Math.floor((ROWS / KILLS) * 0.4)),
		parameters: read({ concurrency: 10, timeoutSeconds: 5 }),
		rows: sheet(ROWS, seed),
		faultPlan: planOf(seed, tooLate(5)),
	});
	expect(survived.found).toEqual(CLEAN);
	expect(survived.outcomes.duplicate).toBeGreaterThan(0);
	if (creates === 'links') expect(survived).toMatchObject({ notFound: [], withoutOwnLink: [] });
});

it('a naive node has its rows taken twice by the same, even without a fault', async () => {
	const { found } = await survive({
		...{ type: NAIVE, seed: 1, creates: 'collections', kills: 3, stride: 50, faultPlan: null },
		parameters: forNaive(),
		rows: goodSheet(300, 1),
	});
	expect(found.twice.length).toBeGreaterThan(0);
});
