import { barChart } from '../shared/chart.mts';
import type { machine } from '../shared/command.mts';
import type { Options, SetUp } from './options.mts';
import type { Summary } from './statistics.mts';

/** What `reports/bench-trigger.json` holds, as far as it is drawn. */
export interface TriggerReport {
	options: Pick<Options, 'connections' | 'requests' | 'rounds'>;
	machine: Pick<ReturnType<typeof machine>, 'at' | 'n8n' | 'cores'>;
	results: ReadonlyArray<{
		setUp: SetUp;
		summaries: ReadonlyArray<Pick<Summary, 'peer' | 'label' | 'load' | 'cpuMs'>>;
	}>;
}

const OURS = ['confirm', 'token'];
const NAMES: Readonly<Record<SetUp, string>> = { settings: '', default: ', n8n as it is' };

/** What a callback takes, under a load without a pause. */
export function triggerChart({ options, machine, results }: TriggerReport): string {
	const { connections, requests, rounds } = options;
	const { at, n8n, cores } = machine;
	const bars = results.flatMap(({ setUp, summaries }) =>
		summaries
			.filter(({ load, cpuMs }) => load.endsWith('without a pause') && cpuMs !== null)
			.map(({ peer, label, cpuMs }) => ({
				label: `${label}${NAMES[setUp]}`,
				value: cpuMs!,
				text: `${cpuMs!.toFixed(cpuMs! < 100 ? 1 : 0)} ms`,
				isOurs: OURS.includes(peer),
			})),
	);
	return barChart({
		title: 'CPU time of a callback: the shorter, the better',
		subtitle: `${connections} × ${requests} callbacks without a pause, with the two settings unless it says otherwise, n8n ${n8n}, ${cores} cores, ${at.slice(0, 10)}. ${rounds} rounds.`,
		bars,
	});
}
