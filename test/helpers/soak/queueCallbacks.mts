import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

import { sandboxCredential } from '../../../host/demo/sandboxCredential.mts';
import type { SavedWorkflow } from '../../../host/n8n/index.mts';
import { call } from '../../../host/shared/http.mts';
import { until } from '../../../host/shared/until.mts';
import { place, to } from '../../e2e/host/support.mts';
import { TRIGGER_TYPE } from '../../e2e/host/triggerSupport.mts';
import type { QueueDemo } from '../../queue/support.mts';
import { MINUTE } from './settings.mts';

const IN_FLIGHT = 6;
const TOKEN = 'soak-callback-token';
const PATH = 'soak-queue';

/** Answered when the callback is stored, and when the workflow has ended. */
type Address = 'webhook' | 'finished';
const ADDRESSES: readonly Address[] = ['webhook', 'finished'];

/** A workflow that callbacks start; what it is called with carries a marker. */
export async function publishTrigger({ host, sandbox }: QueueDemo): Promise<SavedWorkflow> {
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

/** Markers, and with what each was answered. */
type Acknowledged = Readonly<Record<Address, Map<string, string>>>;

/** Callbacks without a pause, until told to stop; gives the markers of those that were acknowledged. */
export function sendCallbacks({ host, sandbox }: QueueDemo) {
	const acknowledged: Acknowledged = { webhook: new Map(), finished: new Map() };
	let isOn = true;
	const lane = async (address: Address) => {
		while (isOn) {
			const marker = `M-${randomUUID()}`;
			const { ref } = sandbox.addPayout({ status: 'success' });
			const body = { ref, type: 'payout', status: 'success', marker };
			const url = `${host.url}/webhook/${PATH}/${address}?token=${TOKEN}`;
			for (let isOpen = true; isOpen && isOn; await wait(300)) {
				// Now and then n8n leaves the sender without an answer when a process dies.
				const sent = call(url, { method: 'POST', body, timeoutMs: MINUTE });
				const reply = await sent.catch(() => undefined);
				isOpen = reply === undefined || reply.status >= 300;
				if (!isOpen) acknowledged[address].set(marker, reply!.text);
			}
		}
	};
	const lanes = Promise.all(Array.from({ length: IN_FLIGHT }, (_, i) => lane(ADDRESSES[i % 2]!)));
	return async (): Promise<Acknowledged> => {
		isOn = false;
		await lanes;
		return acknowledged;
	};
}

interface Stored {
	workflowId: string;
	status: string;
	data: string;
}

const UNDER_WAY = ['new', 'running', 'waiting'];
const REST_MS = 20_000;

/**
 * All executions, when nothing goes on any more. A webhook processor that dies between storing an
 * execution and putting it into the queue, and before it answers, leaves one that nobody starts.
 */
async function atRest(client: QueueDemo['host']['client'], workflow: SavedWorkflow) {
	let [open, since] = ['', Date.now()];
	return await until(
		'the end of all executions',
		async () => {
			const all = await client.executions(workflow);
			const now = all.flatMap(({ id, status }) => (UNDER_WAY.includes(status) ? [id] : [])).join();
			if (now !== open) [open, since] = [now, Date.now()];
			return open === '' || Date.now() - since > REST_MS ? all : undefined;
		},
		{ seconds: 600, everyMs: 2000 },
	);
}

/** What became of callbacks that were acknowledged: counts, and markers without a run that ended well. */
export interface Fate {
	lost: Record<Address, Array<[marker: string, answer: string]>>;
	/** Executions that were cut short or never started, and those that n8n emptied as well. */
	cut: number;
	emptied: number;
	text: string;
}

export async function fateOf(
	{ host: { client } }: QueueDemo,
	workflow: SavedWorkflow,
	acknowledged: Acknowledged,
): Promise<Fate> {
	const listed = await atRest(client, workflow);
	const ended = new Set<string>();
	let [cut, emptied] = [0, 0];
	// By number: n8n's list goes by the time of the start, and may leave one out between two pages.
	for (let id = 1; id <= Number(listed.at(-1)!.id); id++) {
		const stored = await client.get<Stored | undefined>(`/rest/executions/${id}`);
		if (stored?.workflowId !== workflow.id) continue;
		const [marker] = /M-[0-9a-f-]{36}/.exec(stored.data) ?? [];
		if (marker === undefined) emptied++;
		else if (stored.status === 'success') ended.add(marker);
		else cut++;
	}
	const missing = (address: Address) =>
		[...acknowledged[address]].filter(([marker]) => !ended.has(marker));
	const lost = { webhook: missing('webhook'), finished: missing('finished') };
	const text =
		`callbacks: ${acknowledged.webhook.size} acknowledged when stored, ${lost.webhook.length} of them without a run that ended well; ` +
		`${acknowledged.finished.size} at the end, ${lost.finished.length} of them; ` +
		`${listed.length} executions are listed, ${cut} were cut short or not started, and ${emptied} emptied by n8n`;
	return { lost, cut, emptied, text };
}
