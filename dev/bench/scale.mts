// How much n8n does in queue mode, with one worker and with two, all on one machine.
//
//   npm run bench:scale -- --help
//
// Everything shares the cores of this machine, the database included: figures per second say what this
// machine does, and CPU per callback by process says what to plan with elsewhere.
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';

import { buildIfStale, startHost } from '../host/n8n/index.mts';
import type { Host } from '../host/n8n/index.mts';
import type { Queue } from '../host/n8n/queue/cluster.mts';
import { call } from '../host/shared/http.mts';
import { until } from '../host/shared/until.mts';
import { peersIn } from './bulk/peers.mts';
import { table } from './bulk/report.mts';
import { startService as startBulkService } from './bulk/serviceClient.mts';
import type { Service as BulkService } from './bulk/serviceClient.mts';
import { median } from './bulk/statistics.mts';
import { workflowOf } from './bulk/workflow.mts';
import { readOptions, USAGE } from './scale/options.mts';
import type { Options } from './scale/options.mts';
import { command, machine, save, say } from './shared/command.mts';
import { cpuOf, cpuOfTree } from './shared/cpu.mts';
import { measure } from './trigger/measure.mts';
import { installPeers, TOKEN } from './trigger/peers.mts';
import type { Peer } from './trigger/peers.mts';
import { startService } from './trigger/serviceClient.mts';

const PACKAGE = fileURLToPath(new URL('./package', import.meta.url));
const LANES = 50;
const PEERS = ['confirm', 'token', 'webhook'];

type Cpu = Record<'webhook' | 'workers' | 'main' | 'database' | 'redis', number>;

async function cpuNow({ services, main, webhook, workers }: Queue): Promise<Cpu> {
	const ofWorkers = await Promise.all(workers.map(async ({ pid }) => await cpuOf(pid)));
	return {
		webhook: (await cpuOf(webhook().pid)) ?? NaN,
		workers: ofWorkers.reduce((sum: number, each) => sum + (each ?? 0), 0),
		main: (await cpuOf(main().pid)) ?? NaN,
		database: (await cpuOfTree(services.postgres.pid)) ?? NaN,
		redis: (await cpuOfTree(services.redis.pid)) ?? NaN,
	};
}

interface Callbacks {
	label: string;
	workers: number;
	perSecond: number[];
	endedPerSecond: number[];
	/** For each callback, in milliseconds. */
	cpu: Cpu[];
}

interface Rows {
	workers: number;
	perSecond: number[];
}

async function main(options: Options): Promise<void> {
	process.env.N8N_HOST_MODE = 'queue';
	await buildIfStale();
	const service = await startService();
	const bulk = await startBulkService(options.latencyMs);
	const host = await startHost({ packages: [PACKAGE], report: say });
	const queue = host.queue!;
	try {
		const { clientId, title: sender, secretKey } = service.integration;
		const credential = await host.client.createCredential('Sandbox', 'unifiedPaymentsApi', {
			baseUrl: service.url,
			clientId,
			sender,
			secretKey,
			callbackToken: TOKEN,
		});
		// Straight to the processor: what stands in front of it in this process is none of n8n's.
		const direct: Host = { ...host, url: queue.webhook().url };
		const peers = await installPeers(direct, credential, service.url, PEERS);
		const sheets = await installSheets(host, bulk, options);
		const window = async (peer: Peer, requests = options.requests) =>
			await measure(direct, service, peer, { connections: options.connections, requests });

		say('Warming up');
		for (const peer of peers) await window(peer, 3);
		await sheets(100);

		const callbacks: Callbacks[] = [];
		const rows: Rows[] = [];
		for (const workers of [2, 1]) {
			say(`${workers} ${workers === 1 ? 'worker' : 'workers'}`);
			while (queue.workers.length > workers) await queue.workers.pop()!.stop();
			const ofPeers = peers.map(({ label }): Callbacks => ({
				...{ label, workers },
				...{ perSecond: [], endedPerSecond: [], cpu: [] },
			}));
			const ofRows: Rows = { workers, perSecond: [] };
			for (let round = 0; round < options.rounds; round++) {
				for (const [index, peer] of peers.entries()) {
					const before = await cpuNow(queue);
					const { times, seconds, secondsToEnd, problems } = await window(peer);
					const after = await cpuNow(queue);
					if (problems.length > 0) throw new Error(problems[0]);
					const count = times.length;
					ofPeers[index]!.perSecond.push(count / seconds);
					ofPeers[index]!.endedPerSecond.push(count / secondsToEnd);
					ofPeers[index]!.cpu.push(difference(before, after, count));
				}
				ofRows.perSecond.push(await sheets(options.rows));
			}
			callbacks.push(...ofPeers);
			rows.push(ofRows);
		}
		report(options, callbacks, rows);
		await save('bench-scale', { options, machine: machine(), callbacks, rows });
	} finally {
		await host.stop();
		await service.stop();
		await bulk.stop();
	}
}

