import type { IExecuteFunctions } from 'n8n-workflow';

import { CallError } from '../transport/errors';
import { failed, type RowResult } from './result';

/** Rows that an earlier try of the same run finished: the host may run a node again. */
export interface FinishedRows {
	get(row: number, fingerprint: string): RowResult | undefined;
	set(row: number, fingerprint: string, result: RowResult): void;
}

interface Run {
	runIndex: unknown;
	rows: Map<string, RowResult>;
}

/**
 * By the host's own context object of this node in this execution: it outlives a retry of the
 * node and dies with the execution, and nothing of it is stored.
 */
const runs = new WeakMap<object, Run>();

/** With Retry On Fail the host runs the whole node again; rows that were sent are not sent again. */
export function createFinishedRows(context: IExecuteFunctions): FinishedRows {
	const owner = context.getContext('node');
	const runIndex = context.evaluateExpression('{{ $runIndex }}', 0);
	const earlier = runs.get(owner);
	// In a loop the same node runs many times in one execution; only a retry keeps the run index.
	const isRetry = earlier !== undefined && earlier.runIndex === runIndex;
	const rows = isRetry ? earlier.rows : new Map<string, RowResult>();
	runs.set(owner, { runIndex, rows });
	return {
		get: (row, fingerprint) => rows.get(`${row} ${fingerprint}`),
		set(row, fingerprint, result) {
			if (!mayBeSent(result)) rows.set(`${row} ${fingerprint}`, result);
		},
	};
}

/** Only what never left may be tried by another run of the node. */
const mayBeSent = (result: RowResult): boolean =>
	failed(result) && (!(result.error instanceof CallError) || result.error.outcome === 'not_sent');
