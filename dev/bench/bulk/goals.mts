import { ratio } from './statistics.mts';
import type { Run } from './measure.mts';
import type { Summary } from './statistics.mts';

export interface Verdict {
	goal: string;
	/** Null when one of both sides did not run. */
	figure: number | null;
	least: number;
	reached: boolean | null;
}

/** What the node must reach, and whether it does. */
export function checkGoals(
	summaries: readonly Summary[],
	lanes: readonly number[],
	/** A fresh node, and the same one with a history; empty when that was not measured. */
	[fresh, remembering]: readonly Run[],
): Verdict[] {
	const most = Math.max(...lanes);
	const fewest = Math.min(...lanes);
	const find = (peer: string, at?: number) =>
		summaries.find((each) => each.peer === peer && (at === undefined || each.lanes === at));
	const columns = find('columns', most);
	const best = [find('recipe'), find('batched')]
		.filter((each) => each !== undefined)
		.sort((a, b) => b.rowsPerSecond - a.rowsPerSecond)[0];
	return [
		atLeast(0.95, `columns ÷ floor, ${most} lanes`, over(columns, find('floor', most))),
		atLeast(
			0.9,
			`columns ÷ latency limit, ${fewest} lanes`,
			find('columns', fewest)?.ofLatencyLimit ?? null,
		),
		atLeast(1.2, `columns ÷ ${best?.label ?? 'recipe, best form'}`, over(columns, best)),
		atLeast(2, 'columns ÷ recipe, usual form', over(columns, find('usual'))),
		atLeast(0.6, `fields ÷ columns, ${most} lanes`, over(find('fields', most), columns)),
		atLeast(3, 'fields ÷ recipe, usual form', over(find('fields', most), find('usual'))),
		atLeast(
			0.9,
			'columns with a history ÷ fresh',
			fresh && remembering ? ratio([remembering], [fresh]) : null,
		),
		...['columns', 'fields', 'links'].map((peer) => withinLanes(peer, summaries)),
	];
}

const over = (one: Summary | undefined, other: Summary | undefined): number | null =>
	one === undefined || other === undefined ? null : ratio(one.runs, other.runs);

const atLeast = (least: number, goal: string, figure: number | null): Verdict => ({
	goal,
	figure,
	least,
	reached: figure === null ? null : figure >= least,
});

/** The share of runs that never had more requests in flight than lanes. */
function withinLanes(peer: string, summaries: readonly Summary[]): Verdict {
	const runs = summaries.filter((each) => each.peer === peer).flatMap((each) => each.runs);
	const good = runs.filter(({ peakInFlight, lanes }) => peakInFlight <= (lanes ?? 0));
	const goal = `${peer}: runs with no more requests in flight than lanes`;
	return atLeast(1, goal, runs.length === 0 ? null : good.length / runs.length);
}
