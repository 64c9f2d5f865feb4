import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

import type { INode } from 'n8n-workflow';

import { sandboxCredential } from '../../../dev/host/demo/sandboxCredential.mts';
import type { Host, SavedWorkflow } from '../../../dev/host/n8n/index.mts';
import { call } from '../../../dev/host/shared/http.mts';
import { until } from '../../../dev/host/shared/until.mts';
import type { Sandbox } from '../../../dev/sandbox/index.mts';
import { place, to } from '../../e2e/host/support.mts';
import { TRIGGER_TYPE } from '../../e2e/host/triggerSupport.mts';
import { markedUrl } from '../marks.mts';
import { MINUTE } from './settings.mts';

/** An n8n that callbacks are sent to, and the service that they are about. */
interface Stage {
	host: Host;
	sandbox: Sandbox;
}

/** Answered when the callback is stored, and when the workflow has ended. */
type Address = 'webhook' | 'finished';

const addressOf = ({ host, sandbox }: Stage, webhookId: string, address: Address) =>
	markedUrl(`${host.url}/webhook/${webhookId}/${address}`, { ...sandboxCredential(sandbox) }, null);

/** An n8n that has just been started answers 404, or yes to everything, for a while. */
export const untilOpen = async (stage: Stage, webhookId: string): Promise<unknown> =>
	await until(
		'the endpoint',
		async () => {
			const { text } = await call(addressOf(stage, webhookId, 'webhook'), { method: 'PUT' });
			return text.includes('POST') ? true : undefined;
		},
		{ seconds: 600 },
	);

/** A workflow that callbacks start, and what comes after the trigger. */
export async function publishTrigger(
	stage: Stage,
	webhookId: string,
	rest: INode = place('Callback', 'n8n-nodes-base.noOp'),
	type = TRIGGER_TYPE,
): Promise<SavedWorkflow> {
	const { client } = stage.host;
	const data = sandboxCredential(stage.sandbox);
	const { id, name } = await client.createCredential('For callbacks', 'unifiedPaymentsApi', data);
	const workflow = await client.createWorkflow({
		name: `Callbacks of ${webhookId}`,
		nodes: [
			{
				...place('Trigger', type, { options: { transactionType: 'payout' } }),
				...(type === TRIGGER_TYPE && { typeVersion: 2 }),
				webhookId,
				credentials: { unifiedPaymentsApi: { id, name } },
			},
			rest,
		],
		connections: { Trigger: { main: [to(rest.name)] } },
	});
	await client.publish(workflow);
	await untilOpen(stage, webhookId);
	return workflow;
}

/** One callback about a payout that the service confirms. */
export const sendCallback = async (
	stage: Stage,
	webhookId: string,
	address: Address,
	body: object,
) =>
	await call(addressOf(stage, webhookId, address), {
		...{ method: 'POST', body },
		// Now and then n8n leaves the sender without an answer when a process dies.
		timeoutMs: MINUTE,
	});

/** Callbacks without an end, so many at a time; `stop` gives the markers of those that were acknowledged. */
export function sendCallbacks(
	stage: Stage,
	webhookId: string,
	address: Address,
	{ lanes, pauseMs }: { lanes: number; pauseMs: number },
) {
	const acknowledged = new Set<string>();
	let isOn = true;
	const lane = async () => {
		while (isOn) {
			const marker = `M-${randomUUID()}`;
			const { ref } = stage.sandbox.addPayout({ status: 'success' });
			const body = { ref, type: 'payout', status: 'success', marker };
			for (let isOpen = true; isOpen && isOn;) {
				const reply = await sendCallback(stage, webhookId, address, body).catch(() => undefined);
				isOpen = reply === undefined || reply.status >= 300;
				if (!isOpen) acknowledged.add(marker);
				await wait(isOpen ? 200 : pauseMs);
			}
		}
	};
	const ends = Promise.all(Array.from({ length: lanes }, lane));
	const stop = async () => {
		isOn = false;
		await ends;
		return acknowledged;
	};
	return { acknowledged, stop };
}

const UNDER_WAY = ['new', 'running', 'waiting'];
const REST_MS = 20_000;

/**
 * All executions, when nothing goes on any more. What is killed between being stored and being begun
 * is left as it is: nobody starts it.
 */
async function atRest({ client }: Host, workflow: SavedWorkflow) {
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

/** The markers that n8n has in its executions, each with how that ended, and how many have none any more. */
export async function storedIn({ host }: Stage, workflow: SavedWorkflow) {
	const listed = await atRest(host, workflow);
	const stored = new Map<string, string>();
	let emptied = 0;
	// By number: n8n's list goes by the time of the start, and may leave one out between two pages.
	for (let id = 1; id <= Number(listed.at(-1)?.id ?? 0); id++) {
		const execution = await host.client.get<
			{ workflowId: string; status: string; data: string } | undefined
		>(`/rest/executions/${id}`);
		if (execution?.workflowId !== workflow.id) continue;
		const [marker] = /M-[0-9a-f-]{36}/.exec(execution.data) ?? [];
		if (marker === undefined) emptied++;
		else stored.set(marker, execution.status);
	}
	return { stored, emptied };
}
