import { buildIfStale } from '../../host/n8n/index.mts';
import { endure } from '../helpers/soak/callbacks.mts';
import { MINUTE, setting, tell } from '../helpers/soak/settings.mts';

const KILLS = setting('KILLS', 20);
/** It needs no more to fail. */
const NAIVE_KILLS = Math.min(KILLS, 3);
const IN_FLIGHT = 20;
const RETRIES = 5;

// Every kill is followed by a start of n8n.
jest.setTimeout(90 * MINUTE);

beforeAll(async () => await buildIfStale(), 30 * MINUTE);

it(`${KILLS} kills with ${IN_FLIGHT} callbacks in flight: none that was acknowledged is missing`, async () => {
	const { missing, stuck, retried, inFlight, ...figures } = await endure({
		trigger: 'ours',
		kills: KILLS,
		inFlight: IN_FLIGHT,
		retries: RETRIES,
		report: tell,
	});
	tell(
		`ours: ${JSON.stringify({ ...figures, missing: missing.length, stuck: stuck.length, retried })}`,
	);

	expect({ missing, stuck }).toEqual({ missing: [], stuck: [] });
	expect(figures.acknowledged).toBeGreaterThanOrEqual(5 * KILLS);
	// The one whose acknowledgement led to the kill is over by then.
	expect(Math.min(...inFlight)).toBeGreaterThanOrEqual(IN_FLIGHT - 1);
	// What was cut short after it was emitted counts as seen: retried, it must come out all the same.
	expect(figures.statuses.crashed).toBeGreaterThan(0);
	expect(retried.length).toBeGreaterThan(0);
	expect(retried).toEqual(retried.map(() => ({ status: 'success', items: 1 })));
});

it(`a naive trigger loses acknowledged callbacks in ${NAIVE_KILLS} kills`, async () => {
	const { missing, acknowledged } = await endure({
		trigger: 'naive',
		kills: NAIVE_KILLS,
		inFlight: IN_FLIGHT,
		retries: 1,
		report: tell,
	});
	tell(`naive: ${missing.length} of ${acknowledged} acknowledged callbacks are missing`);

	expect(missing.length).toBeGreaterThan(0);
});
