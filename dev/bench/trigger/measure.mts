import { Agent, request } from 'node:http';

import type { Host } from '../../host/n8n/index.mts';
import { until } from '../../host/shared/until.mts';
import { cpuOf } from '../shared/cpu.mts';
import type { Peer } from './peers.mts';
import type { Payment, Service } from './serviceClient.mts';

export interface WindowRequest {
	connections: number;
	/** Of each connection, one after another. */
	requests: number;
}

/** Callbacks of one peer, from a quiet n8n to a quiet n8n. */
export interface Window {
	/** To the acknowledgement, in milliseconds. */
	times: number[];
	/** From the first callback to the last acknowledgement. */
	seconds: number;
	/** Until their executions have ended, too. */
	secondsToEnd: number;
	/** Of the n8n process for each callback, execution included; null where the system cannot tell. */
	cpuMs: number | null;
	problems: string[];
}

export async function measure(
	host: Host,
	service: Service,
	peer: Peer,
	{ connections, requests }: WindowRequest,
): Promise<Window> {
	const payments = await service.payments(connections * requests);
	const bodies = payments.map((payment) => Buffer.from(JSON.stringify(bodyOf(payment))));
	const agent = new Agent({ keepAlive: true, maxSockets: connections });
	const times: number[] = [];
	const problems: string[] = [];
	try {
		// Opening the connections is none of what is measured.
		const open = () => send(`${host.url}/healthz`, agent);
		await Promise.all(Array.from({ length: connections }, open));
		const cpuBefore = await cpuOf(host.pid);
		const started = performance.now();
		await Promise.all(
			Array.from({ length: connections }, async () => {
				for (let body = bodies.pop(); body !== undefined; body = bodies.pop()) {
					const sent = performance.now();
					const { status, text } = await send(peer.url, agent, body);
					times.push(performance.now() - sent);
					if (status !== 200) problems.push(`answered ${status}: ${text.slice(0, 200)}`);
				}
			}),
		);
		const seconds = (performance.now() - started) / 1000;
		await drained(host, peer);
		const secondsToEnd = (performance.now() - started) / 1000;
		const cpuAfter = await cpuOf(host.pid);
		const cpuMs =
			cpuBefore === null || cpuAfter === null ? null : (cpuAfter - cpuBefore) / times.length;
		return { times, seconds, secondsToEnd, cpuMs, problems };
	} finally {
		agent.destroy();
	}
}

/** What the service would say about a payment, in about the usual size. */
const bodyOf = ({ ref, amount, currency }: Payment) => ({
	ref,
	type: 'payout',
	amount,
	currency,
	status: 'success',
	status_code: '200',
	transaction_detail: 'Order 17, Savanna Coffee',
	payment_channel: 'Send money',
	transaction_date: '2026-01-31 12:00:00',
	failureReason: { failureCode: null, failureMessage: null },
});

const UNDER_WAY = ['new', 'running'];

/** Resolves when no execution of the peer is under way. */
async function drained({ client }: Host, { workflow }: Peer): Promise<void> {
	const filter = { workflowId: workflow.id, status: UNDER_WAY };
	const path = `/rest/executions?limit=1&filter=${encodeURIComponent(JSON.stringify(filter))}`;
	await until(
		'the end of the executions',
		async () => {
			const { results } = await client.get<{ results: unknown[] }>(path);
			return results.length === 0 ? true : undefined;
		},
		{ seconds: 600, everyMs: 100 },
	);
}

/** How many of a peer's executions did not end well. */
export async function countFailures({ client }: Host, { workflow }: Peer): Promise<number> {
	const all = await client.executions(workflow);
	return all.filter(({ status }) => status !== 'success').length;
}

async function send(
	url: string,
	agent: Agent,
	body?: Buffer,
): Promise<{ status: number; text: string }> {
	return await new Promise((resolve, reject) => {
		const outgoing = request(url, {
			agent,
			...(body && {
				method: 'POST',
				headers: { 'Content-Type': 'application/json', 'Content-Length': body.length },
			}),
		});
		outgoing.on('error', reject);
		outgoing.once('response', (incoming) => {
			const chunks: Buffer[] = [];
			incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
			incoming.on('error', reject);
			incoming.once('end', () =>
				resolve({ status: incoming.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
			);
		});
		outgoing.end(body);
	});
}
