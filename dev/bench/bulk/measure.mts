import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

import type { Host, SavedWorkflow } from '../../host/n8n/index.mts';
import { call } from '../../host/shared/http.mts';
import { until } from '../../host/shared/until.mts';
import type { Peer } from './peers.mts';
import type { Service } from './serviceClient.mts';
import { workflowOf } from './workflow.mts';

/** One run of one peer. */
export interface Run {
	peer: string;
	label: string;
	lanes: number | null;
	rows: number;
	/** By n8n's own clock, the peer's nodes together. */
	seconds: number;
	rowsPerSecond: number;
	cpuMsPerRow: number;
	peakInFlight: number;
	/** Of the n8n process, in bytes; null where the system cannot tell. */
	peakRss: number | null;
	/** When the run began. */
	startRss: number;
	/** What is still held when all rows are through, the rows' own items included. */
	heapGrowth: number;
	/** What was not as it must be. */
	problems: string[];
}

/** What the end of a workflow answers with. */
interface Readings {
	cpuMs: number;
	rssBytes: number;
	peakRssBytes: number | null;
	heapGrowthBytes: number;
	nodeMs: Record<string, number>;
	items: number;
}

export interface RunRequest {
	rows: number;
	/** n8n gives back all memory it can beforehand: to see memory, not time. */
	shrink?: boolean;
}

const TIDY_MS = 500;

export type Runner = (request: RunRequest) => Promise<Run>;

/** Puts a peer into n8n; what comes back runs it. */
export async function install(host: Host, service: Service, peer: Peer): Promise<Runner> {
	const { path, ...workflow } = workflowOf(peer);
	const saved = await host.client.createWorkflow(workflow);
	await host.client.activate(saved);
	const url = `${host.url}/webhook/${path}`;
	return async (request) => {
		const { rows } = request;
		// n8n tidies up behind the run before, whose rows it holds until then.
		await wait(TIDY_MS);
		await service.census();
		const readings = await trigger(host, saved, url, { ...request, run: randomUUID() });
		const census = await service.census();
		const problems = typeof readings === 'string' ? [readings] : [];
		const { requests, accepted, distinct } = census;
		if (requests !== rows || accepted !== rows || distinct !== rows) {
			problems.push(
				`${rows} rows, but ${requests} requests, ${accepted} accepted, ${distinct} of them different`,
			);
		}
		const read = typeof readings === 'string' ? NOTHING : readings;
		if (problems.length === 0 && read.items !== rows) problems.push(`${read.items} items came out`);
		const ms = peer.nodes.reduce((sum, { name }) => sum + (read.nodeMs[name] ?? NaN), 0);
		return {
			peer: peer.name,
			label: peer.label,
			lanes: peer.lanes,
			rows,
			seconds: ms / 1000,
			rowsPerSecond: (rows / ms) * 1000,
			cpuMsPerRow: read.cpuMs / rows,
			peakInFlight: census.peakInFlight,
			peakRss: read.peakRssBytes,
			startRss: read.rssBytes,
			heapGrowth: read.heapGrowthBytes,
			problems,
		};
	};
}

const NOTHING: Readings = {
	cpuMs: NaN,
	rssBytes: NaN,
	peakRssBytes: null,
	heapGrowthBytes: NaN,
	nodeMs: {},
	items: 0,
};

/**
 * A webhook answers 404 for a moment after it was activated; and 503 while n8n believes its database
 * gone, which it does when expressions kept it busy for seconds. Nothing was run then.
 */
const NOT_YET = [404, 503];

/** Runs the workflow as a caller from outside would; the reason when it failed. */
async function trigger(
	host: Host,
	workflow: SavedWorkflow,
	url: string,
	body: object,
): Promise<Readings | string> {
	const reply = await until('the webhook', async () => {
		const answer = await call(url, { method: 'POST', body });
		return NOT_YET.includes(answer.status) ? undefined : answer;
	});
	if (reply.status === 200) return JSON.parse(reply.text) as Readings;
	const filter = encodeURIComponent(JSON.stringify({ workflowId: workflow.id }));
	const { results } = await host.client.get<{ results: Array<{ id: string }> }>(
		`/rest/executions?limit=1&filter=${filter}`,
	);
	const id = results[0]?.id;
	const failure = id === undefined ? undefined : (await host.client.finished(id)).failure;
	return [failure?.message ?? reply.text, failure?.description].filter(Boolean).join(' ');
}
