import type { IExecuteFunctions } from 'n8n-workflow';

import type { ClaimStore } from '../bulk/claims';
import { locked } from '../bulk/lock';

/** How many rows of a node are remembered; the oldest are forgotten first. */
const MOST_ENTRIES = 50_000;

/**
 * The host's own store of what was processed, kept in its database per workflow and node. Two
 * processes that ask at the same moment may both hear "new": see docs/reliability.md.
 */
export function createClaimStore(context: IExecuteFunctions): ClaimStore {
	const { helpers } = context;
	const name = `${context.getWorkflow().id} ${context.getNode().id}`;
	return {
		async record(keys) {
			const { processed } = await helpers.checkProcessedAndRecord([...keys], 'node', {
				mode: 'entries',
				maxEntries: MOST_ENTRIES,
			});
			return new Set(processed.map(String));
		},
		async remove(keys) {
			await helpers.removeProcessed([...keys], 'node', { mode: 'entries' });
		},
		alone: async (work) => await locked(name, work),
	};
}
