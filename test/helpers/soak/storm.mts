import { UnifiedPayments } from '../../../nodes/UnifiedPayments/UnifiedPayments.node.ts';
import { startSandbox, type Fault } from '../../../dev/sandbox/index.mts';
import { runNode } from '../../../dev/host/engine/index.mts';
import { NaivePayments } from '../naive.mts';
import { demoCredential } from '../payments.mts';
import { judge } from './audit.mts';
import { MIX, stormyCredential } from './faults.mts';
import {
	COLLECTIONS_PATH,
	forNaive,
	inColumns,
	inFields,
	LINK_REFERENCE,
	LINKS_PATH,
	linksInFields,
	REFERENCE,
	sheet,
} from './sheet.mts';

interface Storm {
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
	/** Links are found again in the list; the sandbox finds no collection by its order reference. */
	creates?: 'collections' | 'links';
}

/** A column “reference” may hold what the service called a payment, so it fills nothing. */
const underOrder = ({ reference, ...row }: ReturnType<typeof sheet>[number]) => ({
	...row,
	order: reference,
});

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
		creates: created = 'collections',
	}: Storm,
) => {
	const rows = sheet(count, seed);
	const sandbox = await startSandbox({
		settleDelayMs: Infinity,
		// Each row is sent once, and may be looked up once.
		logLimit: 4 * count,
	});
	const read = inputMode === 'fields' ? inFields : inColumns;
	const [inMode, path, field] =
		created === 'links'
			? [linksInFields, LINKS_PATH, LINK_REFERENCE]
			: [read, COLLECTIONS_PATH, REFERENCE];
	const [type, parameters] =
		node === 'ours'
			? [new UnifiedPayments(), inMode({ concurrency: 50, timeoutSeconds })]
			: [new NaivePayments(), forNaive({ order: 'allAtOnce' })];
	try {
		const result = await runNode(type, parameters, {
			items: inputMode === 'columns' ? rows.map(underOrder) : rows,
			credentials: { unifiedPaymentsApi: demoCredential(sandbox.url) },
			credentialTypes: [stormyCredential(seed, { path, orderField: field }, [...MIX, ...more])],
			onError: 'continueRegularOutput',
			...(retryOnFail && { retryOnFail, maxTries: 5, waitBetweenTries: 1 }),
		});
		// Requests whose time was up may still be on their way to the ledger.
		await sandbox.close();
		const { state } = sandbox;
		const creates = state.requests.filter((request) => request.path === path).length;
		const judged = judge(rows, result.items, state, field);
		const repeats = result.items.filter(({ json }) =>
			/^Not sent: the same/.test(String(json.message)),
		);
		const inDoubt = repeats.filter(({ json }) => json.outcome === 'unknown').length;
		const { duplicate = 0, not_sent: notSent = 0 } = judged.outcomes;
		return { ...judged, creates, sent: count - duplicate - notSent - inDoubt };
	} finally {
		await sandbox.close();
	}
};

export const weatherOurs = async (storm: Storm) => await weather('ours', storm);
export const weatherNaive = async (storm: Storm) => await weather('naive', storm);
