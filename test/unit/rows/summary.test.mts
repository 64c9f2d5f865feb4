import type { RowResult } from '../../../nodes/UnifiedPayments/rows/result.ts';
import { summaryHint, summaryText } from '../../../nodes/UnifiedPayments/rows/summary.ts';
import { NotSentError } from '../../../nodes/UnifiedPayments/transport/errors.ts';

const accepted: RowResult = { items: [{ outcome: 'accepted' }] };
const valid: RowResult = { items: [{ outcome: 'valid' }] };
const duplicate: RowResult = { items: [{ outcome: 'duplicate' }] };
const notSent: RowResult = { error: new NotSentError('a', 'b') };
const odd: RowResult = { error: new Error('anything') };

it('counts the outcomes, the good ones first', () => {
	expect(summaryHint('the collection', [notSent, accepted, duplicate, accepted, odd])).toEqual({
		message: '5 rows for the collection: 2 accepted, 1 skipped as duplicates, 2 not sent',
		type: 'warning',
		location: 'outputPane',
	});
});

it.each([[[accepted, accepted]], [[valid, valid]]])('is no warning when all is well', (results) => {
	expect(summaryHint('the collection', results).type).toBe('info');
});

it('is a warning when a row was skipped', () => {
	expect(summaryHint('the collection', [accepted, duplicate]).type).toBe('warning');
});

it('names the rows in ranges', () => {
	const results = [accepted, accepted, accepted, notSent, accepted, notSent, notSent, duplicate];
	expect(summaryText(results)).toBe(
		'In all: rows 1-3, 5 accepted; row 8 skipped as duplicates; rows 4, 6-7 not sent.',
	);
});
