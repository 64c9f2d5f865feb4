import type { CreateOperation } from '../actions/operation';
import { isReady, type CheckedRow } from './checkRows';
import { createItem } from './createItem';
import type { FinishedRows } from './finishedRows';
import type { RowResult } from './result';
import { notSent } from './sendRow';

/** The result of a row that needs no sending; undefined when it is to be sent. */
export function skipRow(
	operation: CreateOperation,
	finished: FinishedRows,
	checked: CheckedRow | undefined,
	row: number,
): RowResult | undefined {
	if (checked === undefined) return { error: notSent('the execution was cancelled') };
	if (!isReady(checked)) return checked;
	const { prepared, options, fingerprint, repeats } = checked;
	const earlier = finished.get(row, fingerprint);
	if (earlier) return earlier;
	if (repeats !== null) {
		const message = `Not sent: the same as row ${repeats + 1}`;
		return { items: [createItem(operation, 'duplicate', prepared, { message })] };
	}
	return options.dryRun ? { items: [createItem(operation, 'valid', prepared)] } : undefined;
}
