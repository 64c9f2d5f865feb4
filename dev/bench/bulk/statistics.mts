import type { Run } from './measure.mts';

export function median(values: readonly number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = sorted.length >> 1;
	const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[middle]];
	return low === undefined || high === undefined ? NaN : (low + high) / 2;
}

/** All rounds of one peer at one number of lanes. */
export interface Summary {
	peer: string;
	label: string;
	lanes: number | null;
	rows: number;
	rowsPerSecond: number;
	slowest: number;
	fastest: number;
	/** Of what the latency allows with these lanes; null without lanes. */
	ofLatencyLimit: number | null;
	/** How many times as fast columns mode is; null when it did not run. */
	columnsIs: number | null;
	cpuMsPerRow: number;
	peakInFlight: number;
	peakRss: number | null;
	/** The peak above the start. */
	peakGrowth: number | null;
	/** One for each round. */
	runs: Run[];
}

/** The runs of each peer, in the order of their first. */
export function summarise(runs: readonly Run[], latencyMs: number): Summary[] {
	const groups = groupBy(runs, ({ peer, lanes }) => `${peer} ${lanes}`);
	const most = Math.max(...runs.map(({ lanes }) => lanes ?? 0));
	return [...groups.values()].map((group) => {
		const { peer, label, lanes, rows } = group[0]!;
		const rates = group.map(({ rowsPerSecond }) => rowsPerSecond);
		const peaks = group.filter((run) => run.peakRss !== null);
		const ofPeaks = (figure: (run: Run) => number) =>
			peaks.length === 0 ? null : median(peaks.map(figure));
		const columns = groups.get(`columns ${lanes === null || lanes === 1 ? most : lanes}`);
		return {
			peer,
			label,
			lanes,
			rows,
			rowsPerSecond: median(rates),
			slowest: Math.min(...rates),
			fastest: Math.max(...rates),
			ofLatencyLimit: lanes === null ? null : median(rates) / ((lanes / latencyMs) * 1000),
			columnsIs: columns === undefined ? null : ratio(columns, group),
			cpuMsPerRow: median(group.map(({ cpuMsPerRow }) => cpuMsPerRow)),
			peakInFlight: Math.max(...group.map(({ peakInFlight }) => peakInFlight)),
			peakRss: ofPeaks(({ peakRss }) => peakRss!),
			peakGrowth: ofPeaks(({ peakRss, startRss }) => peakRss! - startRss),
			runs: group,
		};
	});
}

/** The median of the rounds' own ratios: a round is short, so the machine is alike for both. */
export const ratio = (runs: readonly Run[], others: readonly Run[]): number =>
	median(runs.map(({ rowsPerSecond }, round) => rowsPerSecond / others[round]!.rowsPerSecond));

function groupBy<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
	const groups = new Map<string, T[]>();
	for (const one of all) {
		const key = keyOf(one);
		const group = groups.get(key);
		if (group) group.push(one);
		else groups.set(key, [one]);
	}
	return groups;
}
