import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { parse } from 'flatted';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	IRunExecutionData,
} from 'n8n-workflow';

import { sandboxCredential } from '../../../dev/host/demo/sandboxCredential.mts';
import { EXPRESSIONS_ON_DEMAND, startHost } from '../../../dev/host/n8n/index.mts';
import type {
	Execution,
	Host,
	SavedCredential,
	SavedWorkflow,
} from '../../../dev/host/n8n/index.mts';
import { withEnds } from '../../../dev/host/shared/ends.mts';
import type { Ends } from '../../../dev/host/shared/ends.mts';
import { freePort } from '../../../dev/host/shared/port.mts';
import { until } from '../../../dev/host/shared/until.mts';
import { startSandbox } from '../../../dev/sandbox/index.mts';
import type { Sandbox, SandboxOptions } from '../../../dev/sandbox/index.mts';
import { place, saveNode, to, useForAll } from './support.mts';

/** A real n8n at an address that it keeps, however often it is stopped, and a service that only ends what it is told to. */
interface WaitingDemo {
	sandbox: Sandbox;
	host(): Host;
	credential: SavedCredential;
	saveCredential(changes: ICredentialDataDecryptedObject): Promise<SavedCredential>;
	changeCredential(
		credential: SavedCredential,
		changes: ICredentialDataDecryptedObject,
	): Promise<void>;
	/** As `kill -9` does; it stays down. */
	kill(): Promise<void>;
	/** Up again, on the same data and at the same address. */
	start(): Promise<void>;
	stop(): Promise<void>;
}

async function startWaitingDemo(
	ends: Ends,
	options: SandboxOptions = {},
	env: Record<string, string> = {},
): Promise<Omit<WaitingDemo, 'stop'>> {
	const port = await freePort();
	const data = await mkdtemp(join(tmpdir(), 'unified-payments-waiting-'));
	ends.push(async () => await rm(data, { recursive: true, force: true, maxRetries: 5 }));
	const sandbox = await startSandbox({ settleDelayMs: Infinity, logLimit: 20_000, ...options });
	ends.push(async () => await sandbox.close());
	const begin = async () =>
		await startHost({ port, data, env: { ...EXPRESSIONS_ON_DEMAND, ...env } });
	/** After a kill, n8n is so busy with the callbacks of many executions that it may give up its start. */
	const beginAgain = async (tries = 3): Promise<Host> =>
		await begin().catch(async (error: Error) => {
			if (tries === 1 || !/not ready/.test(error.message)) throw error;
			return await beginAgain(tries - 1);
		});
	let host = await begin();
	ends.push(async () => await host.stop());
	const saveCredential = async (changes: ICredentialDataDecryptedObject) =>
		await host.client.createCredential('For waiting', 'unifiedPaymentsApi', {
			...sandboxCredential(sandbox),
			...changes,
		});
	return {
		sandbox,
		host: () => host,
		credential: await saveCredential({}),
		saveCredential,
		changeCredential: async (credential, changes) =>
			await host.client.updateCredential(credential, { ...sandboxCredential(sandbox), ...changes }),
		kill: async () => await host.kill(),
		start: async () => {
			host = await beginAgain();
		},
	};
}

/** One for all tests of a file. */
export const useWaitingDemo = (
	options?: SandboxOptions,
	env?: Record<string, string>,
): (() => WaitingDemo) =>
	useForAll(async () => await withEnds(async (ends) => await startWaitingDemo(ends, options, env)));

export const COLLECT: INodeParameters = {
	resource: 'collection',
	operation: 'createAndWait',
	country: 'KE',
	amount: '={{ $json.amount }}',
	mobile: '={{ $json.mobile ?? "0712345678" }}',
	orderReference: '={{ $json.order }}',
	waitLimitMinutes: 30,
};

let orders = 0;

/** An order that no other test uses. */
export const newOrder = () => `W-${process.pid}-${++orders}`;

