import type { Json } from '../protocol/parse';

/**
 * What this node, and the sheets that are handed out for correcting, write beside a row. Where they come
 * in again they are an earlier run's: the new result replaces them. None of them is a field's own name.
 */
const RESULTS = new Set([
	...['outcome', 'success', 'message', 'data', 'reference', 'link', 'linkFrom', 'request'],
	...['nextStep', 'issues', 'error', 'paidInFull', 'asked', 'awaited', 'what', 'how'],
]);

export const isResult = (column: string): boolean => RESULTS.has(column);

/** A row without what an earlier run has written into it. */
export const withoutResults = <Row extends Json>(row: Row): Partial<Row> =>
	Object.keys(row).some(isResult)
		? (Object.fromEntries(
				Object.entries(row).filter(([column]) => !isResult(column)),
			) as Partial<Row>)
		: row;
