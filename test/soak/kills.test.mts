import { buildIfStale } from '../../host/n8n/index.mts';
import { CLEAN, inBrief } from '../helpers/soak/audit.mts';
import { planOf, tooLate } from '../helpers/soak/faults.mts';
import { killAndRerun, type Survived } from '../helpers/soak/kills.mts';
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
const NAIVE_KILLS = 3;

jest.setTimeout(60 * MINUTE);

// The very first start on a machine installs n8n.
beforeAll(async () => await buildIfStale(), 30 * MINUTE);

const show = (name: string, { found, notFound, ...figures }: Survived) => {
	const rest = JSON.stringify({ ...figures, notFound: notFound.length });
	tell(`${name}: ${rest}; ${inBrief(found)}`);
};

/** How many a run takes on average before it is killed, so that some are left after the last kill. */
const STRIDE = Math.max(2, Math.floor((ROWS / KILLS) * 0.4));

it.each([
	[1, 'columns', inColumns],
	[2, 'fields', inFields],
] as const)(
	`n8n is killed ${KILLS} times in the middle of a sheet (seed %i, %s): nothing taken twice, nothing lost`,
	async (seed, name, read) => {
		const survived = await killAndRerun({
			type: OURS,
			parameters: read({ concurrency: 10, timeoutSeconds: 5 }),
			rows: sheet(ROWS, seed),
			seed,
			kills: KILLS,
			stride: STRIDE,
			faultPlan: planOf(seed, tooLate(5)),
			tell,
		});
		show(`seed ${seed}, ${name}`, survived);
		expect(survived.kills).toBe(KILLS);
		expect(survived.found).toEqual(CLEAN);
		expect(survived.outcomes.duplicate).toBeGreaterThan(0);
	},
);

it(`n8n is killed ${KILLS} times in the middle of a sheet of links: in the end each has its own`, async () => {
	const survived = await killAndRerun({
		type: OURS,
		parameters: linksInFields({ concurrency: 10, timeoutSeconds: 5 }),
		rows: sheet(ROWS, 4),
		seed: 4,
		kills: KILLS,
		stride: STRIDE,
		faultPlan: planOf(4, tooLate(5)),
		creates: 'links',
		tell,
	});
	show('seed 4, links', survived);
	expect(survived.kills).toBe(KILLS);
	expect(survived.found).toEqual(CLEAN);
	expect(survived).toMatchObject({ notFound: [], strayLinks: [], linkless: 0 });
});

const LANES = 10;
const PLAIN_KILLS = Math.min(KILLS, 5);

it(`after ${PLAIN_KILLS} kills without any fault, at most two rows per lane and kill are in doubt in vain`, async () => {
	const survived = await killAndRerun({
		type: OURS,
		parameters: inColumns({ concurrency: LANES }),
		rows: goodSheet(1_000, 3),
		seed: 3,
		kills: PLAIN_KILLS,
		stride: 120,
		faultPlan: null,
		tell,
	});
	show('no faults', survived);
	expect(survived.kills).toBe(PLAIN_KILLS);
	expect(survived.found).toEqual(CLEAN);
	expect(survived.doubtedInVain).toBeLessThanOrEqual(2 * LANES * PLAIN_KILLS);
});

it('a naive node has its rows taken twice by the same, even without a fault', async () => {
	const survived = await killAndRerun({
		type: NAIVE,
		parameters: forNaive(),
		rows: goodSheet(300, 1),
		seed: 1,
		kills: NAIVE_KILLS,
		stride: 50,
		faultPlan: null,
	});
	show('naive', survived);
	expect(survived.kills).toBe(NAIVE_KILLS);
	expect(survived.found.twice.length).toBeGreaterThan(0);
});
