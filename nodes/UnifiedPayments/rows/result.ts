import type { Json } from '../protocol/json';
import { outcomeIn } from '../transport/errors';
import type { Outcome } from '../transport/outcome';

/** What went wrong with a row; in a dry run that is a finding, and nothing stops because of it. */
export interface FailedRow {
	error: unknown;
	dryRun?: boolean;
}

/** How one row ended: the items it gave, or what went wrong. */
export type RowResult = { items: Json[] } | FailedRow;

export const failed = (result: RowResult): result is FailedRow => 'error' in result;

/** Runs a row; never throws, since a throw would send the other rows down the wrong branch. */
export async function resultOf(run: () => Promise<Json[]>): Promise<RowResult> {
	try {
		return { items: await run() };
	} catch (error) {
		return { error };
	}
}

/** What became of a row of creates. Whatever went wrong, unless we know better: not sent. */
export const outcomeOfRow = (result: RowResult): Outcome =>
	failed(result) ? (outcomeIn(result.error) ?? 'not_sent') : (result.items[0]?.outcome as Outcome);
