import { UnifiedPaymentsApi } from '../../../credentials/UnifiedPaymentsApi.credentials.ts';
import { UnifiedPayments } from '../../../nodes/UnifiedPayments/UnifiedPayments.node.ts';
import { startSandbox, type Fault } from '../../../sandbox/index.mts';
import { runNode } from '../../../host/engine/index.mts';
import { NaivePayments } from '../naive.mts';
import { demoCredential } from '../payments.mts';
import { audit, saidBy, tally, type Findings } from './audit.mts';
import { planOf } from './faults.mts';
import { forNaive, inColumns, inFields, REFERENCE, sheet } from './sheet.mts';

export interface Storm {
	rows: number;
	seed: number;
	/** Long enough that a busy machine answers most requests in time. */
	timeoutSeconds: number;
	/** Faults beside the usual ones. */
	more?: Fault[];
	/** What the user set in the node's Settings tab. */
	retryOnFail?: boolean;
	/** How the sheet is read. */
	inputMode?: 'fields' | 'columns';
}

export interface Weathered {
	found: Findings;
	outcomes: Record<string, number>;
	/** Requests that reached the service, and those of them it took. */
	requests: number;
	taken: number;
}

/** A sheet against a service of which three in ten replies go wrong; then both sides are compared. */
const weather = async (
	node: 'ours' | 'naive',
	{
		rows: count,
		seed,
		timeoutSeconds,
		more = [],
		retryOnFail = false,
		inputMode = 'fields',
	}: Storm,
): Promise<Weathered> => {
	const rows = sheet(count, seed);
	const sandbox = await startSandbox({
		settleDelayMs: Infinity,
		logLimit: 1,
		faultPlan: planOf(seed, ...more),
	});
	const read = inputMode === 'fields' ? inFields : inColumns;
	const [type, parameters] =
		node === 'ours'
			? [new UnifiedPayments(), read({ concurrency: 50, timeoutSeconds })]
			: [new NaivePayments(), forNaive({ order: 'allAtOnce' })];
	try {
		const result = await runNode(type, parameters, {
			items: rows,
			credentials: { unifiedPaymentsApi: demoCredential(sandbox.url) },
			credentialTypes: [new UnifiedPaymentsApi()],
			onError: 'continueRegularOutput',
			...(retryOnFail && { retryOnFail, maxTries: 5, waitBetweenTries: 1 }),
		});
		// Requests whose time was up may still be on their way to the ledger.
		await sandbox.close();
		const said = saidBy(result.items);
		const { ledger, requests } = sandbox.state;
		return {
			found: audit(rows, said, ledger.countBy(REFERENCE)),
			outcomes: tally(said),
			requests: requests[0]?.id ?? 0,
			taken: ledger.accepted,
		};
	} finally {
		await sandbox.close();
	}
};

export const weatherOurs = async (storm: Storm) => await weather('ours', storm);
export const weatherNaive = async (storm: Storm) => await weather('naive', storm);
