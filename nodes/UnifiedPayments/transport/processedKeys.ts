import type { IExecuteFunctions } from 'n8n-workflow';

import { locked } from './limiter';

/** Keys that were processed, kept over restarts. Its calls are not atomic: use `alone` around them. */
export interface ProcessedKeys {
	/** Records keys, all in one write, and gives back those that were there before. */
	record(keys: readonly string[]): Promise<ReadonlySet<string>>;
	remove(keys: readonly string[]): Promise<void>;
	/** Runs work that no other user of these keys in this process may interrupt. */
	alone<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * The host's own store of what was processed, kept in its database per workflow and node. Two
 * processes that ask at the same moment may both hear "new": see docs/reliability.md.
 */
export function createProcessedKeys(
	context: IExecuteFunctions,
	/** How many keys are kept; the oldest are forgotten first. */
	maxEntries: number,
): ProcessedKeys {
	const { helpers } = context;
	// The host reads and writes the list as a whole, so one lock covers all of it.
	const name = `${context.getWorkflow().id} ${context.getNode().id}`;
	const record = async (keys: readonly string[]) =>
		await helpers.checkProcessedAndRecord([...keys], 'node', { mode: 'entries', maxEntries });
	return {
		async record(keys) {
			// When two workers meet an empty list, the host lets only one of them create it.
			const { processed } = await record(keys).catch(async () => await record(keys));
			return new Set(processed.map(String));
		},
		async remove(keys) {
			await helpers.removeProcessed([...keys], 'node', { mode: 'entries' });
		},
		alone: async (work) => await locked(name, work),
	};
}
