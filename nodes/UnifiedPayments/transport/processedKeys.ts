import type { IExecuteFunctions } from 'n8n-workflow';

import { locked } from './limiter';

/** Keys that were processed, kept over restarts. Its calls are not atomic: use `alone` around them. */
export interface ProcessedKeys {
	/** Names the store among those that this process uses. */
	name: string;
	/** Records keys, all in one write, and gives back those that were there before. */
	record(keys: readonly string[]): Promise<ReadonlySet<string>>;
	remove(keys: readonly string[]): Promise<void>;
	count(): Promise<number>;
	/** Forgets the oldest keys beyond so many. */
	trim(max: number): Promise<void>;
	/** Runs work that no other user of these keys in this process may interrupt. */
	alone<T>(work: () => Promise<T>): Promise<T>;
}

interface Settings {
	/** Whether the keys belong to this node, or to all nodes of the workflow. */
	scope?: 'node' | 'workflow';
	/** With each write the oldest keys beyond so many are forgotten; without it, none. */
	maxEntries?: number;
}

/**
 * n8n's own store of what was processed, kept in its database per workflow and node. Two
 * processes that ask at the same moment may both hear "new": see docs/reliability.md.
 */
export function createProcessedKeys(
	context: IExecuteFunctions,
	{ scope = 'node', maxEntries }: Settings = {},
): ProcessedKeys {
	const { helpers } = context;
	// n8n reads and writes the list as a whole, so one lock covers all of it.
	const name = `${context.getWorkflow().id} ${scope === 'node' ? context.getNode().id : ''}`;
	const record = async (keys: readonly string[], max = maxEntries) =>
		await helpers.checkProcessedAndRecord([...keys], scope, { mode: 'entries', maxEntries: max });
	return {
		name,
		async record(keys) {
			// When two workers meet an empty list, n8n lets only one of them create it.
			const { processed } = await record(keys).catch(async () => await record(keys));
			return new Set(processed.map(String));
		},
		async remove(keys) {
			await helpers.removeProcessed([...keys], scope, { mode: 'entries' });
		},
		count: async () => await helpers.getProcessedDataCount(scope, { mode: 'entries' }),
		async trim(max) {
			await record([], max);
		},
		alone: async (work) => await locked(name, work),
	};
}
