// The sandbox in a process of its own, answering each create after the given milliseconds.
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { startSandbox } from '../../sandbox/index.mts';
import type { LedgerEntry } from '../../sandbox/index.mts';
import type { Census } from './serviceClient.mts';

const PATHS = ['/api/v3/service-unified-collections', '/api/v3/payment-link-api/create'];

const delayMs = Number(process.argv[2]);
const sandbox = await startSandbox({
	// Payments that end, and callbacks about them, would only take time from what is measured.
	settleDelayMs: Infinity,
	logLimit: 0,
	faultPlan: {
		seed: 1,
		probability: 1,
		faults: [{ kind: 'latency', delayMs }],
		routes: PATHS,
	},
});

let inFlight = 0;
let peakInFlight = 0;
let requests = 0;

// Node tells of every request it takes in: nothing stands between the peers and the sandbox.
subscribe('http.server.request.start', (message) => {
	const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
	if (!PATHS.includes(request.url ?? '')) return;
	requests++;
	peakInFlight = Math.max(peakInFlight, ++inFlight);
	response.once('close', () => inFlight--);
});

/** A collection has a reference of its own, a link the order in its callback URL. */
const orderOf = ({ third_party_reference_1: reference, params }: LedgerEntry) =>
	reference ?? params.callback_url;

const census = (): Census => ({
	requests,
	peakInFlight,
	accepted: sandbox.state.ledger.accepted,
	distinct: new Set(sandbox.state.ledger.entries.map(orderOf)).size,
});

process.on('message', () => {
	const counted = census();
	sandbox.reset();
	requests = 0;
	peakInFlight = inFlight;
	process.send?.(counted);
});
process.once('disconnect', () => process.exit());

process.send?.({ url: sandbox.url, integration: sandbox.integrations[0] });
