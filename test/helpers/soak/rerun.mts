import type { INodeExecutionData } from 'n8n-workflow';

import { UnifiedPaymentsApi } from '../../../credentials/UnifiedPaymentsApi.credentials.ts';
import { UnifiedPayments } from '../../../nodes/UnifiedPayments/UnifiedPayments.node.ts';
import { runNode } from '../../../dev/host/engine/index.mts';
import { NaivePayments } from '../naive.mts';
import { demoCredential } from '../payments.mts';
import { deduplicateIn } from './file-deduplicator.mts';
import { forNaive, inColumns, linksInFields, sheet } from './sheet.mts';

/** A run of one and the same workflow, in whatever process. */
export interface Rerun {
	node: 'ours' | 'links' | 'naive';
	rows: number;
	seed: number;
	url: string;
	/** The file that outlives the process. */
	store: string;
}

export async function rerun(run: Rerun): Promise<INodeExecutionData[]> {
	const { node, rows, seed, url, store } = run;
	await deduplicateIn(store);
	const options = { concurrency: 10, timeoutSeconds: 30 };
	const ours = node === 'links' ? linksInFields(options) : inColumns(options);
	const [type, parameters] =
		node === 'naive' ? [new NaivePayments(), forNaive()] : [new UnifiedPayments(), ours];
	const { items } = await runNode(type, parameters, {
		items: sheet(rows, seed),
		credentials: { unifiedPaymentsApi: demoCredential(url) },
		credentialTypes: [new UnifiedPaymentsApi()],
		onError: 'continueRegularOutput',
		workflowId: 'rerun',
	});
	return items;
}
