// How fast rows become collections on a real n8n, beside what a user could do instead.
//
//   npm run bench:bulk -- --help
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { buildIfStale, N8N_VERSION, startHost } from '../host/index.mts';
import type { Host } from '../host/index.mts';
import { judgeGoals } from './bulk/goals.mts';
import { install } from './bulk/measure.mts';
import type { Run, Runner } from './bulk/measure.mts';
import { readOptions, USAGE } from './bulk/options.mts';
import type { Options } from './bulk/options.mts';
import { peersIn } from './bulk/peers.mts';
import type { Peer, Setting } from './bulk/peers.mts';
import { topCosts } from './bulk/profile.mts';
import { comparison, growth, verdicts } from './bulk/report.mts';
import { startService } from './bulk/serviceClient.mts';
import type { Service } from './bulk/serviceClient.mts';
import { summarise } from './bulk/statistics.mts';

const REPORT = join('reports', 'bench-bulk.json');
const PACKAGE = fileURLToPath(new URL('./package', import.meta.url));
const WARM_UP_ROWS = 100;

interface Ready {
	peer: Peer;
	run: Runner;
}

const say = (line = '') => console.log(line);

async function main(options: Options): Promise<void> {
	await buildIfStale();
	const service = await startService(options.latencyMs);
	const host = await startHost({ packages: [PACKAGE], report: say });
	try {
		await compare(options, host, service);
	} finally {
		await host.stop();
		await service.stop();
	}
}

async function compare(options: Options, host: Host, service: Service): Promise<void> {
	const setting = await prepare(options, host, service);
	if (!setting.hasColumns) say('This build of the node has no columns mode: it is left out.');
	const peers: Ready[] = [];
	for (const peer of peersIn(setting)) {
		peers.push({ peer, run: await install(host, service, peer) });
	}

	say(`Warming up with ${WARM_UP_ROWS} rows each`);
	const all: Run[] = [];
	const measure = async (heading: string, { peer, run }: Ready, rows: number, profile?: string) => {
		const result = await run({ rows, profile });
		all.push(result);
		say(`  ${heading}  ${title(peer)}  ${rows} rows  ${speed(result)}`);
		return result;
	};
	for (const each of peers) await measure('warm-up', each, WARM_UP_ROWS);

	const runs: Run[] = [];
	const growing: Run[] = [];
	const columns = peers.find(({ peer }) => peer.name === 'columns');
	for (let round = 0; round < options.rounds; round++) {
		const heading = `round ${round + 1}/${options.rounds}`;
		for (const each of rotated(peers, round, options.rounds)) {
			runs.push(await measure(heading, each, each.peer.rows));
		}
		for (const rows of columns ? options.growth : []) {
			growing.push(await measure(heading, columns!, rows));
		}
	}

	const order = peers.map(({ peer }) => title(peer));
	runs.sort((a, b) => order.indexOf(title(a)) - order.indexOf(title(b)));
	const summaries = summarise(runs, options.latencyMs);
	const goals = judgeGoals(summaries, options.lanes);
	say(`\n${comparison(summaries, options)}`);
	if (growing.length > 0) say(`\n${growth(growing)}`);
	say(`\n${verdicts(goals)}`);
	await save({ options, machine: machine(), summaries, growth: growing, goals });

	if (options.profile !== null) {
		const folder = resolve(options.profile);
		await mkdir(folder, { recursive: true });
		for (const each of peers) {
			const file = join(folder, `${each.peer.name}-${each.peer.lanes ?? 'no'}-lanes.cpuprofile`);
			await measure('profile', each, each.peer.rows, file);
			say(`\n${title(each.peer)}: ${file}\n\n${await topCosts(file, each.peer.rows)}\n`);
		}
	}

	const wrong = all.filter(({ problems }) => problems.length > 0);
	for (const run of wrong) console.error(`WRONG: ${title(run)}: ${run.problems.join('; ')}`);
	if (wrong.length > 0) process.exitCode = 1;
}

async function prepare(options: Options, host: Host, service: Service): Promise<Setting> {
	const { url, integration } = service;
	const { client } = host;
	const { clientId, title: sender, secretKey } = integration;
	const [type] = await client.nodeTypes('n8n-nodes-unified-payments.unifiedPayments');
	return {
		options,
		url,
		integration,
		credential: await client.createCredential('Sandbox', 'unifiedPaymentsApi', {
			baseUrl: url,
			clientId,
			sender,
			secretKey,
		}),
		cryptoCredential: await client.createCredential('Crypto', 'crypto', { hmacSecret: secretKey }),
		hasColumns: type?.properties.some(({ name }) => name === 'inputMode') === true,
	};
}

const title = ({ label, lanes }: { label: string; lanes: number | null }) =>
	lanes === null ? label : `${label}, ${lanes} lanes`;

const speed = ({ rowsPerSecond, problems }: Run) =>
	problems.length > 0 ? `WRONG: ${problems.join('; ')}` : `${rowsPerSecond.toFixed(0)} rows/s`;

/** Another peer is first in each round: what the machine does meanwhile must not hit always the same. */
function rotated<T>(all: readonly T[], round: number, rounds: number): T[] {
	const start = Math.floor((round * all.length) / rounds);
	return [...all.slice(start), ...all.slice(0, start)];
}

const machine = () => ({
	at: new Date().toISOString(),
	n8n: process.env.N8N_HOST_VERSION || N8N_VERSION,
	platform: process.platform,
	cores: cpus().length,
	cpu: cpus()[0]?.model ?? null,
});

async function save(report: object): Promise<void> {
	await mkdir('reports', { recursive: true });
	await writeFile(REPORT, JSON.stringify(report, null, '\t'));
	say(`\nAll figures: ${REPORT}`);
}

try {
	const options = readOptions(process.argv.slice(2));
	if (options === null) say(USAGE);
	else await main(options);
} catch (error) {
	console.error((error as Error).message);
	process.exitCode = 2;
}
