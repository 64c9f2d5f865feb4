import type { CreateOperation } from '../../../nodes/UnifiedPayments/actions/operation.ts';
import { createRowNames } from '../../../nodes/UnifiedPayments/rows/rowNames.ts';
import { runCheck } from '../../../nodes/UnifiedPayments/rows/runCheck.ts';
import type { SentBefore } from '../../../nodes/UnifiedPayments/rows/sentBefore.ts';
import { Redactor } from '../../../nodes/UnifiedPayments/transport/redact.ts';

type Run = Parameters<typeof runCheck>[0];
type Told = Awaited<ReturnType<SentBefore['ask']>>[number];

/** Checks rows with these orders; earlier creates told this about them. */
async function check(
	orders: string[],
	{
		told = {},
		options = {},
		...more
	}: Partial<Run> & { told?: Record<string, Told>; options?: object } = {},
) {
	const warnings: string[] = [];
	const asked: number[] = [];
	const names = createRowNames(() => ({}));
	const run = {
		operation: {
			path: '/collect',
			prepare: async ({ order }: { order: string }) => ({
				params: { order },
				shown: {},
				payment: {
					orderReference: order,
					payer: [],
					item: '',
					amount: '10',
					currency: 'KES',
					countryId: 1,
				},
			}),
		} as unknown as CreateOperation,
		count: orders.length,
		read: (row: number) => ({ fields: { order: orders[row]! }, options }),
		item: (row: number) => ({ order: orders[row]! }),
		files: () => ({}),
		names,
		client: {
			forRow: () => ({
				credential: async () => ({
					baseUrl: 'https://api.example.com',
					identity: { clientId: 'c', sender: 's', secretKey: 'k' },
					callbackToken: null,
				}),
			}),
		},
		cancelled: () => false,
		yieldToHost: async () => {},
		sentBefore: {
			ask: async (rows: Parameters<SentBefore['ask']>[0]) => {
				asked.push(rows.length);
				return rows.map(({ prepared }) => told[prepared.payment.orderReference!] ?? null);
			},
		},
		errors: { redactor: new Redactor(), label: (field: string) => field, names, unreached: null },
		warn: (line: string) => warnings.push(line),
		...more,
	} as unknown as Run;
	return { result: await runCheck(run), warnings, asked };
}

it('says which rows would not be sent, and why, in the order of the rows', async () => {
	const { result } = await check(['A', 'B', 'A', 'C', 'D'], { told: { B: 'sent', D: 'open' } });
	expect(result).toMatchObject({
		rows: 5,
		valid: 2,
		toCorrect: 0,
		duplicates: 3,
		totals: [{ currency: 'KES', rows: 2, amount: 20 }],
		problems: [],
		skipped: [
			{ row: 2, message: 'It was sent before, and accepted, so it would not be sent again.' },
			{ row: 3, message: 'It is the same as row 1 (item 0), so it would not be sent.' },
			{
				row: 5,
				message: 'It was sent before, and no answer is on record, so it would not be sent again.',
			},
		],
		items: [
			{ order: 'A', row_number: 1 },
			{ order: 'C', row_number: 4 },
		],
	});
});

it('what has no answer is sent again where that is wanted; what was accepted is not', async () => {
	const { result } = await check(['A', 'B'], {
		told: { A: 'open', B: 'sent' },
		options: { onDuplicate: 'sendUnanswered' },
	});
	expect(result).toMatchObject({ valid: 1, items: [{ order: 'A' }], skipped: [{ row: 2 }] });
});

it('looks up a thousand rows at a time', async () => {
	const orders = Array.from({ length: 2500 }, (_, row) => `O-${row}`);
	const { result, asked } = await check(orders, { told: { 'O-2499': 'sent' } });
	expect(asked).toEqual([1000, 1000, 500]);
	expect(result.skipped).toMatchObject([{ row: 2500 }]);
	expect((await check(orders.slice(0, 1000))).asked).toEqual([1000]);
});

it('goes on, and says so, when that cannot be looked up', async () => {
	const ask = async () => {
		throw new Error('the database is locked');
	};
	const { result, warnings } = await check(['A'], { sentBefore: { ask } as unknown as SentBefore });
	expect(result.valid).toBe(1);
	expect(warnings).toEqual([
		'What earlier runs sent could not be looked up: the database is locked',
	]);
});

it('rows that it did not come to are no valid ones', async () => {
	let left = 1;
	const { result } = await check(['A', 'B', 'C'], { cancelled: () => left-- <= 0 });
	expect(result).toMatchObject({ rows: 3, valid: 1, toCorrect: 2 });
	expect(result.problems).toMatchObject([
		{ row: 2, message: 'The execution was cancelled' },
		{ row: 3, message: 'The execution was cancelled' },
	]);
});
