import type { IExecuteFunctions } from 'n8n-workflow';

import { CallError } from '../../transport/errors';
import { failed, type Row, type RowResult } from '../row';

/** What became of a row, and by its claim whether this very run sent it. */
interface Finished extends Pick<Row, 'claim'> {
	result: RowResult;
}

/** Rows that an earlier try of the same run finished: n8n may run a node again. */
export interface FinishedRows {
	get(place: number): Finished | undefined;
	set(row: Pick<Row, 'place' | 'claim'>, result: RowResult): void;
}

/**
 * By two objects of n8n that are the same in a retry, and not both the same in anything else:
 * another run of a loop has other execution data, and another call by an AI agent other arguments.
 * They die with the execution, and nothing of this is stored.
 */
const runs = new WeakMap<object, WeakMap<object, Map<number, Finished>>>();

/**
 * With Retry On Fail n8n runs the whole node again; rows that were sent are not sent again. A
 * row is known by its place: its values may be others by then, e.g. with `$now` in an expression.
 */
export function createFinishedRows(context: IExecuteFunctions): FinishedRows {
	const execution: object = context.getExecuteData();
	const firstRow: object = context.getInputData()[0]?.json ?? execution;
	const ofExecution = runs.get(execution) ?? new WeakMap<object, Map<number, Finished>>();
	runs.set(execution, ofExecution);
	const rows = ofExecution.get(firstRow) ?? new Map<number, Finished>();
	ofExecution.set(firstRow, rows);
	return {
		get: (place) => rows.get(place),
		set({ place, claim }, result) {
			if (!neverLeft(result)) rows.set(place, { result, claim });
		},
	};
}

/** Only what never left may be tried by another run of the node. */
const neverLeft = (result: RowResult): boolean =>
	failed(result) && (!(result.error instanceof CallError) || result.error.outcome === 'not_sent');
