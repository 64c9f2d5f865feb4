import type { Verdict } from './goals.mts';
import type { Run } from './measure.mts';
import type { Options } from './options.mts';
import { median } from './statistics.mts';
import type { Summary } from './statistics.mts';

const NONE = '–';
const KILOBYTE = 1024;
const MEGABYTE = 1024 * KILOBYTE;

const fixed = (value: number | null, digits: number, unit = '') =>
	value === null || Number.isNaN(value) ? NONE : `${value.toFixed(digits)}${unit}`;

/** Columns under their headings: the first to the left, figures to the right. */
export function table(rows: readonly string[][]): string {
	const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
	const line = (row: string[]) =>
		row
			.map((text, column) =>
				column === 0 ? text.padEnd(widths[column]!) : text.padStart(widths[column]!),
			)
			.join('  ');
	const [head, ...body] = rows;
	return [line(head!), widths.map((width) => '─'.repeat(width)).join('  '), ...body.map(line)].join(
		'\n',
	);
}

export function comparison(summaries: readonly Summary[], options: Options): string {
	const { rows, latencyMs, rounds } = options;
	const head = [
		'',
		'lanes',
		'rows/s',
		'slowest–fastest',
		'columns is',
		'of latency limit',
		'CPU/row',
		'most in flight',
		'peak memory',
	];
	const body = summaries.map((each) => [
		each.rows === rows ? each.label : `${each.label} *`,
		each.lanes === null ? NONE : String(each.lanes),
		fixed(each.rowsPerSecond, 0),
		`${fixed(each.slowest, 0)}–${fixed(each.fastest, 0)}`,
		fixed(each.columnsIs, 2, ' ×'),
		fixed(each.ofLatencyLimit, 2),
		fixed(each.cpuMsPerRow, 2, ' ms'),
		String(each.peakInFlight),
		memory(each),
	]);
	const notes = [
		`${rows} rows of eight fields, a service that answers after ${latencyMs} ms, the median of ${rounds} rounds.`,
		"Time: n8n's own time of the peer's nodes together; storing the execution is not in it.",
		'CPU and memory: of the n8n process while those nodes ran; in brackets, what they added to it.',
		'In flight: as the service saw it.',
		'"columns is": the median of each round\'s own ratio; a recipe is compared at the most lanes.',
		'A recipe has no lanes: n8n builds all its requests, and sends them, at once. Its timestamps and',
		'salts come with the rows; a user would need a step that makes them.',
		...summaries
			.filter((each) => each.rows !== rows)
			.map(
				(each) => `* ${each.label}: ${each.rows} rows only; its time grows with each row alike.`,
			),
	];
	return `${table([head, ...body])}\n\n${notes.join('\n')}`;
}

/** An n8n that does nothing is large already, so what was added is shown, too. */
function memory({ peakRss, peakGrowth }: Summary): string {
	if (peakRss === null || peakGrowth === null) return 'n/a';
	return `${fixed(peakRss / MEGABYTE, 0)} MB (+${fixed(peakGrowth / MEGABYTE, 0)})`;
}

/** How cost grows with the rows. Memory is seen in runs of its own, which began in a small n8n. */
export function growth(runs: readonly Run[], memoryRuns: readonly Run[]): string {
	const of = (all: readonly Run[], rows: number, figure: (run: Run) => number) =>
		median(all.filter((run) => run.rows === rows).map(figure));
	const head = ['rows', 'seconds', 'time/row', 'CPU/row', 'peak memory', 'peak/row', 'held/row'];
	const body = [...new Set(runs.map(({ rows }) => rows))].map((rows) => {
		const seconds = of(runs, rows, (run) => run.seconds);
		const cpuMs = of(runs, rows, (run) => run.cpuMsPerRow);
		const peak = of(memoryRuns, rows, (run) => run.peakRss ?? NaN);
		const grown = of(memoryRuns, rows, (run) => (run.peakRss ?? NaN) - run.startRss);
		const held = of(memoryRuns, rows, (run) => run.heapGrowth);
		return [
			String(rows),
			fixed(seconds, 2),
			fixed((seconds * 1000) / rows, 2, ' ms'),
			fixed(cpuMs, 2, ' ms'),
			fixed(peak / MEGABYTE, 0, ' MB'),
			fixed(grown / KILOBYTE / rows, 1, ' KB'),
			fixed(held / KILOBYTE / rows, 1, ' KB'),
		];
	});
	const { label, lanes } = runs[0]!;
	return (
		`How cost grows: ${label}, ${lanes} lanes\n\n${table([head, ...body])}\n\n` +
		'"peak" is what the process grew by, garbage included; "held" is what is left once that is collected:\n' +
		'the items that came out.'
	);
}

/** What it costs to remember rows that were sent long ago. */
export function history(runs: readonly Run[], sent: number): string {
	const before = [0, sent];
	return table([
		['rows sent before', 'rows/s', 'CPU/row', 'peak memory'],
		...runs.map((run, index) => [
			String(before[index]),
			fixed(run.rowsPerSecond, 0),
			fixed(run.cpuMsPerRow, 2, ' ms'),
			fixed((run.peakRss ?? NaN) / MEGABYTE, 0, ' MB'),
		]),
	]);
}

export function verdicts(all: readonly Verdict[]): string {
	const word = (reached: boolean | null) =>
		reached === null ? 'not measured' : reached ? 'reached' : 'MISSED';
	return table([
		['goal', 'figure', 'at least', ''],
		...all.map(({ goal, figure, least, reached }) => [
			goal,
			fixed(figure, 2),
			fixed(least, 2),
			word(reached),
		]),
	]);
}
