import type { IDataObject, IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';

import type { RowOperation } from '../../../../nodes/UnifiedPayments/rows/operation.ts';
import { toOutput } from '../../../../nodes/UnifiedPayments/rows/report/items.ts';
import type { RowReader } from '../../../../nodes/UnifiedPayments/rows/read/readRows.ts';
import { createRowNames, type RowResult } from '../../../../nodes/UnifiedPayments/rows/row.ts';
import {
	NotAttemptedError,
	NotSentError,
} from '../../../../nodes/UnifiedPayments/transport/errors.ts';
import { Redactor } from '../../../../nodes/UnifiedPayments/transport/redact.ts';

const CREATE = {
	kind: 'create',
	name: 'the payment link',
	noReply: { link: null },
} as unknown as RowOperation;
const READ = { kind: 'read' } as unknown as RowOperation;

const item = (outcome: string, message: string | null = null): RowResult => ({
	items: [{ outcome, message }],
});

interface Given {
	operation?: RowOperation;
	onError?: string;
	withInput?: boolean;
	hints?: () => NodeExecutionHint[];
	input?: IDataObject[];
}

function output(
	results: RowResult[],
	{ operation = CREATE, onError = 'stopWorkflow', withInput = false, ...more }: Given = {},
) {
	const hints: string[] = [];
	const node = { name: 'Node', parameters: {}, onError };
	const context = {
		addExecutionHints: (...added: NodeExecutionHint[]) =>
			hints.push(...added.map(({ message }) => message)),
		continueOnFail: () => onError !== 'stopWorkflow',
		getInputData: () => results.map((_, row) => ({ json: more.input?.[row] ?? { row } })),
		getNode: () => node,
	} as unknown as IExecuteFunctions;
	const reader = { hints: more.hints ?? (() => []) } as unknown as RowReader;
	const errors = {
		node,
		redactor: new Redactor(),
		label: (field: string) => field,
		names: createRowNames(() => []),
		unreached: null,
	} as unknown as Parameters<typeof toOutput>[4]['errors'];
	let items: unknown;
	let error: { message: string; description: string; messages: string[] } | undefined;
	try {
		items = toOutput(context, operation, results, reader, { errors, withInput, elapsedMs: 0 });
	} catch (thrown) {
		error = thrown as typeof error;
	}
	return { hints, items, error };
}

describe('what the editor shows above the output', () => {
	it('does not fail where the reader has nothing to say', () => {
		const { hints } = output([item('accepted'), item('accepted')], {
			hints: () => {
				throw new Error('no sheet');
			},
		});
		expect(hints).toEqual(['2 rows for the payment link: 2 accepted']);
	});

	it('is nothing for one row, and for reads', () => {
		expect(output([item('accepted')]).hints).toEqual([]);
		const odd = item('duplicate');
		expect(output([odd, odd], { operation: READ }).hints).toEqual([]);
	});

	it('names duplicates and missing links, also of one row', () => {
		expect(output([item('duplicate')]).hints).toEqual([
			expect.stringMatching(/^Row 1 was not sent/),
		]);
		const linkless: RowResult = { items: [{ outcome: 'accepted', link: null }] };
		const told = 'no link, so nobody can pay yet. The message says what to do.';
		expect(output([linkless]).hints).toEqual([`Row 1 has ${told}`]);
		expect(output([item('accepted'), linkless]).hints).toEqual([
			expect.stringContaining('1 accepted, 1 accepted without a link'),
			`Row 2 has ${told}`,
		]);
	});
});

describe('an error that ends the run', () => {
	const leftAlone: RowResult = {
		error: new NotAttemptedError('Left alone', 'Because of another.'),
	};
	const culprit: RowResult = { error: new NotSentError('It is bad', 'Correct it.') };

	it('is that of the row that is to blame, with what became of the others', () => {
		const { error } = output([item('accepted', 'Created'), leftAlone, culprit]);
		expect(error?.message).toBe('It is bad [Item 2]');
		expect(error?.description).toMatch(/In all: row 1 accepted; rows 2-3 not sent\.$/);
		expect(error?.messages).toContain('Row 1 accepted: Created');
	});

	it('is any where none is to blame', () => {
		expect(output([item('accepted'), leftAlone]).error?.message).toContain('Left alone');
	});

	it('speaks of nothing else for one row', () => {
		const { error } = output([culprit]);
		expect(error?.description).not.toContain('In all');
	});

	it('is none for a finding of a dry run', () => {
		const { items, error } = output([{ ...culprit, dryRun: true }]);
		expect(error).toBeUndefined();
		expect(items).toMatchObject([
			{ json: { outcome: 'not_sent', message: expect.stringContaining('It is bad') as string } },
		]);
	});
});
