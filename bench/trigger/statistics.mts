import { median } from '../bulk/statistics.mts';
import type { Window } from './measure.mts';

/** Windows of one peer under one load, round by round. */
export interface Series {
	peer: string;
	label: string;
	load: string;
	rounds: Window[][];
}

export interface Summary {
	peer: string;
	label: string;
	load: string;
	callbacks: number;
	p50: number;
	p99: number;
	/** Acknowledged in a second. */
	perSecond: number;
	/** Executed to the end in a second. */
	endedPerSecond: number;
	/** Of the n8n process for each callback, its execution included; null where the system cannot tell. */
	cpuMs: number | null;
	/** To the bare trigger: the median of the rounds' own ratios. Null when it did not run. */
	p50Ratio: number | null;
	p99Ratio: number | null;
}

const timesOf = (windows: readonly Window[]) => windows.flatMap(({ times }) => times);

/** The nearest rank: a time that was measured. */
function percentile(times: readonly number[], share: number): number {
	const sorted = [...times].sort((a, b) => a - b);
	return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? NaN;
}

export function summarise(all: readonly Series[]): Summary[] {
	return all.map((series) => {
		const { peer, label, load, rounds } = series;
		const bare = all.find((each) => each.peer === 'bare' && each.load === load);
		const windows = rounds.flat();
		const times = timesOf(windows);
		const rate = (seconds: (window: Window) => number) =>
			median(windows.map((window) => window.times.length / seconds(window)));
		const ratio = (share: number) =>
			bare === undefined
				? null
				: median(
						rounds.map(
							(round, index) =>
								percentile(timesOf(round), share) / percentile(timesOf(bare.rounds[index]!), share),
						),
					);
		return {
			peer,
			label,
			load,
			callbacks: times.length,
			p50: percentile(times, 0.5),
			p99: percentile(times, 0.99),
			perSecond: rate(({ seconds }) => seconds),
			endedPerSecond: rate(({ secondsToEnd }) => secondsToEnd),
			cpuMs: windows.some(({ cpuMs }) => cpuMs === null)
				? null
				: median(windows.map(({ cpuMs }) => cpuMs!)),
			p50Ratio: ratio(0.5),
			p99Ratio: ratio(0.99),
		};
	});
}
