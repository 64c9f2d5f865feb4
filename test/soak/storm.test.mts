import { CLEAN, inBrief } from '../helpers/soak/audit.mts';
import { tooLate } from '../helpers/soak/faults.mts';
import { MINUTE, setting, tell } from '../helpers/soak/settings.mts';
import { weatherNaive, weatherOurs } from '../helpers/soak/storm.mts';

const ROWS = setting('ROWS', 10_000);
const SEEDS = setting('SEEDS', 20);
/** It needs no more to fail, and would send thousands at the same moment. */
const NAIVE_ROWS = Math.min(ROWS, 500);

const timeoutSeconds = 5;
const more = [tooLate(timeoutSeconds)];

jest.setTimeout(30 * MINUTE);

describe.each(Array.from({ length: SEEDS }, (_, index) => index + 1))('seed %i', (seed) => {
	const retryOnFail = seed % 2 === 0;
	const inputMode = seed % 4 < 2 ? 'columns' : 'fields';

	const weather = async (
		name: string,
		how: { inputMode: 'columns' | 'fields' } | { creates: 'links' },
	) => {
		const run = { rows: ROWS, seed, timeoutSeconds, more, retryOnFail, ...how };
		const { found, outcomes, creates, taken, ...links } = await weatherOurs(run);
		tell(`seed ${seed}, ${name}: ${JSON.stringify({ retryOnFail, outcomes, creates, taken })}`);
		tell(`  ${inBrief(found)}`);
		expect(found).toEqual(CLEAN);
		return links;
	};

	it(`${ROWS} rows, three faults in ten requests: none taken twice, none lost`, async () => {
		await weather(inputMode, { inputMode });
	});

	it(`${ROWS} links: what was taken is found again, each with its own link`, async () => {
		const links = await weather('links', { creates: 'links' });
		expect(links).toEqual({ notFound: [], strayLinks: [] });
	});

	it('a naive node fails the same test', async () => {
		const { found } = await weatherNaive({ rows: NAIVE_ROWS, seed, timeoutSeconds });
		tell(`seed ${seed}, naive: ${found.twice.length} taken twice, ${found.lost.length} lost`);
		expect(found.twice.length).toBeGreaterThan(0);
		expect(found.lost.length).toBeGreaterThan(0);
	});
});
