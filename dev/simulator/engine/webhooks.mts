import type { ServerResponse } from 'node:http';

import { WebhookContext } from 'n8n-core';
import type {
	INodeType,
	IWebhookData,
	IWebhookResponseData,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

import { withLog } from '../../host/engine/log.mts';
import { expressLike, queryOf } from '../../host/engine/webhook.mts';
import { isWaitingUrl, type Execution, type N8n, type SavedWorkflow } from './n8n.mts';
import { runAs } from './process.mts';

export interface Call {
	url: string;
	body: string;
	headers?: Record<string, string>;
	ip?: string;
}

export interface CallAnswer {
	/** 0 when nobody answered. */
	status: number;
	body: unknown;
	/** What it started or resumed. */
	execution?: Execution;
}

/** A node of a workflow that is called from outside. */
export interface PublishedTrigger {
	workflow: SavedWorkflow;
	node: string;
}

const NOBODY: CallAnswer = { status: 0, body: null };

/** What n8n does with a POST from outside: to the trigger, or to an execution that sleeps. */
export class Webhooks {
	constructor(
		private readonly n8n: N8n,
		/** By their addresses. */
		private readonly triggers: ReadonlyMap<string, PublishedTrigger>,
	) {}

	async call(call: Call): Promise<CallAnswer> {
		if (!this.n8n.isUp) return NOBODY;
		if (isWaitingUrl(call.url)) return await this.resume(call);
		const [path = ''] = call.url.split('?');
		const trigger = this.triggers.get(path);
		if (trigger !== undefined) return await this.start(call, trigger);
		return { status: 404, body: 'This webhook is not registered' };
	}

	/** Answered once it is stored; the execution runs afterwards. */
	private async start(call: Call, { workflow, node }: PublishedTrigger): Promise<CallAnswer> {
		const execution: Execution = emptyExecution('trigger', workflow, node);
		const heard = await this.hear(call, execution, node, 'webhook', null);
		if (heard === null) return NOBODY;
		const { given, answer } = heard;
		if (given.workflowData === undefined) return answer();
		const beginning = { start: node, calledUrl: call.url };
		void this.n8n.run(workflow, given.workflowData[0] ?? [], beginning);
		return { status: 200, body: given.webhookResponse, execution: this.n8n.executions.at(-1) };
	}

	private async resume(call: Call): Promise<CallAnswer> {
		const [path = '', query = ''] = call.url.split('?');
		const [id, suffix = ''] = path.split('/').slice(4);
		const execution = this.n8n.executions.find((each) => each.id === id);
		if (execution === undefined) return { status: 404, body: 'The execution does not exist' };
		if (execution.status !== 'waiting' || execution.stored === undefined) {
			return { status: 409, body: `The execution is ${execution.status}` };
		}
		const runData = structuredClone(execution.stored);
		if (queryOf(query).signature !== runData.resumeToken)
			return { status: 401, body: 'Invalid token' };
		const name = runData.resultData.lastNodeExecuted ?? '';
		const [top] = runData.executionData?.nodeExecutionStack ?? [];
		if (top === undefined) return { status: 404, body: 'Nothing waits' };
		runData.waitTill = undefined;
		top.node.disabled = true;
		runData.resultData.runData[name]?.pop();
		const heard = await this.hear(call, execution, name, suffix, runData);
		if (heard === null) return NOBODY;
		const { given, answer, prepared } = heard;
		if (given.workflowData === undefined) return answer();
		// Two callers may have been heard at the same time: n8n lets one of them resume it.
		if ((execution.status as string) !== 'waiting')
			return { status: 409, body: 'It is resumed already' };
		top.data.main = given.workflowData;
		top.metadata = { ...top.metadata, forwardAllOutputs: true };
		void this.n8n.goOn(execution, prepared, runData);
		return { status: 200, body: given.webhookResponse, execution };
	}

	/** Lets the node's own `webhook` hear a call; null when n8n dies meanwhile. */
	private async hear(
		{ url, body, headers = {}, ip = '203.0.113.9' }: Call,
		execution: Execution,
		nodeName: string,
		path: string,
		runData: Execution['stored'] | null,
	) {
		const prepared = this.n8n.prepare(execution);
		const { workflow, mode } = prepared;
		const node = workflow.getNode(nodeName);
		if (node === null) return null;
		const type = workflow.nodeTypes.getByNameAndVersion(node.type, node.typeVersion) as INodeType;
		const description = type.description.webhooks?.find((each) => each.path === path);
		const { webhook } = type;
		const answered = new Answered();
		const answer = (): CallAnswer => ({ status: answered.statusCode, body: answered.body });
		if (description === undefined || webhook === undefined) {
			const given: IWebhookResponseData = {};
			answered.statusCode = 404;
			return { given, answer, prepared };
		}
		const data = prepared.dataWith({
			webhookWaitingBaseUrl: 'https://n8n.example/webhook-waiting',
			httpRequest: requestOf(url, body, headers, ip) as never,
			httpResponse: expressLike(answered as unknown as ServerResponse) as never,
		} as Partial<IWorkflowExecuteAdditionalData>);
		const webhookData: IWebhookData = {
			httpMethod: 'POST',
			node: node.name,
			path,
			webhookDescription: description,
			workflowId: workflow.id,
			workflowExecuteAdditionalData: data,
		};
		const context = new WebhookContext(
			workflow,
			node,
			data,
			runData === null ? 'webhook' : mode,
			webhookData,
			[],
			runData ?? null,
		);
		const { process } = this.n8n;
		const hearing = runAs({ process, execution: execution.id }, () =>
			withLog(execution.log, async () => await webhook.call(context)),
		);
		// A kill ends the connection of whoever called.
		const given = await Promise.race([hearing, this.n8n.killed()]);
		return given === undefined || process.isDead ? null : { given, answer, prepared };
	}
}

const emptyExecution = (id: string, workflow: SavedWorkflow, start: string): Execution => ({
	id,
	workflow,
	start,
	startedAt: 0,
	status: 'running',
	result: undefined,
	live: undefined,
	stored: undefined,
	waitTill: Infinity,
	log: [],
	isCancelled: false,
});

/** The part of a response that nodes use. */
class Answered {
	statusCode = 200;
	body = '';
	setHeader(): void {}
	end(text = ''): void {
		this.body = text;
	}
}

/** What n8n's middleware makes of a request before a node sees it. */
function requestOf(url: string, text: string, headers: Record<string, string>, ip: string) {
	const [, query = ''] = url.split('?');
	const path = url.replace(/^https?:\/\/[^/]+/, '');
	let body: unknown;
	try {
		body = JSON.parse(text);
	} catch {
		body = text;
	}
	return {
		method: 'POST',
		url: path,
		originalUrl: path,
		headers: { 'content-type': 'application/json', ...headers },
		query: queryOf(query),
		params: {},
		ip,
		rawBody: Buffer.from(text),
		body,
		contentType: 'application/json',
		readRawBody: async () => undefined,
	};
}
