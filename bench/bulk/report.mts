import type { Verdict } from './goals.mts';
import type { Run } from './measure.mts';
import type { Options } from './options.mts';
import { median } from './statistics.mts';
import type { Summary } from './statistics.mts';

const NONE = '–';
const MEGABYTE = 1024 * 1024;

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

/** How cost grows with the rows. */
export function growth(runs: readonly Run[]): string {
	const sizes = [...new Set(runs.map(({ rows }) => rows))];
	const at = (rows: number, figure: (run: Run) => number) =>
		median(runs.filter((run) => run.rows === rows).map(figure));
	const kilobytes = (figure: (run: Run) => number | null) => (run: Run) =>
		(figure(run) ?? NaN) / 1024 / run.rows;
	const head = [
		'rows',
		'seconds',
		'time/row',
		'CPU/row',
		'peak memory',
		'above start/row',
		'held/row',
	];
	const body = sizes.map((rows) => [
		String(rows),
		fixed(
			at(rows, ({ seconds }) => seconds),
			2,
		),
		fixed(
			at(rows, ({ seconds }) => (seconds / rows) * 1000),
			2,
			' ms',
		),
		fixed(
			at(rows, ({ cpuMsPerRow }) => cpuMsPerRow),
			2,
			' ms',
		),
		fixed(
			at(rows, ({ peakRss }) => (peakRss ?? NaN) / MEGABYTE),
			0,
			' MB',
		),
		fixed(
			at(
				rows,
				kilobytes(({ peakRss, startRss }) => peakRss && peakRss - startRss),
			),
			1,
			' KB',
		),
		fixed(
			at(
				rows,
				kilobytes(({ heapGrowth }) => heapGrowth),
			),
			1,
			' KB',
		),
	]);
	const [label, lanes] = [runs[0]!.label, runs[0]!.lanes];
	return (
		`How cost grows: ${label}, ${lanes} lanes\n\n${table([head, ...body])}\n\n` +
		'"above start" is the peak before garbage is collected; "held" is what is left afterwards, with\n' +
		'the items that came out.'
	);
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
