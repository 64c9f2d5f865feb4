import type { IExecuteFunctions } from 'n8n-workflow';

import { CallError } from '../transport/errors';
import type { Memory } from './runCreates';
import { failed, type RowResult } from './result';

interface Finished {
	runIndex: unknown;
	rows: Map<string, RowResult>;
}

/**
 * By the host's own context object of this node in this execution: it outlives a retry of the
 * node and dies with the execution, and nothing of it is stored.
 */
const finished = new WeakMap<object, Finished>();

/** With Retry On Fail the host runs the whole node again; rows that were sent are not sent again. */
export function createMemory(context: IExecuteFunctions): Memory {
	const owner = context.getContext('node');
	const runIndex = context.evaluateExpression('{{ $runIndex }}', 0);
	const known = finished.get(owner);
	// In a loop the same node runs many times in one execution; only a retry keeps the run index.
	const again = known !== undefined && known.runIndex === runIndex;
	const rows = again ? known.rows : new Map<string, RowResult>();
	finished.set(owner, { runIndex, rows });
	return {
		get: (row, key) => rows.get(`${row} ${key}`),
		set(row, key, result) {
			if (!mayBeSent(result)) rows.set(`${row} ${key}`, result);
		},
	};
}

/** Only what never left may be tried by another run of the node. */
const mayBeSent = (result: RowResult): boolean =>
	failed(result) && (!(result.thrown instanceof CallError) || result.thrown.outcome === 'not_sent');
