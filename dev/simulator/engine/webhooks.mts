import type { ServerResponse } from 'node:http';

import { WebhookContext } from 'n8n-core';
import type { INodeType, IWebhookData, IWorkflowExecuteAdditionalData } from 'n8n-workflow';

import { withLog } from '../../host/engine/log.mts';
import { hearWaiting } from '../../host/engine/waiting.mts';
import { expressLike, queryOf } from '../../host/engine/webhook.mts';
import { isWaitingUrl, WAITING, type Execution, type N8n, type SavedWorkflow } from './n8n.mts';
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

const NOBODY: CallAnswer = { status: 0, body: null };

/** What n8n does with a POST from outside: to the trigger, or to an execution that sleeps. */
export class Webhooks {
	constructor(
		private readonly n8n: N8n,
		/** Begins with its trigger, which has this address. */
		private readonly triggered: SavedWorkflow,
		private readonly address: string,
	) {}

	async call(call: Call): Promise<CallAnswer> {
		if (!this.n8n.isUp) return NOBODY;
		if (isWaitingUrl(call.url)) return await this.resume(call);
		const [path = ''] = call.url.split('?');
		if (path === this.address) return await this.start(call, this.triggered);
		return { status: 404, body: 'This webhook is not registered' };
	}

	/** Answered once it is stored; the execution runs afterwards. */
	private async start(call: Call, workflow: SavedWorkflow): Promise<CallAnswer> {
		const name = workflow.nodes[0]?.name ?? '';
		const prepared = this.n8n.prepare({ id: 'trigger', workflow, start: name });
		const node = prepared.workflow.getNode(name);
		if (node === null) return NOBODY;
		const { nodeTypes } = prepared.workflow;
		const type = nodeTypes.getByNameAndVersion(node.type, node.typeVersion) as INodeType;
		const description = type.description.webhooks?.find(({ path }) => path === 'webhook');
		const { webhook } = type;
		if (description === undefined || webhook === undefined) return NOBODY;
		const answered = new Answered();
		const data = prepared.dataWith(seen(call, answered));
		const webhookData: IWebhookData = {
			httpMethod: 'POST',
			node: name,
			path: 'webhook',
			webhookDescription: description,
			workflowId: workflow.id,
			workflowExecuteAdditionalData: data,
		};
		const context = new WebhookContext(
			prepared.workflow,
			node,
			data,
			'webhook',
			webhookData,
			[],
			null,
		);
		const given = await this.unlessKilled('trigger', [], async () => await webhook.call(context));
		if (given === undefined) return NOBODY;
		if (given.workflowData === undefined) return answered.answer;
		const beginning = { start: name, calledUrl: call.url };
		void this.n8n.run(workflow, given.workflowData[0] ?? [], beginning);
		return { status: 200, body: given.webhookResponse, execution: this.n8n.executions.at(-1) };
	}

	private async resume(call: Call): Promise<CallAnswer> {
		const [path = ''] = call.url.split('?');
		const [id] = path.split('/').slice(4);
		const execution = this.n8n.executions.find((each) => each.id === id);
		if (execution === undefined) return { status: 404, body: 'The execution does not exist' };
		const { stored, log } = execution;
		if (execution.status !== 'waiting' || stored === undefined) {
			return { status: 409, body: `The execution is ${execution.status}` };
		}
		const prepared = this.n8n.prepare(execution);
		const answered = new Answered();
		const data = { ...WAITING, ...seen(call, answered) };
		const heard = await this.unlessKilled(
			execution.id,
			log,
			async () => await hearWaiting(prepared, stored, { url: call.url, data }),
		);
		if (heard === undefined) return NOBODY;
		if (heard.refused !== null) return heard.refused;
		if (heard.items === null) return answered.answer;
		// Two callers may have been heard at the same time: n8n lets one of them resume it.
		if ((execution.status as string) !== 'waiting')
			return { status: 409, body: 'It is resumed already' };
		void this.n8n.goOn(execution, prepared, heard.runData);
		return { status: 200, body: heard.response, execution };
	}

	/** A kill ends the connection of whoever called. */
	private async unlessKilled<T>(
		execution: string,
		log: Execution['log'],
		hear: () => Promise<T>,
	): Promise<T | undefined> {
		const { process } = this.n8n;
		const hearing = runAs({ process, execution }, () => withLog(log, hear));
		const heard = await Promise.race([hearing, this.n8n.killed()]);
		return process.isDead ? undefined : (heard ?? undefined);
	}
}

/** The part of a response that nodes use. */
class Answered {
	statusCode = 200;
	body = '';
	setHeader(): void {}
	end(text = ''): void {
		this.body = text;
	}

	get answer(): CallAnswer {
		return { status: this.statusCode, body: this.body };
	}
}

/** A request as a node sees it, and the response that it may write. */
const seen = (call: Call, answered: Answered): Partial<IWorkflowExecuteAdditionalData> => ({
	httpRequest: requestOf(call) as never,
	httpResponse: expressLike(answered as unknown as ServerResponse) as never,
});

/** What n8n's middleware makes of a request before a node sees it. */
function requestOf({ url, body: text, headers = {}, ip = '203.0.113.9' }: Call) {
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