const difference = (before: Cpu, after: Cpu, count: number): Cpu =>
	Object.fromEntries(
		Object.entries(after).map(([part, ms]) => [part, (ms - before[part as keyof Cpu]) / count]),
	) as Cpu;

/** Two workflows of the same sheet; what comes back runs both at once, and says how many rows a second. */
async function installSheets(host: Host, service: BulkService, options: Options) {
	const { url, integration } = service;
	const { clientId, title: sender, secretKey } = integration;
	const credential = await host.client.createCredential('Bulk', 'unifiedPaymentsApi', {
		...{ baseUrl: url, clientId, sender, secretKey },
	});
	const asked = { ...options, lanes: [LANES], growth: [], history: 0, only: ['columns'] };
	const [peer] = peersIn({
		options: { ...asked, profile: null, draw: false },
		...{ url, integration, credential, cryptoCredential: credential, hasColumns: true },
	});
	const urls: string[] = [];
	for (let sheet = 0; sheet < 2; sheet++) {
		const { path, ...workflow } = workflowOf(peer!);
		await host.client.activate(await host.client.createWorkflow(workflow));
		urls.push(`${host.url}/webhook/${path}`);
	}
	return async (rows: number): Promise<number> => {
		await service.census();
		const started = performance.now();
		await Promise.all(
			urls.map(async (webhook) => {
				const body = { rows, run: randomUUID() };
				const { status, text } = await until('the webhook', async () => {
					const answer = await call(webhook, { method: 'POST', body });
					return answer.status === 404 ? undefined : answer;
				});
				if (status !== 200) throw new Error(`n8n answered ${status}: ${text.slice(0, 500)}`);
			}),
		);
		const seconds = (performance.now() - started) / 1000;
		const { accepted, distinct } = await service.census();
		if (accepted !== 2 * rows || distinct !== 2 * rows) {
			throw new Error(`${2 * rows} rows, but ${accepted} accepted, ${distinct} of them different`);
		}
		return accepted / seconds;
	};
}

function report(options: Options, callbacks: readonly Callbacks[], rows: readonly Rows[]): void {
	const { connections, requests, rounds, latencyMs } = options;
	const figure = (values: readonly number[], digits = 1) => median([...values]).toFixed(digits);
	const parts = ['webhook', 'workers', 'main', 'database', 'redis'] as const;
	say(
		`\n${table([
			['', 'workers', 'callbacks/s', 'executed/s', ...parts.map((part) => `CPU ${part}`), 'in all'],
			...callbacks.map(({ label, workers, perSecond, endedPerSecond, cpu }) => [
				label,
				String(workers),
				figure(perSecond),
				figure(endedPerSecond),
				...parts.map((part) => figure(cpu.map((each) => each[part]))),
				figure(cpu.map((each) => parts.reduce((sum, part) => sum + each[part], 0))),
			]),
		])}`,
	);
	say(
		`\n${table([
			['two sheets at the same time', 'workers', 'rows/s'],
			...rows.map(({ workers, perSecond }) => [
				`${options.rows} rows each, ${LANES} lanes`,
				String(workers),
				figure(perSecond, 0),
			]),
		])}`,
	);
	say(
		`\n${connections} × ${requests} callbacks without a pause; rows to a service that answers after ${latencyMs} ms.` +
			`\nMedians of ${rounds} rounds. CPU: milliseconds for each callback, its execution included.` +
			'\nRows: from the call of both webhooks to the last answer, storing the executions included.',
	);
}

await command(readOptions, USAGE, main);
