import type { IExecuteFunctions } from 'n8n-workflow';

import { createProcessedKeys } from '../../../nodes/UnifiedPayments/transport/processedKeys.ts';
import { createClaims, entriesFor } from '../../../nodes/UnifiedPayments/rows/claims.ts';

/** The host's store as far as it forgets: the oldest first, beyond what the caller allows. */
function contextOfHost(): { context: IExecuteFunctions; entries: Set<string> } {
	const entries = new Set<string>();
	const helpers = {
		checkProcessedAndRecord: async (
			keys: string[],
			_scope: string,
			{ maxEntries }: { maxEntries: number },
		) => {
			const processed = keys.filter((key) => entries.has(key));
			for (const key of keys) entries.add(key);
			for (const oldest of entries) {
				if (entries.size <= maxEntries) break;
				entries.delete(oldest);
			}
			return { new: [], processed };
		},
		removeProcessed: async (keys: string[]) => {
			for (const key of keys) entries.delete(key);
		},
	};
	const context = {
		helpers,
		getWorkflow: () => ({ id: 'claims' }),
		getNode: () => ({ id: 'node' }),
	} as unknown as IExecuteFunctions;
	return { context, entries };
}

const keysOf = (rows: number) => Array.from({ length: rows }, (_, row) => `row ${row}`);

async function claimAll(context: IExecuteFunctions, rows: number): Promise<Set<string>> {
	const claims = createClaims(createProcessedKeys(context, entriesFor(rows)));
	const keys = keysOf(rows);
	const heard = new Set<string>();
	for (let at = 0; at < rows; at += 500) {
		for (const claim of await claims.claim(keys.slice(at, at + 500))) heard.add(claim);
	}
	return heard;
}

it('remembers every row of a very long sheet, also when no answer came to any of them', async () => {
	const { context } = contextOfHost();

	expect([...(await claimAll(context, 70_000))]).toEqual(['mine']);
	expect([...(await claimAll(context, 70_000))]).toEqual(['unanswered']);
});

it('forgets old sheets, so that the store does not grow for ever', async () => {
	const { context, entries } = contextOfHost();
	await claimAll(context, 70_000);
	expect(entries.size).toBe(140_000);

	await createClaims(createProcessedKeys(context, entriesFor(1))).claim(['another']);
	expect(entries.size).toBe(50_000);
});
