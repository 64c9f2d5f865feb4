import { DataDeduplicationService } from 'n8n-core';

import { startEngine } from '../../dev/host/engine/start.mts';

interface ClaimStore {
	checkProcessedAndRecord(keys: string[], ...rest: unknown[]): Promise<unknown>;
}

/** Where the engine keeps what nodes have claimed, for tests in which it goes wrong. */
export async function claimStore(): Promise<ClaimStore> {
	await startEngine();
	return (DataDeduplicationService.getInstance() as unknown as { deduplicator: ClaimStore })
		.deduplicator;
}
