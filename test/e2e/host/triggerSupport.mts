import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { ICredentialDataDecryptedObject, IDataObject, INodeParameters } from 'n8n-workflow';

import { sandboxCredential } from '../../../dev/host/demo/sandboxCredential.mts';
import type { Demo } from '../../../dev/host/demo/index.mts';
import { importExamples } from '../../../dev/host/demo/importExamples.mts';
import { withEnds } from '../../../dev/host/shared/ends.mts';
import { call } from '../../../dev/host/shared/http.mts';
import type { Call, Reply } from '../../../dev/host/shared/http.mts';
import { startHost } from '../../../dev/host/n8n/index.mts';
import type { Execution, SavedCredential, SavedWorkflow } from '../../../dev/host/n8n/index.mts';
import { until } from '../../../dev/host/shared/until.mts';
import { DEMO_INTEGRATIONS, startSandbox } from '../../../dev/sandbox/index.mts';
import { markedUrl } from '../../helpers/marks.mts';
import { CANARIES, hitsIn } from '../../helpers/soak/canary.mts';
import { PACKAGE, place, saveNode, to, useForAll } from './support.mts';

export const TRIGGER_TYPE = `${PACKAGE}.unifiedPaymentsTrigger`;
export const TRIGGER = 'Unified Payments Trigger';
const SECRETS = { secretKey: CANARIES.secretKey };

/** Short, so that what settles late does so within the patience of a test. */
const SETTLE_MS = 300;

interface TriggerDemo extends Omit<Demo, 'formUrl'> {
	/** Where n8n keeps what it knows. */
	folder: string;
}

/** One n8n that writes all it can to its log, and a sandbox whose secrets nobody writes by chance. */
export const useTriggerDemo = (): (() => TriggerDemo) => useForAll(startTriggerDemo);

const startTriggerDemo = async (): Promise<TriggerDemo> =>
	await withEnds(async (ends) => {
		const [first, ...others] = DEMO_INTEGRATIONS;
		const sandbox = await startSandbox({
			mode: 'rich',
			settleDelayMs: SETTLE_MS,
			callbackRetry: { attempts: 8, firstDelayMs: 100 },
			callbackTimeoutMs: 30_000,
			logLimit: 5000,
			integrations: [{ ...first!, secretKey: CANARIES.secretKey }, ...others],
		});
		ends.push(async () => await sandbox.close());
		const folder = await mkdtemp(join(tmpdir(), 'unified-payments-trigger-'));
		ends.push(async () => await rm(folder, { recursive: true, force: true, maxRetries: 5 }));
		const host = await startHost({ data: folder, env: { N8N_LOG_LEVEL: 'debug' } });
		ends.push(host.stop);
		const imported = await importExamples(host.client, {
			url: host.url,
			sandbox: sandboxCredential(sandbox),
		});
		return { sandbox, host, ...imported, folder };
	});

export async function saveCredential(
	{ sandbox, host }: Pick<Demo, 'sandbox' | 'host'>,
	changes: ICredentialDataDecryptedObject,
): Promise<SavedCredential> {
	const data = { ...sandboxCredential(sandbox), ...changes };
	return await host.client.createCredential('For callbacks', 'unifiedPaymentsApi', data);
}

let made = 0;

interface SavedTrigger {
	workflow: SavedWorkflow;
	/** Without a mark. */
	url: string;
}

/** The trigger with a sink on each of its outputs. */
export async function saveTrigger(
	demo: TriggerDemo,
	parameters: INodeParameters = {},
	credential: SavedCredential = demo.credential,
): Promise<SavedTrigger> {
	const webhookId = `callbacks-${process.pid}-${++made}`;
	const { id, name, type } = credential;
	const workflow = await demo.host.client.createWorkflow({
		name: `Callbacks ${made}`,
		nodes: [
			{
				...place(TRIGGER, TRIGGER_TYPE, parameters),
				typeVersion: 2,
				webhookId,
				credentials: { [type]: { id, name } },
			},
			place('Callback', 'n8n-nodes-base.noOp'),
			place('Rejected', 'n8n-nodes-base.noOp'),
		],
		connections: { [TRIGGER]: { main: [to('Callback'), to('Rejected')] } },
	});
	return { workflow, url: `${demo.host.url}/webhook/${webhookId}/webhook` };
}

