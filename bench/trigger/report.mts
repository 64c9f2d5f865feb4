import { table } from '../bulk/report.mts';
import type { Summary } from './statistics.mts';

const NONE = '–';
const MOST = 1.25;

const fixed = (value: number | null, digits: number, unit = '') =>
	value === null || Number.isNaN(value) ? NONE : `${value.toFixed(digits)}${unit}`;

export function comparison(summaries: readonly Summary[], load: string): string {
	return table([
		[load, 'acknowledged/s', 'executed/s', 'CPU', 'p50', 'p99', 'p50 to bare', 'p99 to bare'],
		...summaries
			.filter((each) => each.load === load)
			.map((each) => [
				each.label,
				fixed(each.perSecond, 0),
				fixed(each.endedPerSecond, 0),
				fixed(each.cpuMs, 1, ' ms'),
				fixed(each.p50, 1, ' ms'),
				fixed(each.p99, 1, ' ms'),
				fixed(each.p50Ratio, 2, ' ×'),
				fixed(each.p99Ratio, 2, ' ×'),
			]),
	]);
}

export interface Verdict {
	goal: string;
	figure: number | null;
	most: number;
	reached: boolean | null;
}

export const judge = (summaries: readonly Summary[]): Verdict[] =>
	summaries
		.filter(({ peer }) => peer === 'confirm' || peer === 'token')
		.map(({ label, load, p99Ratio }) => ({
			goal: `p99 to the acknowledgement, ${label} ÷ bare trigger, ${load}`,
			figure: p99Ratio,
			most: MOST,
			reached: p99Ratio === null ? null : p99Ratio <= MOST,
		}));

export function verdicts(all: readonly Verdict[]): string {
	const word = (reached: boolean | null) =>
		reached === null ? 'not measured' : reached ? 'reached' : 'MISSED';
	return table([
		['goal', 'figure', 'at most', ''],
		...all.map(({ goal, figure, most, reached }) => [
			goal,
			fixed(figure, 2),
			fixed(most, 2),
			word(reached),
		]),
	]);
}
