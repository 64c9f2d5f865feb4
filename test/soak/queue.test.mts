import '../queue/inQueueMode.mts';

import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

import { sandboxCredential } from '../../host/demo/sandboxCredential.mts';
import type { SavedWorkflow } from '../../host/n8n/index.mts';
import { call } from '../../host/shared/http.mts';
import { until } from '../../host/shared/until.mts';
import { place, to } from '../e2e/host/support.mts';
import { TRIGGER_TYPE } from '../e2e/host/triggerSupport.mts';
import { audit, CLEAN, inBrief, saidBy, tally } from '../helpers/soak/audit.mts';
import { endOf, isOver } from '../helpers/soak/server.mts';
import { MINUTE, setting, tell } from '../helpers/soak/settings.mts';
import { goodSheet, REFERENCE } from '../helpers/soak/sheet.mts';
import {
	replaceWorker,
	saveCollections,
	startQueueDemo,
	workerOf,
	type QueueDemo,
} from '../queue/support.mts';

const ROWS = setting('KILL_ROWS', 4_000);
const KILLS = setting('KILLS', 20);
const IN_FLIGHT = 5;
const TOKEN = 'soak-callback-token';
const PATH = 'soak-queue';

jest.setTimeout(90 * MINUTE);

/** A workflow that callbacks start; what it is called with carries a marker. */
async function publishTrigger({ host, sandbox }: QueueDemo): Promise<SavedWorkflow> {
	const data = { ...sandboxCredential(sandbox), callbackToken: TOKEN };
	const { id, name, type } = await host.client.createCredential(
		'Token',
		'unifiedPaymentsApi',
		data,
	);
	const workflow = await host.client.createWorkflow({
		name: 'Callbacks',
		nodes: [
			{
				...place('Trigger', TRIGGER_TYPE, { options: { transactionType: 'payout' } }),
				...{ typeVersion: 2, webhookId: PATH, credentials: { [type]: { id, name } } },
			},
			place('End', 'n8n-nodes-base.noOp'),
		],
		connections: { Trigger: { main: [to('End')] } },
	});
	await host.client.publish(workflow);
	return workflow;
}

/** Callbacks without a pause, until told to stop; gives the markers of those that were acknowledged. */
function sendCallbacks({ host, sandbox }: QueueDemo) {
	const acknowledged = new Set<string>();
	let isOn = true;
	const lane = async () => {
		while (isOn) {
			const marker = `M-${randomUUID()}`;
			const { ref } = sandbox.addPayout({ status: 'success' });
			const body = { ref, type: 'payout', status: 'success', marker };
			const url = `${host.url}/webhook/${PATH}/webhook?token=${TOKEN}`;
			const reply = await call(url, { method: 'POST', body }).catch(() => undefined);
			if (reply !== undefined && reply.status < 300) acknowledged.add(marker);
			await wait(300);
		}
	};
	const lanes = Promise.all(Array.from({ length: IN_FLIGHT }, lane));
	return async () => {
		isOn = false;
		await lanes;
		return acknowledged;
	};
}

const UNDER_WAY = ['new', 'running', 'waiting'];

it(`${KILLS} workers are killed in mid-batch: nothing taken twice or lost, and no callback that was acknowledged`, async () => {
	const demo = await startQueueDemo({ logLimit: 1 }, { N8N_CONCURRENCY_PRODUCTION_LIMIT: '10' });
	try {
		const { host, sandbox } = demo;
		const { client } = host;
		const rows = goodSheet(ROWS, 71);
		const workflow = await saveCollections(demo, rows, { concurrency: 10 });
		const callbacks = await publishTrigger(demo);
		const stop = sendCallbacks(demo);
		const stride = Math.floor((ROWS / KILLS) * 0.8);
		let kills = 0;
		for (; kills < KILLS; kills++) {
			const goal = sandbox.state.ledger.accepted + 5 + ((kills * 37) % stride);
			const id = await client.start(workflow, 'Start');
			const worker = await workerOf(demo, id);
			while (sandbox.state.ledger.accepted < goal && !(await isOver(client, id))) await wait(20);
			await worker.kill();
			const { accepted } = sandbox.state.ledger;
			tell(`kill ${kills + 1}: the service has taken ${accepted}`);
			await replaceWorker(demo, worker);
		}
		const acknowledged = await stop();
		const last = await endOf(client, await client.start(workflow, 'Start'));
		const said = saidBy(last.outputs('Node'));
		const found = audit(rows, said, sandbox.state.ledger.countBy(REFERENCE));
		tell(`rows: ${JSON.stringify(tally(said))}; ${inBrief(found)}`);

		const listed = await until(
			'the end of all executions',
			async () => {
				const all = await client.executions(callbacks);
				return all.some(({ status }) => UNDER_WAY.includes(status)) ? undefined : all;
			},
			{ seconds: 600, everyMs: 2000 },
		);
		const stored = new Map<string, { id: string; status: string }>();
		for (const { id, status } of listed) {
			const { data } = await client.get<{ data: string }>(`/rest/executions/${id}`);
			const [marker] = /M-[0-9a-f-]{36}/.exec(data) ?? [];
			if (marker !== undefined) stored.set(marker, { id, status });
		}
		const missing = [...acknowledged].filter((marker) => !stored.has(marker));
		const cut = [...stored.values()].filter(({ status }) => status !== 'success');
		const retried: string[] = [];
		for (const { id } of cut.slice(0, 10)) retried.push((await client.retry(id)).status);
		tell(
			`callbacks: ${acknowledged.size} acknowledged, ${missing.length} missing, ${cut.length} cut short, retried: ${retried.join(', ')}`,
		);
		expect(kills).toBe(KILLS);
		expect(found).toEqual(CLEAN);
		expect(missing).toEqual([]);
		expect(acknowledged.size).toBeGreaterThan(5 * KILLS);
		expect(retried).toEqual(retried.map(() => 'success'));
	} finally {
		await demo.stop();
	}
});