/** A workflow that begins with the trigger, and is active. */
export class LiveTrigger {
	private constructor(
		readonly demo: TriggerDemo,
		readonly workflow: SavedWorkflow,
		readonly url: string,
	) {}

	static async start(
		demo: TriggerDemo,
		parameters: INodeParameters = {},
		credential?: SavedCredential,
	): Promise<LiveTrigger> {
		const { workflow, url } = await saveTrigger(demo, parameters, credential);
		await demo.host.client.publish(workflow);
		// Some releases answer 404 for a moment longer; afterwards, what is no JSON is refused.
		await until('the endpoint', async () => {
			const { status } = await call(url, { method: 'POST' });
			return status === 404 ? undefined : true;
		});
		return new LiveTrigger(demo, workflow, url);
	}

	/** With a mark, as the service gets it. */
	get address(): string {
		return markedUrl(this.url, { ...sandboxCredential(this.demo.sandbox) }, null);
	}

	/** By a stranger. */
	async post(body: unknown, headers?: Call['headers']): Promise<Reply> {
		return await call(this.url, { method: 'POST', body, headers });
	}

	/** How many executions there are, finished or not. */
	async count(): Promise<number> {
		return (await this.demo.host.client.executions(this.workflow)).length;
	}

	/** Waits until there are so many executions, and all of them have ended; oldest first. */
	async runs(count: number): Promise<Execution[]> {
		const { client } = this.demo.host;
		const listed = await until(`${count} executions`, async () => {
			const all = await client.executions(this.workflow);
			return all.length >= count ? all : undefined;
		});
		const runs: Execution[] = [];
		for (const { id } of listed) runs.push(await client.finished(id));
		return runs;
	}
}

export const callbacksOf = (runs: Execution[]): IDataObject[] =>
	runs.flatMap((run) => run.json('Callback'));

export const rejectedOf = (runs: Execution[]): IDataObject[] =>
	runs.flatMap((run) => run.json('Rejected'));

/** Creates a payment with the action node, whose reply names it. */
export async function create(
	demo: TriggerDemo,
	parameters: INodeParameters,
	callbackUrl: string,
): Promise<{ reference: string; link: string; run: Execution }> {
	const workflow = await saveNode(
		demo,
		{
			operation: 'create',
			country: 'KE',
			...parameters,
			callbackUrl,
			options: { onDuplicate: 'sendAnyway' },
		},
		{ credential: demo.credential },
	);
	const run = await demo.host.client.run(workflow, 'Start');
	const [item] = run.json('Success');
	if (item === undefined) throw new Error(`Nothing was created: ${run.failure?.message}`);
	return { reference: String(item.reference), link: String(item.link), run };
}

/** A collection; the amount may be magic. */
export const collect = async (demo: TriggerDemo, amount: string, callbackUrl: string) =>
	await create(demo, { resource: 'collection', amount, mobile: '0712 345678' }, callbackUrl);

/** Resolves when the sandbox has nothing more to say about a payment. */
export async function delivered(demo: TriggerDemo, reference: string, count: number) {
	return await until(`${count} callbacks about ${reference}`, async () => {
		const all = demo.sandbox.state.callbacks.filter((each) => each.reference === reference);
		const over = all.filter(({ status }) => status !== 'pending');
		return over.length >= count ? all : undefined;
	});
}

/** The names of the secrets that n8n wrote down: in its log, its database or any other file. */
export async function leaksIn({ folder, host }: TriggerDemo): Promise<string[]> {
	const files = await readdir(folder, { recursive: true, withFileTypes: true });
	const kept = files.filter(
		(file) => file.isFile() && !file.parentPath.includes(join('.n8n', 'nodes')),
	);
	const found = hitsIn(host.log(), SECRETS).map((name) => `${name} in the log`);
	for (const { name, parentPath } of kept) {
		const hits = hitsIn(await readFile(join(parentPath, name)), SECRETS);
		found.push(...hits.map((hit) => `${hit} in ${name}`));
	}
	return found;
}
