import { FAULT_KINDS } from '../../../dev/sandbox/index.mts';
import { CLEAN } from '../../helpers/soak/audit.mts';
import { MIX, STOPS_THE_BATCH } from '../../helpers/soak/faults.mts';
import { weatherNaive, weatherOurs } from '../../helpers/soak/storm.mts';

// A short form of `test/soak`.
const USUAL = { rows: 300, timeoutSeconds: 30 };

jest.setTimeout(120_000);

it('the faults are all that the sandbox knows', () => {
	const kinds = new Set([...MIX.map(({ kind }) => kind), ...STOPS_THE_BATCH]);
	expect([...kinds].sort()).toEqual([...FAULT_KINDS].sort());
});

describe.each([
	[1, 'fields', false],
	[2, 'columns', true],
] as const)(
	'three faults in ten, seed %i, %s, Retry On Fail %s',
	(seed, inputMode, retryOnFail) => {
		it('no order is taken twice, and every row has the one outcome that is true', async () => {
			const storm = { ...USUAL, seed, inputMode, retryOnFail };
			const { found, outcomes, creates, sent, taken } = await weatherOurs(storm);
			expect(found).toEqual(CLEAN);
			// It was a storm: each outcome came up, and rows without an answer were really taken. The
			// sandbox does not know them by their order reference, so they stay unknown.
			const all = 'accepted, duplicate, not_sent, rejected, unknown';
			expect(Object.keys(outcomes).sort().join(', ')).toBe(all);
			expect(taken).toBeGreaterThan(outcomes.accepted!);
			// Retry On Fail or not: one POST for each row that was sent.
			expect(creates).toBe(sent);
		});

		it('a naive node fails the same test', async () => {
			const { found } = await weatherNaive({ ...USUAL, seed });
			expect(found.twice.length).toBeGreaterThan(0);
			expect(found.lost.length).toBeGreaterThan(0);
		});
	},
);

it.each([false, true])(
	'links are found again in the list: unknown is only what was not taken, Retry On Fail %s',
	async (retryOnFail) => {
		const storm = { ...USUAL, seed: 3, creates: 'links', retryOnFail } as const;
		const { found, outcomes, creates, sent, taken, ...links } = await weatherOurs(storm);
		expect(found).toEqual(CLEAN);
		expect(links).toEqual({ notFound: [], strayLinks: [] });
		expect(taken).toBe(outcomes.accepted);
		expect(outcomes.unknown).toBeGreaterThan(0);
		expect(creates).toBe(sent);
	},
);
