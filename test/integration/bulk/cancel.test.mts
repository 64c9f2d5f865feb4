import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

import type { IExecuteFunctions } from 'n8n-workflow';

import { UnifiedPaymentsApi } from '../../../credentials/UnifiedPaymentsApi.credentials.ts';
import { UnifiedPayments } from '../../../nodes/UnifiedPayments/UnifiedPayments.node.ts';
import { until } from '../../../dev/host/shared/until.mts';
import { startSandbox } from '../../../dev/sandbox/index.mts';
import { runNode } from '../../../dev/host/engine/index.mts';
import { NaivePayments } from '../../helpers/naive.mts';
import { demoCredential, runPayments } from '../../helpers/payments.mts';
import { closing } from '../../helpers/throughout.mts';
import { audit, CLEAN, saidBy, tally } from '../../helpers/soak/audit.mts';
import { forNaive, goodSheet, inFields, REFERENCE } from '../../helpers/soak/sheet.mts';

const ROWS = 200;

jest.setTimeout(120_000);

const opened = closing();

/** Cancels when so many requests came in, and counts those that come in afterwards. */
async function startCounter(cancelAt: number) {
	const controller = new AbortController();
	const counts = { before: 0, after: 0, inFlight: 0, mostInFlight: 0 };
	const server = createServer((incoming, response) => {
		counts[controller.signal.aborted ? 'after' : 'before'] += 1;
		counts.mostInFlight = Math.max(counts.mostInFlight, ++counts.inFlight);
		response.once('close', () => (counts.inFlight -= 1));
		if (counts.before === cancelAt) controller.abort();
		incoming.resume();
		setTimeout(() => {
			response.writeHead(200, { 'content-type': 'application/json' });
			response.end('{"success":true,"message":"ok","data":{}}');
		}, 10);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return opened({
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		signal: controller.signal,
		counts,
		async close() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	});
}

it.each([
	[1, 3],
	[5, 12],
	[20, 41],
	[50, 77],
])('with %i lanes, cancelling stops within one request per lane', async (lanes, cancelAt) => {
	const { counts, signal, url } = await startCounter(cancelAt);
	await runPayments(inFields({ concurrency: lanes }), {
		credential: demoCredential(url),
		items: goodSheet(ROWS, lanes),
		onError: 'continueRegularOutput',
		signal,
	});
	// The engine does not wait for a node that is cancelled.
	await wait(300);
	expect(counts.before).toBe(cancelAt);
	expect(counts.after).toBeLessThanOrEqual(lanes);
	expect(counts.mostInFlight).toBeLessThanOrEqual(lanes);
});

it('what was not sent is free for the next run, and what was is not sent again', async () => {
	const lanes = 5;
	const rows = goodSheet(100, 1);
	const sandbox = opened(await startSandbox({ settleDelayMs: Infinity }));
	sandbox.faults.add({ kind: 'latency', delayMs: 10 });
	const controller = new AbortController();
	const { ledger } = sandbox.state;
	const node = new UnifiedPayments();
	const { execute } = node;
	let ended: Promise<unknown> = Promise.resolve();
	node.execute = async function (this: IExecuteFunctions) {
		const output = execute.call(this);
		ended = output.catch(() => undefined);
		return await output;
	};
	const run = async (signal?: AbortSignal) =>
		await runNode(node, inFields({ concurrency: lanes }), {
			credentials: { unifiedPaymentsApi: demoCredential(sandbox.url) },
			credentialTypes: [new UnifiedPaymentsApi()],
			items: rows,
			onError: 'continueRegularOutput',
			workflowId: 'cancelled',
			signal,
		});
	const first = run(controller.signal);
	await until('some rows', async () => (ledger.accepted >= 12 ? true : undefined), { everyMs: 1 });
	controller.abort();
	await first;
	// The engine does not wait until the node has given back its claims.
	await ended;
	const said = saidBy((await run()).items);
	// What was under way when it was cancelled is in doubt, at most one request for each lane.
	const { accepted = 0, duplicate = 0, unknown = 0 } = tally(said);
	expect(accepted).toBeGreaterThan(0);
	expect(duplicate).toBeGreaterThan(0);
	expect(unknown).toBeLessThanOrEqual(lanes);
	expect(accepted + duplicate + unknown).toBe(rows.length);
	expect(audit(rows, said, ledger.countBy(REFERENCE))).toEqual(CLEAN);
});

it('a naive node goes on sending after it was cancelled', async () => {
	const { counts, signal, url } = await startCounter(12);
	await runNode(new NaivePayments(), forNaive({ order: 'allAtOnce', client: 'itsOwn' }), {
		items: goodSheet(ROWS, 1),
		credentials: { unifiedPaymentsApi: demoCredential(url) },
		credentialTypes: [new UnifiedPaymentsApi()],
		onError: 'continueRegularOutput',
		signal,
	});
	await until('more requests than there may be lanes', async () =>
		counts.after > 50 ? true : undefined,
	);
});
