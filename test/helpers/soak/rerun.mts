import type { INodeExecutionData } from 'n8n-workflow';

import { UnifiedPaymentsApi } from '../../../credentials/UnifiedPaymentsApi.credentials.ts';
import { UnifiedPayments } from '../../../nodes/UnifiedPayments/UnifiedPayments.node.ts';
import { runNode } from '../../../host/engine/index.mts';
import { NaivePayments } from '../naive.mts';
import { demoCredential } from '../payments.mts';
import { deduplicateIn } from './file-deduplicator.mts';
import { forNaive, inColumns, sheet } from './sheet.mts';

/** A run of one and the same workflow, in whatever process. */
export interface Rerun {
	node: 'ours' | 'naive';
	rows: number;
	seed: number;
	url: string;
	/** The file that outlives the process. */
	store: string;
}

export async function rerun({
	node,
	rows,
	seed,
	url,
	store,
}: Rerun): Promise<INodeExecutionData[]> {
	await deduplicateIn(store);
	const ours = inColumns({ concurrency: 10, timeoutSeconds: 30 });
	const [type, parameters] =
		node === 'ours' ? [new UnifiedPayments(), ours] : [new NaivePayments(), forNaive()];
	const { items } = await runNode(type, parameters, {
		items: sheet(rows, seed),
		credentials: { unifiedPaymentsApi: demoCredential(url) },
		credentialTypes: [new UnifiedPaymentsApi()],
		onError: 'continueRegularOutput',
		workflowId: 'rerun',
	});
	return items;
}
