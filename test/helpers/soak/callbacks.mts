import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import type { INode } from 'n8n-workflow';

import type { ListedExecution } from '../../../host/n8n/client.mts';
import { sandboxCredential } from '../../../host/demo/sandboxCredential.mts';
import { call } from '../../../host/shared/http.mts';
import { startHost } from '../../../host/n8n/index.mts';
import type { Execution, Host, SavedWorkflow } from '../../../host/n8n/index.mts';
import { until } from '../../../host/shared/until.mts';
import { startSandbox } from '../../../sandbox/index.mts';
import type { Sandbox } from '../../../sandbox/index.mts';

export interface Ordeal {
	trigger: 'ours' | 'naive';
	kills: number;
	/** Callbacks under way at any moment, also at that of the kill. */
	inFlight: number;
	/** Crashed executions that are run once more at the end. */
	retries: number;
	report: (line: string) => void;
}

export interface Ended {
	acknowledged: number;
	/** Acknowledged, and nowhere among the executions. */
	missing: string[];
	/** Acknowledged, but stored as one that n8n has not begun: it neither goes on nor can be retried. */
	stuck: string[];
	/** How many were under way when n8n was killed, one figure for each kill. */
	inFlight: number[];
	/** How many executions ended in which way. */
	statuses: Record<string, number>;
	/** What executions that crashed after they had emitted led to when they were retried. */
	retried: Array<{ status: string; items: number }>;
}

const PACKAGE = join(__dirname, 'callbacks-package');
const TRIGGER = 'Trigger';
const TOKEN = 'soak-callback-token';
const WEBHOOK = 'soak-callbacks';
/** n8n may have to share the machine. */
const NEXT_STEP_MS = 1000;
/** By n8n's log of events, the current one included. */
const LOGS_KEPT = 4;
const PATIENCE = { seconds: 600 };

/** Callbacks without a pause, while n8n is killed and started again and again. */
export async function endure(ordeal: Ordeal): Promise<Ended> {
	const { kills, report } = ordeal;
	const folder = await mkdtemp(join(tmpdir(), 'unified-payments-callbacks-'));
	const sandbox = await startSandbox({ settleDelayMs: Infinity, logLimit: 1 });
	const next = await openNextStep();
	let host: Host | undefined;
	try {
		const start = async () => await startHost({ data: folder, packages: [PACKAGE] });
		host = await start();
		const workflow = await saveWorkflow(host, sandbox, next.url, ordeal.trigger);
		const acknowledged = new Set<string>();
		const inFlight: number[] = [];
		for (let kill = 1; kill <= kills; kill++) {
			await ready(host);
			// Each time at another moment.
			const enough = acknowledged.size + 5 + ((kill * 7) % 31);
			const reached = next.markers.size;
			const isEnough = () =>
				acknowledged.size >= enough && (ordeal.trigger === 'naive' || next.markers.size > reached);
			inFlight.push(await storm(host, sandbox, ordeal.inFlight, acknowledged, isEnough));
			report(`kill ${kill} of ${kills}: ${acknowledged.size} acknowledged so far`);
			host = await start();
		}
		await ready(host);
		const emitted = new Set(next.markers);
		// Begun, but killed before n8n had noted the first node: n8n lists it as running until the log of
		// that start is gone, which it keeps for a few starts.
		let starts = 0;
		while (!(await isAtRest(host, workflow)) && starts++ < LOGS_KEPT) {
			await host.stop();
			host = await start();
			await ready(host);
		}
		report(`${starts} more starts until n8n listed nothing as running`);
		const evidence = { acknowledged, emitted, inFlight, retries: ordeal.retries };
		return await audit(host, workflow, evidence);
	} finally {
		await host?.stop();
		await next.close();
		await sandbox.close();
		await rm(folder, { recursive: true, force: true, maxRetries: 5 });
	}
}

