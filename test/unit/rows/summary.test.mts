import type { RowResult } from '../../../nodes/UnifiedPayments/rows/result.ts';
import { createRowNames } from '../../../nodes/UnifiedPayments/rows/rowNames.ts';
import { summaryHint, summaryText } from '../../../nodes/UnifiedPayments/rows/summary.ts';
import { NotSentError } from '../../../nodes/UnifiedPayments/transport/errors.ts';

const names = createRowNames(() => ({}));
const accepted: RowResult = { items: [{ outcome: 'accepted' }] };
const valid: RowResult = { items: [{ outcome: 'valid' }] };
const duplicate: RowResult = { items: [{ outcome: 'duplicate' }] };
const notSent: RowResult = { error: new NotSentError('a', 'b') };
const odd: RowResult = { error: new Error('anything') };

it('counts the outcomes, the good ones first', () => {
	expect(
		summaryHint('the collection', [notSent, accepted, duplicate, accepted, odd], names),
	).toEqual({
		message: '5 rows for the collection: 2 accepted, 1 skipped as a duplicate, 2 not sent',
		type: 'warning',
		location: 'outputPane',
	});
});

it.each([[[accepted, accepted]], [[valid, valid]]])('is no warning when all is well', (results) => {
	expect(summaryHint('the collection', results, names).type).toBe('info');
});

it('is a warning when a row was skipped', () => {
	expect(summaryHint('the collection', [accepted, duplicate], names).type).toBe('warning');
});

it('names the rows in ranges', () => {
	const results = [accepted, accepted, accepted, notSent, accepted, notSent, notSent, duplicate];
	expect(summaryText(results, names)).toBe(
		'In all: rows 1-3, 5 accepted; row 8 skipped as a duplicate; rows 4, 6-7 not sent.',
	);
});

it('names them by the numbers of their sheet, from the smallest', () => {
	const numbers = createRowNames((row) => ({ row_number: [9, 3, 2, 4][row] }));
	expect(summaryText([accepted, accepted, accepted, accepted], numbers)).toBe(
		'In all: rows 2-4, 9 accepted.',
	);
});

it.each([
	[9999, '2 rows for the collection: 2 accepted'],
	[10_000, '2 rows for the collection in 10 s: 2 accepted'],
	[600_000, '2 rows for the collection in 10 min: 2 accepted'],
])('a long run says how long it took: %i ms', (elapsedMs, message) => {
	const hint = summaryHint('the collection', [accepted, accepted], names, elapsedMs);
	expect(hint.message).toBe(message);
});

it('large numbers are easy to read', () => {
	const many = Array<RowResult>(1000).fill(accepted);
	expect(summaryHint('the collection', many, names).message).toContain('1,000 rows for');
});
