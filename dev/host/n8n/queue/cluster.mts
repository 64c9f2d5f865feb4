import { freePort } from '../../shared/port.mts';
import { EXPRESSIONS_ON_DEMAND, startServer } from '../server.mts';
import type { Part, Server, ServerOptions } from '../server.mts';
import { openFrontDoor } from './frontDoor.mts';
import { startServices, type Services } from './services.mts';

/** The processes of n8n in queue mode, for tests that stop some of them. */
export interface Queue {
	services: Services;
	main: () => Server;
	webhook: () => Server;
	/** Those that were started, also when they have ended since. */
	workers: Server[];
	addWorker: () => Promise<Server>;
	/** The main process is killed or stopped, and another one takes its place. */
	restartMain: (end: 'stop' | 'kill') => Promise<void>;
	/** The same for the webhook processor. */
	restartWebhook: (end: 'stop' | 'kill') => Promise<void>;
}

export interface Cluster extends Server {
	queue: Queue;
}

const WORKERS = 2;

const IN_QUEUE_MODE = {
	...EXPRESSIONS_ON_DEMAND,
	// Without it the main process would run what the editor starts.
	OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
	N8N_PROXY_HOPS: '1',
};

/** So that nothing but the webhook processor can have taken a callback. */
const MAIN_ONLY = { N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true' };

/** Starts n8n in queue mode behind one address: the main process, two workers, a webhook processor. */
export async function startCluster({ port, env, ...options }: ServerOptions): Promise<Cluster> {
	const started: Server[] = [];
	const ends: Array<() => Promise<void>> = [];
	const endAll = async (end: 'stop' | 'kill') => {
		await Promise.all(started.map(async (server) => await server[end]()));
		for (const each of ends.splice(0).reverse()) await each();
	};
	try {
		const services = await startServices(options.userFolder);
		ends.push(services.stop);
		const behind = { main: await freePort(), webhook: await freePort() };
		const door = await openFrontDoor(behind, port);
		ends.push(door.close);
		const addresses = { N8N_EDITOR_BASE_URL: door.url, WEBHOOK_URL: door.url };
		const shared = { ...IN_QUEUE_MODE, ...services.env, ...addresses, ...env };
		const start = async (part: Part, at?: number, more: Record<string, string> = {}) => {
			const server = await startServer({ ...options, part, port: at, env: { ...shared, ...more } });
			started.push(server);
			return server;
		};
		const startMain = async () => await start('main', behind.main, MAIN_ONLY);
		const startWebhook = async () => await start('webhook', behind.webhook);
		// The first one prepares the database.
		let main = await startMain();
		const [firstWebhook, ...workers] = (await Promise.all([
			startWebhook(),
			...Array.from({ length: WORKERS }, async () => await start('worker')),
		])) as [Server, ...Server[]];
		let webhook = firstWebhook;
		let end = () => {};
		const ended = new Promise<void>((resolve) => (end = resolve));
		const endsWith = (server: Server) => void server.ended.then(() => server === main && end());
		endsWith(main);
		return {
			url: door.url,
			pid: main.pid,
			log: () => started.map(({ log }) => log()).join('\n'),
			ended,
			stop: async () => await endAll('stop'),
			kill: async () => await endAll('kill'),
			queue: {
				services,
				main: () => main,
				webhook: () => webhook,
				workers,
				async addWorker() {
					const worker = await start('worker');
					workers.push(worker);
					return worker;
				},
				async restartMain(how) {
					const before = main;
					// From here on, the end of that process is not the end of n8n.
					main = { ...before };
					await before[how]();
					main = await startMain();
					endsWith(main);
				},
				async restartWebhook(how) {
					await webhook[how]();
					webhook = await startWebhook();
				},
			},
		};
	} catch (error) {
		await endAll('kill');
		throw error;
	}
}
