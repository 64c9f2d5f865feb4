import { barChart } from '../shared/chart.mts';
import type { machine } from '../shared/command.mts';
import type { Options } from './options.mts';
import type { Summary } from './statistics.mts';

/** What `reports/bench-bulk.json` holds, as far as it is drawn. */
export interface BulkReport {
	options: Pick<Options, 'rows' | 'latencyMs' | 'rounds'>;
	machine: Pick<ReturnType<typeof machine>, 'at' | 'n8n' | 'cores'>;
	summaries: ReadonlyArray<
		Pick<Summary, 'peer' | 'label' | 'lanes' | 'rowsPerSecond' | 'slowest' | 'fastest'>
	>;
}

const OURS = ['columns', 'fields'];

/** How many rows a second each way of sending a sheet sends. */
export function bulkChart({ options, machine: { at, n8n, cores }, summaries }: BulkReport): string {
	const { rows, latencyMs, rounds } = options;
	return barChart({
		title: 'Rows a second',
		subtitle: `${rows.toLocaleString('en')} rows, a service that answers after ${latencyMs} ms, n8n ${n8n}, ${cores} cores, ${at.slice(0, 10)}. Median of ${rounds} rounds, slowest to fastest.`,
		bars: summaries.map(({ peer, label, lanes, rowsPerSecond, slowest, fastest }) => ({
			label: lanes === null || lanes === 1 ? label : `${label}, ${lanes} at once`,
			value: rowsPerSecond,
			text: rowsPerSecond.toFixed(0),
			range: [slowest, fastest],
			isOurs: OURS.includes(peer),
		})),
	});
}
