import type { Json } from '../actions/operation';

/** What was thrown for a row; in a dry run that is a finding, and nobody is to blame. */
export interface FailedRow {
	thrown: unknown;
	dryRun?: boolean;
}

/** How one row ended: the items it gave, or what was thrown. */
export type RowResult = { items: Json[] } | FailedRow;

export const failed = (result: RowResult): result is FailedRow => 'thrown' in result;

/** Runs a row; never throws, since a throw would send the other rows down the wrong branch. */
export async function settle(run: () => Promise<Json[]>): Promise<RowResult> {
	try {
		return { items: await run() };
	} catch (thrown) {
		return { thrown };
	}
}
