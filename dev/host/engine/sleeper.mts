import { startEngine } from './start.mts';

import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type {
	ICredentialDataDecryptedObject,
	IRunExecutionData,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

import { withLog, type LogLine } from './log.mts';
import type { RunResult } from './result.mts';
import { hearWaiting } from './waiting.mts';
import { answerWith, expressLike, queryOf, readBody, type Requested } from './webhook.mts';
import { continueRun, prepareRun, type RunWorkflowOptions } from './workflow.mts';

/** A run that may go to sleep. */
export interface Sleeper {
	/** As far as it has come. */
	result(): RunResult;
	/** What callers were told, in the order of the calls. */
	answers: Array<{ status: number; body: unknown }>;
	log: LogLine[];
	/** Resolves when it sleeps no more. */
	awake(): Promise<RunResult>;
	/** Somebody edits the credential while it sleeps. */
	changeCredential(changes: ICredentialDataDecryptedObject): void;
	/** What the server does when time is up. */
	timeOut(): Promise<RunResult>;
	/** What the server does when it was interrupted, and somebody retries it: the node runs again. */
	retry(): Promise<RunResult>;
	/** Forgets all that is only in memory, as a restart does. */
	close(): Promise<void>;
}

/**
 * Runs a workflow as the server does, also when it goes to sleep: the execution is stored, its
 * resume URL is served over real HTTP, and a node's `webhook` decides what to go on with.
 */
export async function runSleeper(options: RunWorkflowOptions): Promise<Sleeper> {
	await startEngine();
	const log: LogLine[] = [];
	const answers: Sleeper['answers'] = [];
	const prepared = prepareRun(options);
	const { executionId } = prepared;
	let base: Partial<IWorkflowExecuteAdditionalData> = {};
	let result: RunResult | undefined;
	let state: 'running' | 'waiting' | 'over' = 'running';
	let wake: () => void = () => undefined;
	const awake = new Promise<void>((resolve) => (wake = resolve));

	const run = async (runData: IRunExecutionData, how = prepared): Promise<RunResult> => {
		state = 'running';
		result = await withLog(
			log,
			async () => await continueRun(how, runData, log, options.signal, base),
		);
		state = result.waitTill === undefined ? 'over' : 'waiting';
		if (state === 'over') wake();
		return result;
	};
	/** As it comes back from the database. */
	const stored = (): IRunExecutionData => structuredClone(result!.run.data);

	async function answer(request: Requested, response: ServerResponse): Promise<void> {
		const send = (status: number, body: unknown) => {
			answers.push({ status, body });
			answerWith(response)(status, body);
		};
		const { url = '' } = request;
		const [path = '', query = ''] = url.split('?');
		const [, , id] = path.split('/');
		request.query = queryOf(query);
		request.params = {};
		if (!(await readBody(request))) return send(422, { message: 'Failed to parse request body' });
		if (id !== executionId) return send(404, { message: 'The execution does not exist' });
		if (state !== 'waiting') return send(409, { message: `The execution is ${state}` });
		const express = expressLike(response);
		const data = {
			...base,
			httpRequest: request as never,
			httpResponse: {
				...express,
				status(code: number) {
					express.status(code);
					return { json: (body: unknown) => send(code, body) };
				},
			} as never,
		};
		const heard = await withLog(
			log,
			async () => await hearWaiting(prepared, result!.run.data, { url, data }),
		);
		if (heard.refused !== null) return send(heard.refused.status, heard.refused.body);
		if (heard.items === null) return;
		// Two callers may have been heard at the same time: the server lets one of them resume it.
		if ((state as string) !== 'waiting') return send(409, { message: 'It is resumed already' });
		const running = run(heard.runData);
		send(200, heard.response);
		await running;
	}

	const server = createServer((request, response) => {
		void answer(request as Requested, response).catch((error: unknown) => {
			log.push({ level: 'error', message: `server: ${String(error)}` });
			response.destroy();
		});
	});
	server.keepAliveTimeout = 0;
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	base = { webhookWaitingBaseUrl: `http://127.0.0.1:${port}/webhook-waiting` };
	await run(prepared.runData);
	return {
		result: () => result!,
		answers,
		log,
		async awake() {
			await awake;
			return result!;
		},
		changeCredential(changes) {
			for (const saved of Object.values(options.credentials ?? {})) Object.assign(saved, changes);
		},
		timeOut: async () => await run(stored()),
		async retry() {
			const runData = stored();
			runData.waitTill = undefined;
			runData.resultData.runData[runData.resultData.lastNodeExecuted!]!.pop();
			return await run(runData, { ...prepared, mode: 'retry' });
		},
		async close() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}
