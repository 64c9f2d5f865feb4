import { rm, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { sandboxCredential } from '../../dev/host/demo/sandboxCredential.mts';
import { buildIfStale, startHost } from '../../dev/host/n8n/index.mts';
import type { Host, SavedCredential, SavedWorkflow } from '../../dev/host/n8n/index.mts';
import type { Queue } from '../../dev/host/n8n/queue/cluster.mts';
import type { Server } from '../../dev/host/n8n/server.mts';
import { withEnds } from '../../dev/host/shared/ends.mts';
import { until } from '../../dev/host/shared/until.mts';
import { startSandbox } from '../../dev/sandbox/index.mts';
import type { Sandbox, SandboxOptions } from '../../dev/sandbox/index.mts';
import { useForAll } from '../e2e/host/support.mts';
import { OURS, saveSheet } from '../helpers/soak/server.mts';
import { inColumns, REFERENCE, type SheetRow } from '../helpers/soak/sheet.mts';

/** One execution at a time on each worker, so that two at the same time are on two workers. */
const ONE_AT_A_TIME = { N8N_CONCURRENCY_PRODUCTION_LIMIT: '1' };

/** n8n soon notices that a worker is gone; by itself it takes up to a minute and a half. */
const IMPATIENT = {
	QUEUE_WORKER_LOCK_DURATION: '4000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '1000',
	QUEUE_WORKER_STALLED_INTERVAL: '1000',
};

/** n8n in queue mode, and a service that only ends what it is told to. */
export interface QueueDemo {
	sandbox: Sandbox;
	host: Host;
	queue: Queue;
	credential: SavedCredential;
	stop: () => Promise<void>;
}

export const startQueueDemo = async (
	options: SandboxOptions = {},
	env: Record<string, string> = {},
): Promise<QueueDemo> =>
	await withEnds(async (ends) => {
		await buildIfStale();
		const data = await mkdtemp(join(tmpdir(), 'unified-payments-queue-'));
		ends.push(async () => await rm(data, { recursive: true, force: true, maxRetries: 5 }));
		const sandbox = await startSandbox({ settleDelayMs: Infinity, logLimit: 1000, ...options });
		ends.push(async () => await sandbox.close());
		const host = await startHost({ data, env: { ...ONE_AT_A_TIME, ...IMPATIENT, ...env } });
		ends.push(async () => await host.stop());
		const { client, queue } = host;
		if (queue === undefined) throw new Error('This n8n is not in queue mode: bash .ci/queue');
		const secrets = sandboxCredential(sandbox);
		const credential = await client.createCredential('Sandbox', 'unifiedPaymentsApi', secrets);
		return { sandbox, host, queue, credential };
	});

/** One for all tests of a file. */
export const useQueue = (
	options?: SandboxOptions,
	env?: Record<string, string>,
): (() => QueueDemo) => useForAll(async () => await startQueueDemo(options, env));

const started = (id: string) => `Worker started execution ${id} (`;

/** The worker that an execution runs on, or ran on. */
export const workerOf = async ({ queue }: QueueDemo, id: string): Promise<Server> =>
	await until(`a worker to take execution ${id}`, async () =>
		queue.workers.find(({ log }) => log().includes(started(id))),
	);

/** Puts another worker into the place of one that was killed. */
export async function replaceWorker({ queue }: QueueDemo, gone: Server): Promise<void> {
	queue.workers.splice(queue.workers.indexOf(gone), 1);
	await queue.addWorker();
}

export const signal = ({ pid }: Server, name: 'SIGSTOP' | 'SIGCONT'): void =>
	void process.kill(pid!, name);

/** Collections of a sheet, by its headings. */
export const saveCollections = async (
	{ host, sandbox }: QueueDemo,
	rows: SheetRow[],
	options: INodeParameters = {},
	before?: INode,
): Promise<SavedWorkflow> =>
	await saveSheet(host.client, {
		type: OURS,
		parameters: inColumns(options),
		rows,
		credential: sandboxCredential(sandbox),
		before,
	});

/** How often the service took each row; a row that it did not take is not there. */
export const taken = ({ sandbox }: QueueDemo): Record<string, number> =>
	sandbox.state.ledger.countBy(REFERENCE);

export const twice = (demo: QueueDemo): string[] =>
	Object.entries(taken(demo)).flatMap(([reference, times]) => (times > 1 ? [reference] : []));

export const outcomes = (items: IDataObject[]): Record<string, number> => {
	const counts: Record<string, number> = {};
	for (const { outcome } of items) counts[String(outcome)] = (counts[String(outcome)] ?? 0) + 1;
	return counts;
};
