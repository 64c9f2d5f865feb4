import { table } from '../bulk/report.mts';
import type { SetUp } from './options.mts';
import type { Summary } from './statistics.mts';

const NONE = '–';

const fixed = (value: number | null | undefined, digits: number, unit = '') =>
	value === null || value === undefined || Number.isNaN(value)
		? NONE
		: `${value.toFixed(digits)}${unit}`;

export function comparison(summaries: readonly Summary[], load: string): string {
	return table([
		[
			load,
			'callbacks/s',
			'executed/s',
			'CPU',
			'p50',
			'p99',
			'to Webhook: CPU',
			'p99',
			'to bare: CPU',
			'p99',
		],
		...summaries
			.filter((each) => each.load === load)
			.map(({ label, perSecond, endedPerSecond, cpuMs, p50, p99, toBare, toWebhook }) => [
				label,
				fixed(perSecond, 1),
				fixed(endedPerSecond, 1),
				fixed(cpuMs, 1, ' ms'),
				fixed(p50, 0, ' ms'),
				fixed(p99, 0, ' ms'),
				fixed(toWebhook?.cpu, 2, ' ×'),
				fixed(toWebhook?.p99, 2, ' ×'),
				fixed(toBare?.cpu, 2, ' ×'),
				fixed(toBare?.p99, 2, ' ×'),
			]),
	]);
}

export interface Verdict {
	goal: string;
	figure: number | null;
	most: number;
	reached: boolean | null;
}

const MAX_CPU: Readonly<Record<string, number>> = { confirm: 1.25, address: 1.1 };
const MOST_P99 = 1.4;
/** Not slower than a bare trigger. */
const AS_BARE = 1;

/** With the settings, beside n8n's Webhook node; without them, beside a bare trigger. */
export const judge = (summaries: readonly Summary[], setUp: SetUp): Verdict[] =>
	summaries
		.filter(({ peer }) => peer in MAX_CPU)
		.flatMap(({ peer, label, load, toBare, toWebhook }) => {
			const verdict = (what: string, figure: number | null | undefined, most: number): Verdict => ({
				goal: `${what}, ${label}, ${load}`,
				figure: figure ?? null,
				most,
				reached: figure === null || figure === undefined ? null : figure <= most,
			});
			return setUp === 'settings'
				? [
						verdict("with the settings: CPU ÷ Webhook node's", toWebhook?.cpu, MAX_CPU[peer]!),
						verdict("with the settings: p99 ÷ Webhook node's", toWebhook?.p99, MOST_P99),
					]
				: [
						verdict("n8n as it is: CPU ÷ bare trigger's", toBare?.cpu, AS_BARE),
						verdict("n8n as it is: p99 ÷ bare trigger's", toBare?.p99, AS_BARE),
					];
		});

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
