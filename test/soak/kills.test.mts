import { buildIfStale } from '../../host/n8n/index.mts';
import { CLEAN, inBrief } from '../helpers/soak/audit.mts';
import { planOf, tooLate } from '../helpers/soak/faults.mts';
import { killAndRerun, type Ordeal, type Survived } from '../helpers/soak/kills.mts';
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

/** How many a run takes on average before it is killed, so that some are left after the last kill. */
const STRIDE = Math.max(2, Math.floor((ROWS / KILLS) * 0.4));

const USUAL = { type: OURS, kills: KILLS, stride: STRIDE, tell };

async function survive(
	name: string,
	ordeal: Partial<Ordeal> & Pick<Ordeal, 'seed' | 'parameters' | 'rows' | 'faultPlan'>,
): Promise<Survived> {
	const survived = await killAndRerun({ ...USUAL, ...ordeal });
	const { found, notFound, ...figures } = survived;
	const rest = JSON.stringify({ ...figures, notFound: notFound.length });
	tell(`${name}: ${rest}; ${inBrief(found)}`);
	expect(survived.kills).toBe(ordeal.kills ?? KILLS);
	return survived;
}

it.each([
	[1, 'columns', inColumns],
	[2, 'fields', inFields],
] as const)(
	`n8n is killed ${KILLS} times in the middle of a sheet (seed %i, %s): nothing taken twice, nothing lost`,
	async (seed, name, read) => {
		const parameters = read({ concurrency: 10, timeoutSeconds: 5 });
		const faultPlan = planOf(seed, tooLate(5));
		const rows = sheet(ROWS, seed);
		const survived = await survive(`seed ${seed}, ${name}`, { seed, parameters, rows, faultPlan });
		expect(survived.found).toEqual(CLEAN);
		expect(survived.outcomes.duplicate).toBeGreaterThan(0);
	},
);

it(`n8n is killed ${KILLS} times in the middle of a sheet of links: in the end each has its own`, async () => {
	const survived = await survive('seed 4, links', {
		seed: 4,
		parameters: linksInFields({ concurrency: 10, timeoutSeconds: 5 }),
		rows: sheet(ROWS, 4),
		faultPlan: planOf(4, tooLate(5)),
		creates: 'links',
	});
	expect(survived.found).toEqual(CLEAN);
	expect(survived).toMatchObject({ notFound: [], strayLinks: [], linkless: 0 });
});

const LANES = 10;
const PLAIN_KILLS = Math.min(KILLS, 5);

it(`after ${PLAIN_KILLS} kills without any fault, at most two rows per lane and kill are in doubt in vain`, async () => {
	const survived = await survive('no faults', {
		...{ seed: 3, kills: PLAIN_KILLS, stride: 120, faultPlan: null },
		parameters: inColumns({ concurrency: LANES }),
		rows: goodSheet(1_000, 3),
	});
	expect(survived.found).toEqual(CLEAN);
	expect(survived.doubtedInVain).toBeLessThanOrEqual(2 * LANES * PLAIN_KILLS);
});

it('a naive node has its rows taken twice by the same, even without a fault', async () => {
	const { found } = await survive('naive', {
		...{ type: NAIVE, seed: 1, kills: 3, stride: 50, faultPlan: null },
		parameters: forNaive(),
		rows: goodSheet(300, 1),
	});
	expect(found.twice.length).toBeGreaterThan(0);
});
