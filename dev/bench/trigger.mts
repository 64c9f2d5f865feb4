// How long a sender of callbacks waits for the acknowledgement of a real n8n.
//
//   npm run bench:trigger -- --help
//
// n8n runs the executions in the process that answers, so the callbacks of one moment wait for the
// executions of the moment before. To treat all peers alike, everything is measured in windows: a
// window begins when n8n is idle, sends the same number of callbacks to one peer, and ends when their
// executions have ended; the peers take turns window by window, each time in another order. There are
// two kinds of windows: one callback on each connection, where hardly anything but the endpoint counts;
// and a load without a pause, where the executions that have begun meanwhile are in the times. All of it
// happens twice: on an n8n as it is, and on one with the two settings that docs/running-n8n.md names.
import { fileURLToPath } from 'node:url';

import { buildIfStale, EXPRESSIONS_ON_DEMAND, startHost } from '../host/n8n/index.mts';
import type { Host } from '../host/n8n/index.mts';
import { command, machine, save, say } from './shared/command.mts';
import { countFailures, measure } from './trigger/measure.mts';
import type { Window, WindowRequest } from './trigger/measure.mts';
import { readOptions, USAGE } from './trigger/options.mts';
import type { Options, SetUp } from './trigger/options.mts';
import { installPeers } from './trigger/peers.mts';
import type { Peer } from './trigger/peers.mts';
import { comparison, judge, verdicts } from './trigger/report.mts';
import type { Verdict } from './trigger/report.mts';
import { startService } from './trigger/serviceClient.mts';
import type { Service } from './trigger/serviceClient.mts';
import { summarise } from './trigger/statistics.mts';
import type { Series, Summary } from './trigger/statistics.mts';

const PACKAGE = fileURLToPath(new URL('./package', import.meta.url));

interface Load extends WindowRequest {
	name: string;
	/** In a round. */
	windows: number;
}

const loadsOf = ({ connections, requests, windows }: Options): Load[] => [
	// A window of so few callbacks is soon over: more of them make the last hundredth mean something.
	{ name: `${connections} at once`, connections, requests: 1, windows: windows * 3 },
	{ name: `${connections} × ${requests} without a pause`, connections, requests, windows },
];

/** How n8n is set up. */
const SET_UPS: Record<SetUp, { label: string; env: Record<string, string> }> = {
	settings: { label: 'with the two settings', env: EXPRESSIONS_ON_DEMAND },
	default: { label: 'n8n as it is', env: {} },
};

async function main(options: Options): Promise<void> {
	await buildIfStale();
	const service = await startService();
	const problems: string[] = [];
	const results: Result[] = [];
	try {
		for (const setUp of options.setUps) {
			const { label, env } = SET_UPS[setUp];
			say(`\n# ${label}`);
			const host = await startHost({ packages: [PACKAGE], report: say, env });
			try {
				const { series, summaries } = await compare(options, host, service, problems);
				results.push({ setUp, series, summaries, goals: judge(summaries, setUp) });
			} finally {
				await host.stop();
			}
		}
	} finally {
		await service.stop();
	}
	say(
		'\nTimes: from the last byte handed to a connection that was open to the last byte of the answer.\n' +
			'CPU: of the n8n process for each callback, its execution included.\n' +
			'Ratios: the median of the rounds, each compared with the same round of the other.\n' +
			'"that reads a credential": what n8n itself takes for any trigger that has a secret to compare.\n' +
			'"then HTTP Request": what a user would have to build to know what this trigger confirms, without\n' +
			'skipping repeats.',
	);
	say(`\n${verdicts(results.flatMap(({ goals }) => goals))}`);
	await save('bench-trigger', { options, machine: machine(), results });
	for (const problem of new Set(problems)) console.error(`WRONG: ${problem}`);
	if (problems.length > 0) process.exitCode = 1;
}

interface Result {
	setUp: SetUp;
	series: Series[];
	summaries: Summary[];
	goals: Verdict[];
}

async function compare(
	options: Options,
	host: Host,
	service: Service,
	problems: string[],
): Promise<{ series: Series[]; summaries: Summary[] }> {
	const { clientId, title: sender, secretKey } = service.integration;
	const account = { baseUrl: service.url, clientId, sender, secretKey };
	const type = 'unifiedPaymentsApi';
	const credential = await host.client.createCredential('Sandbox', type, account);
	const peers = await installPeers(host, credential, account, options.only);
	const loads = loadsOf(options);
	const run = async (peer: Peer, load: Load): Promise<Window> => {
		const window = await measure(host, service, peer, load);
		problems.push(...window.problems.map((problem) => `${peer.label}: ${problem}`));
		return window;
	};

	say('Warming up');
	for (let turn = 0; turn < (options.full ? 2 : 1); turn++) {
		for (const load of loads) for (const peer of peers) await run(peer, load);
	}

	const series: Series[] = loads.flatMap(({ name: load }) =>
		peers.map(({ name: peer, label }) => ({ peer, label, load, rounds: [] })),
	);
	let turn = 0;
	for (let round = 0; round < options.rounds; round++) {
		say(`Round ${round + 1} of ${options.rounds}`);
		for (const load of loads) {
			const own = series.filter((each) => each.load === load.name);
			for (const each of own) each.rounds.push([]);
			for (let window = 0; window < load.windows; window++) {
				for (const peer of rotated(peers, turn++)) {
					const to = own.find((each) => each.peer === peer.name)!;
					to.rounds[round]!.push(await run(peer, load));
				}
			}
		}
	}

	for (const peer of peers) {
		const failures = await countFailures(host, peer);
		if (failures > 0) problems.push(`${peer.label}: ${failures} executions did not succeed`);
	}
	const summaries = summarise(series);
	for (const { name } of loads) say(`\n${comparison(summaries, name)}`);
	return { series, summaries };
}

/** Another peer is first each time: what the machine does meanwhile must not hit always the same. */
const rotated = <T,>(all: readonly T[], turn: number): T[] => {
	const start = turn % all.length;
	return [...all.slice(start), ...all.slice(0, start)];
};

await command(readOptions, USAGE, main);
