import { createProgress } from '../../../nodes/UnifiedPayments/rows/lanes.ts';

/** Rows that end one every `stepMs`. */
function lines(outcomes: string[], stepMs: number): string[] {
	let now = 5000;
	const said: string[] = [];
	const tell = createProgress(
		outcomes.length,
		() => now,
		(line) => said.push(line),
	);
	for (const outcome of outcomes) {
		now += stepMs;
		tell(outcome);
	}
	return said;
}

it('says every three seconds how far it is, and with what', () => {
	const outcomes = Array.from({ length: 10 }, (_, row) => (row === 1 ? 'rejected' : 'accepted'));
	expect(lines(outcomes, 1000)).toEqual([
		'3 of 10 rows done (30 %), about 7 s left: 2 accepted, 1 rejected',
		'6 of 10 rows done (60 %), about 4 s left: 5 accepted, 1 rejected',
		'9 of 10 rows done (90 %), about 1 s left: 8 accepted, 1 rejected',
	]);
});

it('says nothing in a short run, and nothing about the end, which has its own summary', () => {
	expect(lines(Array<string>(1000).fill('accepted'), 2)).toEqual([]);
	expect(lines(['accepted'], 10_000)).toEqual([]);
});

it('says minutes when it takes minutes', () => {
	const [line] = lines(Array<string>(200).fill('accepted'), 3000);
	expect(line).toBe('1 of 200 rows done (0 %), about 10 min left: 1 accepted');
});
