import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

import { DataDeduplicationService } from 'n8n-core';
import type { DeduplicationItemTypes, IDataDeduplicator } from 'n8n-workflow';

import { startEngine } from '../../../dev/host/engine/index.mts';

const hash = (value: DeduplicationItemTypes) =>
	createHash('md5').update(value.toString()).digest('base64');

/** The server's deduplication with a file for its database: it is there after a `kill -9`, too. */
function fileDeduplicator(path: string): IDataDeduplicator {
	const read = (): string[] =>
		existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as string[]) : [];
	// A file is replaced whole or not at all, as a transaction is.
	const save = (entries: string[]) => {
		writeFileSync(`${path}.new`, JSON.stringify(entries));
		renameSync(`${path}.new`, path);
	};
	return {
		async checkProcessedAndRecord(items) {
			const stored = read();
			const known = new Set(stored);
			const isKnown = (item: DeduplicationItemTypes) => known.has(hash(item));
			const fresh = items.filter((item) => !isKnown(item));
			save([...stored, ...fresh.map(hash)]);
			return { new: fresh, processed: items.filter(isKnown) };
		},
		async removeProcessed(items) {
			const gone = new Set(items.map(hash));
			save(read().filter((entry) => !gone.has(entry)));
		},
		clearAllProcessedItems: async () => save([]),
		getProcessedDataCount: async () => read().length,
	};
}

/** From now on, the engine in this process keeps what it processed in a file. */
export async function deduplicateIn(path: string): Promise<void> {
	await startEngine();
	const service = DataDeduplicationService.getInstance();
	(service as unknown as { deduplicator: IDataDeduplicator }).deduplicator = fileDeduplicator(path);
}
