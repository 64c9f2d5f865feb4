import { LoggerService, container } from './container.mts';

import { BinaryDataService, DataDeduplicationService } from 'n8n-core';
import { LoggerProxy } from 'n8n-workflow';

import { inMemoryDeduplicator } from './deduplicator.mts';
import { engineLogger } from './log.mts';

let started: Promise<void> | undefined;

async function start(): Promise<void> {
	container.set(LoggerService, engineLogger);
	LoggerProxy.init(engineLogger);
	await DataDeduplicationService.init(inMemoryDeduplicator);
	// File mode, the server's default: `binary.data` of an item is not the content.
	await container.get(BinaryDataService).init();
}

/** Sets up what the server sets up at its start. Every entry point awaits it; it runs once. */
export async function startEngine(): Promise<void> {
	await (started ??= start());
}
