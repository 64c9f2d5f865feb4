import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';

import { cacheFolder } from './cacheFolder.mts';
import type { Installation } from './install.mts';
import { freePort } from '../shared/port.mts';

/** A process of n8n: all of it, or in queue mode one of its kinds of processes. */
export type Part = 'main' | 'worker' | 'webhook';

export interface ServerOptions {
	installation: Installation;
	/** By default all of n8n. */
	part?: Part;
	/** n8n keeps its database and settings in `<userFolder>/.n8n`. */
	userFolder: string;
	/** By default a free one. */
	port?: number;
	env?: Record<string, string>;
	/** Told what n8n warns of once it is ready; what it says while it starts is about n8n alone. */
	warned?: (line: string) => void;
	/** Ends the start early. */
	signal?: AbortSignal;
}

export interface Server {
	url: string;
	/** Everything n8n printed so far. */
	log: () => string;
	/** Resolves when n8n has ended, for whatever reason. */
	ended: Promise<void>;
	stop: () => Promise<void>;
	/** As `kill -9` does: n8n gets no chance to save anything. */
	kill: () => Promise<void>;
	/** The process of n8n itself. */
	pid: number | undefined;
}

/** The command that starts it, and what it prints when it is ready. */
const PARTS: Record<Part, { command: string; ready: string }> = {
	main: { command: 'start', ready: 'Editor is now accessible via' },
	worker: { command: 'worker', ready: 'n8n worker is now ready' },
	webhook: { command: 'webhook', ready: 'Webhook listener waiting for requests' },
};
const GRACE_SECONDS = 5;

/** No telemetry, no requests to n8n's servers, no questions at the first start. */
const QUIET_SETTINGS = {
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
	N8N_REINSTALL_MISSING_PACKAGES: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
};

/**
 * n8n sets up an engine for expressions when one is evaluated, instead of for every webhook call and
 * every execution. What it brings is in docs/running-n8n.md.
 */
export const EXPRESSIONS_ON_DEMAND = {
	N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true',
	N8N_EXPRESSION_ENGINE_COMPILE_CACHE: 'true',
};

/** As plain text, n8n does not print what is a warning. */
const WITH_LEVELS = { N8N_LOG_FORMAT: 'json' };

// If the process that started n8n is killed, the channel between them closes and n8n stops itself.
// Nobody reads its output any more, which must not be an error.
const STOP_WITHOUT_PARENT = `process.once('disconnect', () => {
	for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
	process.kill(process.pid, 'SIGTERM');
});`;

/** Starts n8n and returns when it answers. */
export async function startServer(options: ServerOptions): Promise<Server> {
	const port = options.port ?? (await freePort());
	const url = `http://127.0.0.1:${port}`;
	const { node, n8n } = options.installation;
	const { command, ready } = PARTS[options.part ?? 'main'];
	const preload = `data:text/javascript,${encodeURIComponent(STOP_WITHOUT_PARENT)}`;
	const child = spawn(node, ['--import', preload, n8n, command], {
		cwd: options.userFolder,
		stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
		env: {
			...withoutCallersSettings(process.env),
			...QUIET_SETTINGS,
			...options.installation.env,
			// Node keeps what it compiled of n8n, which saves a second or two of each start.
			NODE_COMPILE_CACHE: join(cacheFolder(), 'compiled'),
			DB_TYPE: 'sqlite',
			// On a busy machine n8n takes its database for gone after five seconds, and answers 503.
			DB_PING_TIMEOUT_MS: '60000',
			N8N_USER_FOLDER: options.userFolder,
			N8N_LISTEN_ADDRESS: '127.0.0.1',
			N8N_PORT: String(port),
			N8N_RUNNERS_BROKER_PORT: String(await freePort()),
			N8N_EDITOR_BASE_URL: url,
			WEBHOOK_URL: url,
			N8N_SECURE_COOKIE: 'false',
			N8N_COMMUNITY_PACKAGES_ALLOW_TOOL_USAGE: 'true',
			N8N_GRACEFUL_SHUTDOWN_TIMEOUT: String(GRACE_SECONDS),
			...(options.warned && WITH_LEVELS),
			...options.env,
		},
	});
	let log = '';
	const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
	try {
		await new Promise<void>((resolve, reject) => {
			const read = (chunk: Buffer) => {
				log += chunk.toString();
				if (log.includes(ready)) resolve();
			};
			child.stdout?.on('data', read);
			child.stderr?.on('data', read);
			child.once('error', reject);
			options.signal?.addEventListener('abort', () => reject(options.signal?.reason), {
				once: true,
			});
			void ended.then(() =>
				reject(new Error(`n8n ended before it was ready:\n${log.slice(-4000)}`)),
			);
		});
	} catch (error) {
		child.kill('SIGKILL');
		await ended;
		throw error;
	}
	if (options.warned) child.stdout?.on('data', warningsIn(options.warned));
	return {
		url,
		log: () => log,
		ended,
		stop: async () => await stop(child, ended),
		kill: async () => {
			child.kill('SIGKILL');
			await ended;
		},
		pid: child.pid,
	};
}

/** Reads n8n's log as it comes, in pieces that may end in the middle of a line. */
function warningsIn(warned: (line: string) => void): (chunk: Buffer | string) => void {
	let rest = '';
	return (chunk) => {
		const lines = (rest + chunk.toString()).split('\n');
		rest = lines.pop() ?? '';
		for (const line of lines) {
			const message = warningOf(line);
			if (message !== null) warned(message);
		}
	};
}

function warningOf(line: string): string | null {
	try {
		const { level, message } = JSON.parse(line) as { level?: string; message?: unknown };
		return level === 'warn' ? String(message).split('\n', 1)[0]! : null;
	} catch {
		return null;
	}
}

async function stop(child: ChildProcess, ended: Promise<void>): Promise<void> {
	if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
	const timer = setTimeout(() => child.kill('SIGKILL'), (GRACE_SECONDS + 5) * 1000);
	await ended;
	clearTimeout(timer);
}

/** Settings of Jest, npm or another n8n that started this process are not for this n8n. */
function withoutCallersSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
	return Object.fromEntries(
		Object.entries(env).filter(([key]) => !/^(N8N_|npm_|JEST_|NODE_ENV$|NODE_OPTIONS$)/.test(key)),
	);
}
