import { startEngine } from './start.mts';

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parse as parseQuery } from 'node:querystring';

import { HookContext, WebhookContext } from 'n8n-core';
import { Workflow } from 'n8n-workflow';
import type {
	ICredentialType,
	IDataObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	IWebhookData,
	IWebhookResponseData,
	IWorkflowExecuteAdditionalData,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { additionalData } from './additionalData.mts';
import { connect, node, pass } from './build.mts';
import { EngineCredentials, type CredentialData } from './credentials.mts';
import { withLog, type LogLine } from './log.mts';
import { latestVersion, nodeTypeRegistry } from './nodeTypes.mts';
import { RunResult } from './result.mts';
import { NODE, PACKAGE_NAME } from './runNode.mts';
import { runWorkflow } from './workflow.mts';

export interface TriggerOptions {
	parameters?: INodeParameters;
	credentials?: CredentialData;
	credentialTypes?: ICredentialType[];
	/** By default a new one: repeats are remembered by workflow. */
	workflowId?: string;
	/** `webhook` for the production URL, `manual` for the test URL. */
	mode?: WorkflowExecuteMode;
	settings?: Partial<Pick<INode, 'onError' | 'retryOnFail' | 'maxTries' | 'waitBetweenTries'>>;
	/** False leaves the stored callbacks for `run`, like a queue without workers. */
	execute?: boolean;
	/** How many proxies are trusted for the sender's address. */
	proxyHops?: number;
}

/** A run of a workflow that starts with the trigger, with a node after each of its outputs. */
class TriggerRun extends RunResult {
	get callback(): IDataObject[] {
		return this.json('Output 0');
	}

	get rejected(): IDataObject[] {
		return this.json('Output 1');
	}

	get failed(): IDataObject[] {
		return this.json('Output 2');
	}
}

export interface TriggerHost {
	/** Where callbacks go. */
	url: string;
	/** The stored callbacks, in the order in which they were acknowledged. */
	stored: INodeExecutionData[][];
	/** The finished runs. */
	runs: TriggerRun[];
	/** What the endpoint and the runs wrote to the log. */
	log: LogLine[];
	/** What n8n does when the workflow is activated. */
	activate(): Promise<void>;
	/** Runs the workflow on a stored callback, as a worker or a retry does. */
	run(items: INodeExecutionData[], mode?: WorkflowExecuteMode): Promise<TriggerRun>;
	/** Resolves when nothing is running. */
	idle(): Promise<void>;
	close(): Promise<void>;
}

/** What the server's middleware adds to a request before a node sees it. */
export type Requested = IncomingMessage & {
	body?: unknown;
	query?: unknown;
	params?: unknown;
	ip?: string;
	contentType?: string;
	readRawBody?: () => Promise<void>;
};

let hosts = 0;

/**
 * Serves a trigger's endpoint over real HTTP as the server does: POST only, the raw bytes in addition
 * to the parsed body, 422 for broken JSON, refusals without an execution, and an acknowledgement once
 * the callback is stored. The execution that follows runs in the real engine.
 */
export async function serveTrigger(
	type: INodeType,
	options: TriggerOptions = {},
): Promise<TriggerHost> {
	await startEngine();
	const {
		parameters = {},
		credentials = {},
		credentialTypes = [],
		workflowId = `trigger-${++hosts}`,
		mode = 'webhook',
		settings = {},
		execute = true,
		proxyHops = 0,
	} = options;
	const name = `${PACKAGE_NAME}.${type.description.name}`;
	const wanted = (type.description.credentials ?? []).filter((each) => each.name in credentials);
	const trigger = node(NODE, name, parameters, {
		typeVersion: latestVersion(type),
		webhookId: 'hook',
		credentials: Object.fromEntries(wanted.map((each) => [each.name, { id: each.name, ...each }])),
		...settings,
	});
	const nodeTypes = { [name]: type };
	const workflow = new Workflow({
		id: workflowId,
		nodes: [structuredClone(trigger)],
		connections: {},
		active: true,
		nodeTypes: nodeTypeRegistry(nodeTypes),
	});
	const log: LogLine[] = [];
	const stored: INodeExecutionData[][] = [];
	const runs: TriggerRun[] = [];
	const underWay = new Set<Promise<unknown>>();

	const dataWith = (more: Partial<IWorkflowExecuteAdditionalData> = {}) =>
		additionalData(new EngineCredentials(credentialTypes, structuredClone(credentials)), more);
	const [usual] = type.description.webhooks!;
	const webhookData = (
		data: IWorkflowExecuteAdditionalData,
		webhookDescription = usual!,
	): IWebhookData => ({
		httpMethod: 'POST',
		node: NODE,
		path: `hook/${webhookDescription.path}`,
		webhookDescription,
		workflowId,
		workflowExecuteAdditionalData: data,
		isTest: mode === 'manual',
	});

	const run = async (items: INodeExecutionData[], runMode = mode): Promise<TriggerRun> => {
		const result = await runWorkflow({
			nodes: [trigger, pass('Output 0'), pass('Output 1'), pass('Output 2')],
			connections: connect([NODE, 0, 'Output 0'], [NODE, 1, 'Output 1'], [NODE, 2, 'Output 2']),
			items,
			nodeTypes,
			credentials,
			credentialTypes,
			workflowId,
			mode: runMode,
		});
		log.push(...result.log);
		const finished = new TriggerRun(result.run, result.staticData, result.log);
		runs.push(finished);
		return finished;
	};
	const start = (items: INodeExecutionData[]) => {
		const running = run(items).finally(() => underWay.delete(running));
		underWay.add(running);
		return running;
	};

	async function answer(request: Requested, response: ServerResponse): Promise<void> {
		const send = answerWith(response);
		const [path, query = ''] = (request.url ?? '').split('?');
		const called = type.description.webhooks!.find((each) => path === `/webhook/hook/${each.path}`);
		if (called === undefined || request.method !== 'POST') {
			return send(404, { code: 404, message: 'This webhook is not registered' });
		}
		request.query = queryOf(query);
		request.params = {};
		request.ip = addressOf(request, proxyHops);
		if (!(await readBody(request))) return send(422, { message: 'Failed to parse request body' });

		let result: IWebhookResponseData;
		try {
			const data = dataWith({
				httpRequest: request as never,
				httpResponse: expressLike(response) as never,
			});
			const context = new WebhookContext(
				workflow,
				workflow.getNode(NODE)!,
				data,
				mode,
				webhookData(data, called),
				[],
				null,
			);
			result = await withLog(log, async () => await type.webhook!.call(context));
		} catch (error) {
			// The server answers 500 and stores a failed execution for every such request.
			log.push({ level: 'error', message: `webhook threw: ${String(error)}` });
			stored.push([{ json: {} }]);
			return send(500, { message: 'Workflow could not be started!' });
		}
		if (result.workflowData !== undefined) {
			stored.push(structuredClone(result.workflowData[0] ?? []));
			if (execute) {
				const running = start(result.workflowData[0] ?? []);
				if (called.responseMode === 'lastNode') {
					const { status } = await running;
					return status === 'success' ? send(200, {}) : send(500, { message: 'Error in workflow' });
				}
			}
		}
		if (result.noWebhookResponse === true) return;
		send(200, (result.webhookResponse as unknown) ?? { message: 'Workflow was started' });
	}

	const server = createServer((request, response) => {
		void answer(request as Requested, response).catch((error: unknown) => {
			log.push({ level: 'error', message: `server: ${String(error)}` });
			response.destroy();
		});
	});
	// An idle connection that is closed just as it is used again would look like a fault.
	server.keepAliveTimeout = 0;
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	const idle = async () => {
		while (underWay.size > 0) await Promise.all(underWay);
	};
	return {
		url: `http://127.0.0.1:${port}/webhook/hook/webhook`,
		stored,
		runs,
		log,
		run,
		idle,
		async activate() {
			const data = dataWith();
			const methods = type.webhookMethods?.default;
			const hook = new HookContext(
				workflow,
				workflow.getNode(NODE)!,
				data,
				'trigger',
				'activate',
				webhookData(data),
			);
			if (!(await methods?.checkExists.call(hook))) await methods?.create.call(hook);
		},
		async close() {
			await idle();
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}

/** Like the server's parser: a key that appears twice or has brackets does not give a string. */
export function queryOf(text: string): Record<string, unknown> {
	const query: Record<string, unknown> = {};
	for (const [key, value] of Object.entries(parseQuery(text))) {
		const bracket = /^(\w+)\[(\w*)\]$/.exec(key);
		if (bracket === null) query[key] = value;
		else query[bracket[1]!] = bracket[2] === '' ? [value] : { [bracket[2]!]: value };
	}
	return query;
}

/** As Express does with `trust proxy` set to a number. */
function addressOf(request: IncomingMessage, hops: number): string {
	const forwarded = String(request.headers['x-forwarded-for'] ?? '')
		.split(',')
		.map((each) => each.trim())
		.filter((each) => each !== '');
	const chain = [request.socket.remoteAddress ?? '', ...forwarded.reverse()];
	return chain[Math.min(hops, chain.length - 1)]!;
}

/** False if the body claims to be JSON and is not. Of XML only the bytes are read. */
export async function readBody(request: Requested): Promise<boolean> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	const bytes = Buffer.concat(chunks);
	request.readRawBody = async () => undefined;
	if (bytes.length === 0) return true;
	if ((request.headers['content-type'] ?? '').startsWith('multipart/')) {
		// The server's form parser has already read these bytes.
		request.readRawBody = async () => {
			throw new Error('Request body stream was aborted or is not readable');
		};
		return true;
	}
	request.rawBody = bytes;
	const text = bytes.toString('utf8');
	const type = (request.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
	request.contentType = type;
	try {
		if (type === 'application/json') request.body = JSON.parse(text);
		else if (type === 'application/x-www-form-urlencoded') request.body = parseQuery(text);
		else if (type === 'text/plain') request.body = text;
		return true;
	} catch {
		return false;
	}
}

export const answerWith = (response: ServerResponse) => (status: number, body: unknown) => {
	response.writeHead(status, { 'content-type': 'application/json' });
	response.end(JSON.stringify(body));
};

/** The part of Express that nodes use. */
export function expressLike(response: ServerResponse) {
	const like = {
		setHeader(name: string, value: string) {
			response.setHeader(name, value);
		},
		status(code: number) {
			response.statusCode = code;
			return like;
		},
		json(body: unknown) {
			response.setHeader('content-type', 'application/json');
			response.end(JSON.stringify(body));
			return like;
		},
		send(body: string) {
			response.end(body);
			return like;
		},
		end() {
			response.end();
			return like;
		},
	};
	return like;
}
