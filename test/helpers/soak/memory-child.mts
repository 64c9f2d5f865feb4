/**
 * Runs a sheet in a process of its own and prints how much memory it took, as JSON. Started by
 * `measureMemory` with `--expose-gc`; the service it talks to is elsewhere.
 */
import { setTimeout as wait } from 'node:timers/promises';

import { UnifiedPaymentsApi } from '../../../credentials/UnifiedPaymentsApi.credentials.ts';
import { UnifiedPayments } from '../../../nodes/UnifiedPayments/UnifiedPayments.node.ts';
import { runNode, storeBinary } from '../../../dev/host/engine/index.mts';
import { NaivePayments } from '../naive.mts';
import { demoCredential } from '../payments.mts';
import type { Memory, MemoryRun } from './memory.mts';
import { forNaive, goodSheet, inColumns, LINKS_PATH, linksInFields } from './sheet.mts';

const run = JSON.parse(process.argv[2]!) as MemoryRun & { url: string };
const gc = (globalThis as { gc?: () => void }).gc!;

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const lanes = { concurrency: run.lanes, timeoutSeconds: 60 };

const withLogo = run.logoBytes > 0;
const links = {
	...linksInFields(lanes),
	orderReference: '',
	additionalFields: { logoBinaryProperty: 'logo' },
};
const naiveLinks = withLogo && { path: LINKS_PATH, logoBinaryProperty: 'logo' };
const [type, parameters] =
	run.node === 'ours'
		? [new UnifiedPayments(), withLogo ? links : inColumns(lanes)]
		: [new NaivePayments(), forNaive({ order: 'allAtOnce', ...naiveLinks })];
const content = Buffer.concat([PNG, Buffer.alloc(run.logoBytes)]);
const logo = withLogo
	? await storeBinary(content, { fileName: 'logo.png', mimeType: 'image/png' })
	: undefined;

async function send(count: number, seed: number): Promise<number> {
	const result = await runNode(type, parameters, {
		items: goodSheet(count, seed).map((json) => ({ json, ...(logo && { binary: { logo } }) })),
		credentials: { unifiedPaymentsApi: demoCredential(run.url) },
		credentialTypes: [new UnifiedPaymentsApi()],
		onError: 'continueRegularOutput',
	});
	return result.items.filter(({ json }) => json.success === true).length;
}

/** What is really in use: garbage does not count. */
function inUse(): number {
	gc();
	const { heapUsed, external } = process.memoryUsage();
	return heapUsed + external;
}

await send(50, 1);
// Connections of the first sheet hold on to what they sent until they are closed.
for (let turn = 0; turn < 5; turn++) {
	await wait(100);
	gc();
}
const before = inUse();
let most = before;
/** Gives back how long it took: on a busy machine, looking must not be most of the work. */
const look = () => {
	const began = performance.now();
	most = Math.max(most, inUse());
	return performance.now() - began;
};
let isDone = false;
const watching = (async () => {
	while (!isDone) await wait(Math.max(100, 10 * look()));
})();
const accepted = await send(run.rows, 2);
isDone = true;
look();
await watching;
const MB = 1024 * 1024;
const grown = (bytes: number) => Math.round(((bytes - before) / MB) * 10) / 10;
const memory: Memory = { accepted, peakMb: grown(most), keptMb: grown(inUse()) };
process.stdout.write(JSON.stringify(memory));
process.exit(0);
