import { CLEAN, inBrief } from '../helpers/soak/audit.mts';
import { tooLate } from '../helpers/soak/faults.mts';
import { MINUTE, setting, tell } from '../helpers/soak/settings.mts';
import { weatherOurs } from '../helpers/soak/storm.mts';

const ROWS = setting('ROWS', 10_000);
const SEEDS = setting('SEEDS', 20);

const timeoutSeconds = 5;
const more = [tooLate(timeoutSeconds)];

jest.setTimeout(30 * MINUTE);

// A naive node fails the same in `test/integration/bulk/storm.test.mts`.

describe.each(Array.from({ length: SEEDS }, (_, index) => index + 1))('seed %i', (seed) => {
	const retryOnFail = seed % 2 === 0;
	const inputMode = seed % 4 < 2 ? 'columns' : 'fields';

	it.each([
		[`rows in ${inputMode}: none taken twice, none lost`, { inputMode }],
		['links: what was taken is found again, each with its own link', { creates: 'links' }],
	] as const)(`three faults in ten requests, ${ROWS} %s`, async (name, how) => {
		const run = { rows: ROWS, seed, timeoutSeconds, more, retryOnFail, ...how };
		const { found, outcomes, creates, sent, taken, ...links } = await weatherOurs(run);
		tell(`seed ${seed}, ${name}: ${JSON.stringify({ retryOnFail, outcomes, creates, taken })}`);
		tell(`  ${inBrief(found)}`);
		expect(found).toEqual(CLEAN);
		expect(creates).toBe(sent);
		if ('creates' in how) expect(links).toEqual({ notFound: [], strayLinks: [] });
	});
});
