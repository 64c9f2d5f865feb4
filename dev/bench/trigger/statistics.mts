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
	/** Each null when the other did not run. */
	toBare: Ratios | null;
	toWebhook: Ratios | null;
}

/** The medians of the rounds' own ratios. */
export interface Ratios {
	p50: number;
	p99: number;
	/** Null where the system cannot tell. */
	cpu: number | null;
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
		const windows = rounds.flat();
		const times = timesOf(windows);
		const rate = (seconds: (window: Window) => number) =>
			median(windows.map((window) => window.times.length / seconds(window)));
		const to = (other: string) => {
			const found = all.find((each) => each.peer === other && each.load === load);
			return found === undefined ? null : ratios(series, found);
		};
		return {
			peer,
			label,
			load,
			callbacks: times.length,
			p50: percentile(times, 0.5),
			p99: percentile(times, 0.99),
			perSecond: rate(({ seconds }) => seconds),
			endedPerSecond: rate(({ secondsToEnd }) => secondsToEnd),
			cpuMs: cpuOf(windows),
			toBare: to('bare'),
			toWebhook: to('webhook'),
		};
	});
}

const cpuOf = (windows: readonly Window[]): number | null =>
	windows.some(({ cpuMs }) => cpuMs === null) ? null : median(windows.map(({ cpuMs }) => cpuMs!));

function ratios({ rounds }: Series, other: Series): Ratios {
	const ofRounds = (figure: (windows: readonly Window[]) => number) =>
		median(rounds.map((round, index) => figure(round) / figure(other.rounds[index]!)));
	const measured = [...rounds, ...other.rounds].every((round) => cpuOf(round) !== null);
	return {
		p50: ofRounds((windows) => percentile(timesOf(windows), 0.5)),
		p99: ofRounds((windows) => percentile(timesOf(windows), 0.99)),
		cpu: measured ? ofRounds((windows) => cpuOf(windows)!) : null,
	};
}
