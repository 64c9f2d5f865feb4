// How fast rows become collections on a real n8n, compared with what a user could do instead.
//
//   npm run bench:bulk -- --help
import { fileURLToPath } from 'node:url';

import { buildIfStale, startHost } from '../host/n8n/index.mts';
import type { Host } from '../host/n8n/index.mts';
import { checkGoals } from './bulk/goals.mts';
import { readOptions, USAGE } from './bulk/options.mts';
import type { Options } from './bulk/options.mts';
import { peersIn } from './bulk/peers.mts';
import type { Setting } from './bulk/peers.mts';
import { comparison, growth, history, verdicts } from './bulk/report.mts';
import { startService } from './bulk/serviceClient.mts';
import type { Service } from './bulk/serviceClient.mts';
import { Session, title } from './bulk/session.mts';
import { summarise } from './bulk/statistics.mts';
import { command, machine, save, say } from './shared/command.mts';

const PACKAGE = fileURLToPath(new URL('./package', import.meta.url));

async function main(options: Options): Promise<void> {
	await buildIfStale();
	const service = await startService(options.latencyMs);
	try {
		const host = await startHost({ packages: [PACKAGE], report: say });
		try {
			await bench(options, host, service);
		} finally {
			await host.stop();
		}
	} finally {
		await service.stop();
	}
}

async function bench(options: Options, host: Host, service: Service): Promise<void> {
	const setting = await prepare(options, host, service);
	if (!setting.hasColumns) say('This build of the node has no columns mode: it is left out.');
	const session = new Session(host, service, options, say);
	await session.warmUp(peersIn(setting));
	const { compared, growing } = await session.compare();
	const swelling = await session.swell();
	const remembering = await session.remember();

	const summaries = summarise(compared, options.latencyMs);
	const goals = checkGoals(summaries, options.lanes, remembering);
	say(`\n${comparison(summaries, options)}`);
	if (growing.length > 0) say(`\n${growth(growing, swelling)}`);
	if (remembering.length > 0) say(`\n${history(remembering, options.history)}`);
	say(`\n${verdicts(goals)}`);
	await save('bench-bulk', {
		options,
		machine: machine(),
		summaries,
		growth: growing,
		memory: swelling,
		history: remembering,
		goals,
	});

	const wrong = session.runs.filter(({ problems }) => problems.length > 0);
	for (const run of wrong) console.error(`WRONG: ${title(run)}: ${run.problems.join('; ')}`);
	if (wrong.length > 0) process.exitCode = 1;
}

async function prepare(options: Options, host: Host, service: Service): Promise<Setting> {
	const { url, integration } = service;
	const { client } = host;
	const { clientId, title: sender, secretKey } = integration;
	const [type] = await client.nodeTypes('n8n-nodes-unified-payments.unifiedPayments');
	const credential = { baseUrl: url, clientId, sender, secretKey };
	return {
		options,
		url,
		integration,
		credential: await client.createCredential('Sandbox', 'unifiedPaymentsApi', credential),
		cryptoCredential: await client.createCredential('Crypto', 'crypto', { hmacSecret: secretKey }),
		hasColumns: type?.properties.some(({ name }) => name === 'inputMode') === true,
	};
}

await command(readOptions, USAGE, main);
