import type { IExecuteFunctions } from 'n8n-workflow';

import type { ClaimStore } from '../rows/claims';
import { locked } from './limiter';

/** How many entries of a node are kept at least; the oldest are forgotten first. */
const ENTRIES = 50_000;
/** The row itself, and the mark that it is under way. */
const ENTRIES_A_ROW = 2;

/**
 * The host's own store of what was processed, kept in its database per workflow and node. Two
 * processes that ask at the same moment may both hear "new": see docs/reliability.md.
 */
export function createClaimStore(context: IExecuteFunctions, rows: number): ClaimStore {
	const { helpers } = context;
	// Whatever its length, no run forgets its own rows.
	const maxEntries = Math.max(ENTRIES, ENTRIES_A_ROW * rows);
	const name = `${context.getWorkflow().id} ${context.getNode().id}`;
	return {
		async record(keys) {
			const { processed } = await helpers.checkProcessedAndRecord([...keys], 'node', {
				mode: 'entries',
				maxEntries,
			});
			return new Set(processed.map(String));
		},
		async remove(keys) {
			await helpers.removeProcessed([...keys], 'node', { mode: 'entries' });
		},
		alone: async (work) => await locked(name, work),
	};
}
