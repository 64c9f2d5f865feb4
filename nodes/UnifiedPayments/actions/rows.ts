import type { Json } from './operation';

/** How one row ended: the items it gave, or what was thrown. */
export type RowResult = { items: Json[] } | { thrown: unknown };

export const failed = (result: RowResult): result is { thrown: unknown } => 'thrown' in result;

/** Runs a row; never throws, since a throw would send the other rows down the wrong branch. */
export async function settle(run: () => Promise<Json[]>): Promise<RowResult> {
	try {
		return { items: await run() };
	} catch (thrown) {
		return { thrown };
	}
}
