import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';

import type {
	DeduplicationItemTypes,
	DeduplicationScope,
	ICheckProcessedContextData,
	ICheckProcessedOptions,
	IDataDeduplicator,
	IDeduplicationOutput,
} from 'n8n-workflow';

const hash = (value: DeduplicationItemTypes) =>
	createHash('md5').update(value.toString()).digest('base64');

function rowKey(scope: DeduplicationScope, { workflow, node }: ICheckProcessedContextData): string {
	if (workflow.id === undefined) throw new Error('Deduplication needs a saved workflow');
	if (scope === 'node' && node === undefined) throw new Error('Scope "node" needs a node');
	return `${workflow.id}:${scope === 'node' ? `n:${node?.id}` : ''}`;
}

function entriesOnly({ mode }: ICheckProcessedOptions): void {
	if (mode !== 'entries')
		throw new Error(`This engine does not support the deduplication mode "${mode}"`);
}

/**
 * The server's deduplication in mode `entries`, with a map instead of the database. The server reads
 * a row from its database and writes all of it back, and does not lock it in between. Waiting for
 * `reached`, which is the way to the database and back, leaves the same gap for a second reader.
 * `test/e2e/simulator/originals.test.mts` holds it against the server's own.
 */
export function createDeduplicator(
	rows: Map<string, string[]>,
	reached: () => Promise<void>,
): IDataDeduplicator {
	const read = async (key: string): Promise<string[] | undefined> => {
		await reached();
		const stored = rows.get(key);
		return stored && [...stored];
	};
	// Of two that found no row, the second one to write meets the first one's.
	const insert = async (key: string, entries: string[]): Promise<void> => {
		await reached();
		if (rows.has(key)) throw new Error('UNIQUE constraint failed: processed_data');
		rows.set(key, entries);
	};
	// A row that was cleared meanwhile stays away.
	const update = async (key: string, entries: string[]): Promise<void> => {
		await reached();
		if (rows.has(key)) rows.set(key, entries);
	};
	return {
		async checkProcessedAndRecord(items, scope, context, options): Promise<IDeduplicationOutput> {
			entriesOnly(options);
			const key = rowKey(scope, context);
			const found = await read(key);
			const stored = found ?? [];
			// As on the server, a value that appears twice in one call counts as new twice.
			const known = new Set(stored);
			const output: IDeduplicationOutput = { new: [], processed: [] };
			for (const item of items) {
				const entry = hash(item);
				if (known.has(entry)) output.processed.push(item);
				else {
					output.new.push(item);
					stored.push(entry);
				}
			}
			const surplus = options.maxEntries ? Math.max(0, stored.length - options.maxEntries) : 0;
			const save = found === undefined ? insert : update;
			await save(key, stored.slice(surplus));
			return output;
		},

		async removeProcessed(items, scope, context, options): Promise<void> {
			entriesOnly(options);
			const key = rowKey(scope, context);
			const stored = await read(key);
			if (stored === undefined) return;
			for (const item of items) {
				const at = stored.indexOf(hash(item));
				if (at !== -1) stored.splice(at, 1);
			}
			await update(key, stored);
		},

		async clearAllProcessedItems(scope, context): Promise<void> {
			await reached();
			rows.delete(rowKey(scope, context));
		},

		async getProcessedDataCount(scope, context, options): Promise<number> {
			const stored = await read(rowKey(scope, context));
			return options.mode === 'entries' ? (stored?.length ?? 0) : 0;
		},
	};
}

/** For tests: the gap is a turn of the event loop. */
export const inMemoryDeduplicator = createDeduplicator(new Map(), async () => {
	await nextTurn();
});
