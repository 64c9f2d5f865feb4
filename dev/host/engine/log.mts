import { AsyncLocalStorage } from 'node:async_hooks';

import type { Logger } from 'n8n-workflow';

export interface LogLine {
	level: 'error' | 'warn' | 'info' | 'debug';
	message: string;
	metadata?: unknown;
}

const current = new AsyncLocalStorage<LogLine[]>();

const write =
	(level: LogLine['level']) =>
	(message: string, metadata?: unknown): void => {
		current
			.getStore()
			?.push(metadata === undefined ? { level, message } : { level, message, metadata });
	};

/** Replaces the server's logger; each run collects its own lines. */
export const engineLogger: Logger & { scoped: () => Logger } = {
	error: write('error'),
	warn: write('warn'),
	info: write('info'),
	debug: write('debug'),
	scoped: () => engineLogger,
};

export async function withLog<T>(log: LogLine[], work: () => Promise<T>): Promise<T> {
	return await current.run(log, work);
}
