import type { RowResult } from '../../../../nodes/UnifiedPayments/rows/row.ts';
import { createRowNames } from '../../../../nodes/UnifiedPayments/rows/rowNames.ts';
import {
	checkHints,
	duplicateHints,
	sentLines,
	summaryHint,
	summaryText,
} from '../../../../nodes/UnifiedPayments/rows/report/summary.ts';
import { CallError, NotSentError } from '../../../../nodes/UnifiedPayments/transport/errors.ts';
import { Redactor } from '../../../../nodes/UnifiedPayments/transport/redact.ts';
import { failureOf } from '../../../../nodes/UnifiedPayments/transport/verdict.ts';

const names = createRowNames(() => []);
const accepted: RowResult = { items: [{ outcome: 'accepted' }] };
const valid: RowResult = { items: [{ outcome: 'valid' }] };
const duplicate: RowResult = { items: [{ outcome: 'duplicate' }] };
const notSent: RowResult = { error: new NotSentError('a', 'b') };
const odd: RowResult = { error: new Error('anything') };

it('a link that nobody has is not told as done', () => {
	const linkless: RowResult = { items: [{ outcome: 'accepted', link: null }] };
	expect(summaryHint('the payment link', [accepted, linkless])).toMatchObject({
		message: '2 rows for the payment link: 1 accepted, 1 accepted without a link',
		type: 'warning',
	});
	const before: RowResult = { items: [{ outcome: 'duplicate', link: null }] };
	expect(summaryText([linkless, before], names)).toBe(
		'In all: item 1 of the input accepted without a link; item 2 of the input skipped as a duplicate.',
	);
});

it('counts the outcomes, the good ones first', () => {
	const results = [notSent, accepted, duplicate, accepted, odd];
	expect(summaryHint('the collection', results)).toEqual({
		message: '5 rows for the collection: 2 accepted, 1 skipped as a duplicate, 2 not sent',
		type: 'warning',
		location: 'outputPane',
	});
});

it.each([[[accepted, accepted]], [[valid, valid]]])('is no warning when all is well', (results) => {
	expect(summaryHint('the collection', results).type).toBe('info');
});

it.each([
	[{ rows: 1, valid: 1 }, 'info', '1 row: 1 valid.'],
	[{ valid: 1, toCorrect: 1 }, 'warning', '2 rows: 1 valid; 1 to correct.'],
	[{ repeats: 2 }, 'warning', '2 rows: 0 valid; 2 there twice.'],
])('a check says what it found: %j', (found, type, said) => {
	const none = { rows: 2, valid: 0, toCorrect: 0, repeats: 0, notes: ['Look here'] };
	const location = 'outputPane';
	expect(checkHints({ ...none, ...found })).toEqual([
		{ message: expect.stringContaining(said) as string, type, location },
		{ message: 'Look here', type: 'warning', location },
	]);
});

it.each([
	[[accepted, duplicate], 'item 2 of the input'],
	[[duplicate, duplicate, duplicate, duplicate], 'items 1-4 of the input'],
])('tells which rows were sent before', (results, words) => {
	const [hint, ...others] = duplicateHints(results, names);
	expect(hint).toMatchObject({ type: 'warning', location: 'outputPane' });
	expect(hint!.message).toMatch(new RegExp(`^Not sent: ${words}, because`));
	expect([others, duplicateHints([accepted], names)]).toEqual([[], []]);
});

it('names the rows in ranges', () => {
	const results = [
		accepted,
		accepted,
		accepted,
		notSent,
		accepted,
		notSent,
		notSent,
		duplicate,
		duplicate,
	];
	expect(summaryText(results, names)).toBe(
		'In all: items 1-3, 5 of the input accepted; items 8-9 of the input skipped as duplicates; items 4, 6-7 of the input not sent.',
	);
});

it('names them by the numbers of their sheet, from the smallest', () => {
	const numbers = createRowNames(() => [9, 3, 2, 4].map((row_number) => ({ row_number })));
	expect(summaryText([accepted, accepted, accepted, accepted], numbers)).toBe(
		'In all: rows 2-4, 9 accepted.',
	);
});

it.each([
	[10_000, '1,000 rows for the collection in 10 s: 1000 accepted'],
	[600_000, '1,000 rows for the collection in 10 min: 1000 accepted'],
])('a long run says how long it took, in %i ms', (elapsedMs, message) => {
	const many = Array<RowResult>(1000).fill(accepted);
	expect(summaryHint('the collection', many, elapsedMs).message).toBe(message);
});

it('each row that left this machine has a line, with what it takes to find it again', () => {
	const context = {
		node: { name: 'Node', parameters: {} },
		redactor: new Redactor(),
		label: (field: string) => field,
		names,
		unreached: null,
	} as unknown as Parameters<typeof sentLines>[1];
	const subject = { name: 'the collection', creates: true };
	const lost = new CallError(failureOf('noReply'), subject, 'unknown');
	const lines = sentLines(
		[
			{ items: [{ outcome: 'accepted', reference: 'PL-1', link: 'https://p.example/1' }] },
			notSent,
			{ items: [{ outcome: 'accepted', reference: null, link: null, message: 'Created' }] },
			{ items: [{ outcome: 'unknown', message: null }] },
			duplicate,
			valid,
			{ error: lost },
		],
		context,
	);
	expect(lines).toEqual([
		'Item 1 of the input accepted: PL-1 https://p.example/1',
		'Item 3 of the input accepted: Created',
		'Item 4 of the input unknown: ',
		expect.stringMatching(/^Item 7 of the input unknown: .*the collection/) as string,
	]);
});
