import { createRowNames, type RowResult } from '../../../../nodes/UnifiedPayments/rows/row.ts';
import {
	rowHints,
	checkHints,
	duplicateHints,
	noLinkHint,
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
	expect(summaryHint('the payment link', [accepted, linkless], names)).toMatchObject({
		message: '2 rows for the payment link: 1 accepted, 1 accepted without a link',
		type: 'warning',
	});
	expect(summaryText([linkless], names)).toBe('In all: row 1 accepted without a link.');
});

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

it('names the rows in ranges', () => {
	const results = [accepted, accepted, accepted, notSent, accepted, notSent, notSent, duplicate];
	expect(summaryText(results, names)).toBe(
		'In all: rows 1-3, 5 accepted; row 8 skipped as a duplicate; rows 4, 6-7 not sent.',
	);
});

it('names them by the numbers of their sheet, from the smallest', () => {
	const numbers = createRowNames(() => [9, 3, 2, 4].map((row_number) => ({ row_number })));
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

const shown = { type: 'warning', location: 'outputPane' };

describe('rows that were not sent because they were sent before', () => {
	const about =
		"not sent, because the same payment was sent before. For a charge that repeats, e.g. every month, give each one an order reference of its own, e.g. with the month, or a 'Duplicate Key' if you use it.";
	const asError: RowResult = { error: new NotSentError('a', 'b', 'duplicate') };

	it.each([
		['one', [accepted, duplicate, accepted], `Row 2 was ${about}`],
		['some', [duplicate, duplicate, accepted, duplicate], `Rows 1-2, 4 were ${about}`],
	])('are named: %s', (_, results, message) => {
		expect(duplicateHints(results, names)).toEqual([{ message, ...shown }]);
	});

	it('are not named where there are none, or each is an error that says so', () => {
		expect(duplicateHints([accepted, notSent], names)).toEqual([]);
		expect(duplicateHints([asError, accepted], names)).toEqual([]);
	});
});

it('links that nobody has are named', () => {
	expect(noLinkHint([1], names)).toEqual({
		message: 'Row 2 has no link, so nobody can pay yet. The message says what to do.',
		...shown,
	});
	expect(noLinkHint([0, 1, 4], names).message).toBe(
		'Rows 1-2, 5 have no link, so nobody can pay yet. The message says what to do.',
	);
});

it('what is odd about callback URLs is told once for each kind', () => {
	const hints = rowHints(
		[
			{ row: 4, note: 'noUrl' },
			{ row: 0, note: 'tooLong' },
			{ row: 1, note: 'noUrl' },
			{ row: 2, note: 'notCarried' },
		],
		names,
	);
	expect(hints).toEqual([
		{
			message: expect.stringMatching(/^Row 1 has a callback URL of more than/) as string,
			...shown,
		},
		{
			message: expect.stringMatching(/^Row 3 has an order reference that a callback/) as string,
			...shown,
		},
		{
			message: expect.stringMatching(/^Rows 2, 5 have an order reference but no/) as string,
			...shown,
		},
	]);
	expect(rowHints([], names)).toEqual([]);
});

it('each row that left this machine has a line, with what it takes to find it again', () => {
	const context = {
		node: { name: 'Node', parameters: {} },
		redactor: new Redactor(),
		label: (field: string) => field,
		names,
		unreached: null,
	} as unknown as Parameters<typeof sentLines>[1];
	const lost = new CallError(
		failureOf('noReply'),
		{ name: 'the collection', creates: true },
		'unknown',
	);
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
		'Row 1 accepted: PL-1 https://p.example/1',
		'Row 3 accepted: Created',
		'Row 4 unknown: ',
		expect.stringMatching(/^Row 7 unknown: .*the collection/) as string,
	]);
});

it.each([
	[
		{ rows: 6, valid: 4, toCorrect: 1, duplicates: 1 },
		'6 rows: 4 would be sent; 1 to correct; 1 sent before, or there twice. Nothing was sent.',
		'warning',
	],
	[
		{ rows: 1, valid: 1, toCorrect: 0, duplicates: 0 },
		'1 row: 1 would be sent. Nothing was sent.',
		'info',
	],
])('a check says what would happen: %j', (checked, message, type) => {
	const notes = ['Look at this.'];
	expect(checkHints({ ...checked, notes })).toEqual([
		{ message, type, location: 'outputPane' },
		{ message: 'Look at this.', ...shown },
	]);
});
