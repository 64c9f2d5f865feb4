import type { Outcome } from '../protocol/explainedError';
import type { Json } from '../protocol/parse';

/** What this node writes beside a row: an item's new results replace them. None is a field's own name. */
const RESULTS = new Set([
	...['outcome', 'success', 'message', 'data', 'reference', 'link', 'linkFrom', 'request'],
	...['nextStep', 'issues', 'error', 'paidInFull', 'asked', 'awaited'],
]);

/** Every result of a create has one of these. */
const OUTCOMES: ReadonlySet<unknown> = new Set(
	Object.keys({
		accepted: true,
		rejected: true,
		not_sent: true,
		unknown: true,
		duplicate: true,
		valid: true,
	} satisfies Record<Outcome, true>),
);

export const isResult = (column: string): boolean => RESULTS.has(column);

const without = <Row extends Json>(row: Row, isDropped: (column: string) => boolean) =>
	Object.keys(row).some(isDropped)
		? (Object.fromEntries(
				Object.entries(row).filter(([column]) => !isDropped(column)),
			) as Partial<Row>)
		: row;

/** A row as it may stand beside its new result: nothing in it can be taken for one. */
export const withoutResults = <Row extends Json>(row: Row): Partial<Row> => without(row, isResult);

const isEmpty = (cell: unknown): boolean => cell === '' || cell === null || cell === undefined;

/**
 * A row without what an earlier run has written into it. A column of such a name is the user's own where
 * no outcome stands beside it; an empty one says nothing. n8n itself writes `error`.
 */
export function withoutEarlierResults<Row extends Json>(row: Row): Partial<Row> {
	const isWritten = OUTCOMES.has(row.outcome);
	return without(
		row,
		(column) => isResult(column) && (isWritten || column === 'error' || isEmpty(row[column])),
	);
}