interface WaitingRun {
	parameters?: INodeParameters;
	rows: IDataObject[];
	credential?: SavedCredential;
	settings?: Partial<INode>;
}

/** The node between a start that gives the rows and a sink on each of its outputs. */
export const saveWaiting = async (
	demo: WaitingDemo,
	{ parameters, rows, credential = demo.credential, settings }: WaitingRun,
): Promise<SavedWorkflow> =>
	await saveNode(
		{ host: demo.host(), credential },
		{ ...COLLECT, ...parameters },
		{ rows, ...settings },
	);

/** Starts it, and returns once the execution sleeps. */
export async function startSleeping(demo: WaitingDemo, run: WaitingRun): Promise<string> {
	const workflow = await saveWaiting(demo, run);
	const id = await demo.host().client.start(workflow, 'Start');
	await asleep(demo, id);
	return id;
}

export async function statusOf(demo: WaitingDemo, id: string): Promise<string> {
	return (await demo.host().client.stored(id))?.status ?? 'new';
}

export async function asleep(demo: WaitingDemo, id: string): Promise<void> {
	await until(`execution ${id} to sleep`, async () => {
		const status = await statusOf(demo, id);
		if (!['waiting', 'new', 'running'].includes(status)) {
			const { failure } = await demo.host().client.finished(id);
			throw new Error(`Execution ${id} ended as ${status}: ${failure?.message}`);
		}
		return status === 'waiting' ? true : undefined;
	});
}

/** The execution once it has ended, however long it sleeps. */
export async function ended(demo: WaitingDemo, id: string, seconds = 60): Promise<Execution> {
	await until(
		`the end of execution ${id}`,
		async () => {
			const status = await statusOf(demo, id);
			return ['waiting', 'new', 'running'].includes(status) ? undefined : true;
		},
		{ seconds, everyMs: 100 },
	);
	return await demo.host().client.finished(id);
}

/** The payment of an order, as the service keeps it. */
export function transactionOf({ sandbox }: WaitingDemo, order: string) {
	const found = sandbox.state.transactions.filter((each) => each.third_party_reference_1 === order);
	if (found.length !== 1) throw new Error(`There are ${found.length} payments of ${order}`);
	return found[0]!;
}

/** Resolves when the service has nothing more to say about a payment; gives what it was answered. */
export async function calledBack({ sandbox }: WaitingDemo, reference: string, count = 1) {
	return await until(`${count} callbacks about ${reference}`, async () => {
		const all = sandbox.state.callbacks.filter((each) => each.reference === reference);
		return all.filter(({ status }) => status !== 'pending').length >= count ? all : undefined;
	});
}

export async function dataOf(demo: WaitingDemo, id: string): Promise<IRunExecutionData> {
	const stored = await demo.host().client.stored(id);
	if (stored === undefined) throw new Error(`Nothing is stored of execution ${id}`);
	return parse(stored.data) as IRunExecutionData;
}

/**
 * An execution that sleeps in n8n's own Wait node with these items, and an address of it where nobody
 * is: n8n loads the execution for each call all the same, which is what a call takes by itself.
 */
export async function sleepInWaitNode(
	demo: WaitingDemo,
	items: INodeExecutionData[],
): Promise<string> {
	const { client, url } = demo.host();
	const workflow = await client.createWorkflow({
		name: 'Wait node',
		nodes: [
			place('Start', 'n8n-nodes-base.manualTrigger'),
			place('Items', 'n8n-nodes-base.noOp'),
			{
				...place('Wait', 'n8n-nodes-base.wait', { resume: 'webhook', httpMethod: 'POST' }),
				typeVersion: 1.1,
				webhookId: 'wait',
			},
		],
		connections: { Start: { main: [to('Items')] }, Items: { main: [to('Wait')] } },
		pinData: { Items: items },
	});
	const id = await client.start(workflow, 'Start');
	await asleep(demo, id);
	return `${url}/webhook-waiting/${id}/nobody?signature=${(await dataOf(demo, id)).resumeToken}`;
}