/** What the workflow does with an item: it takes a while, so that executions are cut short there, too. */
async function openNextStep() {
	const markers = new Set<string>();
	const server = createServer((request, response) => {
		markers.add(request.url!.slice(1));
		setTimeout(() => response.end('{}'), NEXT_STEP_MS);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		/** Of the callbacks whose items came so far. */
		markers,
		async close() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}

async function saveWorkflow(
	{ client }: Host,
	sandbox: Sandbox,
	nextUrl: string,
	trigger: Ordeal['trigger'],
): Promise<SavedWorkflow> {
	const data = { ...sandboxCredential(sandbox), callbackToken: TOKEN };
	const { id, name, type } = await client.createCredential('Sandbox', 'unifiedPaymentsApi', data);
	const ours = {
		type: 'n8n-nodes-unified-payments.unifiedPaymentsTrigger',
		typeVersion: 2,
		parameters: { options: { transactionType: 'payout' } },
		credentials: { [type]: { id, name } },
	};
	const node = (own: Partial<INode> & Pick<INode, 'name' | 'type'>): INode => ({
		id: own.name,
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
		...own,
	});
	const to = (name: string) => [{ node: name, type: 'main', index: 0 } as const];
	const workflow = await client.createWorkflow({
		name: 'Callbacks',
		nodes: [
			node({
				name: TRIGGER,
				webhookId: WEBHOOK,
				...(trigger === 'ours' ? ours : { type: 'n8n-nodes-naive-trigger.naiveTrigger' }),
			}),
			node({
				name: 'Next step',
				type: 'n8n-nodes-base.httpRequest',
				typeVersion: 4.2,
				parameters: { url: `=${nextUrl}/{{ $json.callback.body.marker }}` },
			}),
			node({ name: 'End', type: 'n8n-nodes-base.noOp' }),
		],
		connections: { [TRIGGER]: { main: [to('Next step')] }, 'Next step': { main: [to('End')] } },
	});
	await client.publish(workflow);
	return workflow;
}

const addressIn = (host: Host) => `${host.url}/webhook/${WEBHOOK}/webhook?token=${TOKEN}`;

/** An n8n that has just been started answers 404 for a while. */
const ready = async (host: Host) =>
	await until(
		'the endpoint',
		async () =>
			(await call(addressIn(host), { method: 'PUT' })).text.includes('POST') ? true : undefined,
		PATIENCE,
	);

/** Sends until enough are acknowledged, then kills n8n; says how many were under way. */
async function storm(
	host: Host,
	sandbox: Sandbox,
	lanes: number,
	acknowledged: Set<string>,
	isEnough: () => boolean,
): Promise<number> {
	let underWay = 0;
	let killed: Promise<number> | undefined;
	const kill = async () => {
		const then = underWay;
		await host.kill();
		return then;
	};
	const lane = async () => {
		while (killed === undefined) {
			const marker = `M-${randomUUID()}`;
			const { ref } = sandbox.addPayout({ status: 'success' });
			underWay++;
			const body = { ref, type: 'payout', status: 'success', marker };
			const reply = await call(addressIn(host), { method: 'POST', body }).catch(() => undefined);
			underWay--;
			if (reply !== undefined && reply.status < 300) acknowledged.add(marker);
			// An n8n that is too busy says so, and nothing was promised.
			else if (killed === undefined) await wait(200);
			if (isEnough()) killed ??= kill();
		}
	};
	await Promise.all(Array.from({ length: lanes }, lane));
	return (await killed) ?? 0;
}

interface Evidence {
	acknowledged: ReadonlySet<string>;
	/** Seen by the next step before the last kill. */
	emitted: ReadonlySet<string>;
	inFlight: number[];
	retries: number;
}

/** What n8n has of all that it acknowledged. */
async function audit(
	host: Host,
	workflow: SavedWorkflow,
	{ acknowledged, emitted, inFlight, retries }: Evidence,
): Promise<Ended> {
	const { client } = host;
	const listed = await until(
		'the end of all executions',
		async () => {
			const all = await client.executions(workflow);
			return all.some(isUnderWay) ? undefined : all;
		},
		{ ...PATIENCE, everyMs: 1000 },
	);
	const stored = new Map<string, string>();
	const cutShort: string[] = [];
	for (const { id, status } of listed) {
		const { data } = await client.get<{ data: string }>(`/rest/executions/${id}`);
		const [marker] = /M-[0-9a-f-]{36}/.exec(data) ?? [];
		if (marker === undefined) continue;
		stored.set(marker, status);
		if (status === 'crashed' && emitted.has(marker)) cutShort.push(id);
	}
	const statuses: Record<string, number> = {};
	for (const { status } of listed) statuses[status] = (statuses[status] ?? 0) + 1;
	const retried: Ended['retried'] = [];
	for (const id of spread(cutShort, retries)) retried.push(outcomeOf(await client.retry(id)));
	return {
		acknowledged: acknowledged.size,
		missing: [...acknowledged].filter((marker) => !stored.has(marker)),
		stuck: [...acknowledged].filter((marker) => stored.get(marker) === 'new'),
		inFlight,
		statuses,
		retried,
	};
}

/** What was killed before it began stays "new" for ever. */
const isUnderWay = ({ status }: ListedExecution) => status === 'running' || status === 'waiting';

/** False when something is listed as under way for longer than anything takes. */
const isAtRest = async ({ client }: Host, workflow: SavedWorkflow): Promise<boolean> =>
	await until(
		'the end of all executions',
		async () => ((await client.executions(workflow)).some(isUnderWay) ? undefined : true),
		{ seconds: 20, everyMs: 1000 },
	).catch(() => false);

const outcomeOf = (run: Execution) => ({
	status: run.status,
	items: run.json('End').length,
});

/** So many of them, from the first to the last. */
const spread = <T,>(all: readonly T[], count: number): T[] =>
	all
		.filter((_, index) => index % Math.max(1, Math.floor(all.length / count)) === 0)
		.slice(0, count);
