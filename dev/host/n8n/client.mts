import { randomUUID } from 'node:crypto';

import { parse } from 'flatted';
import type {
	ExecutionStatus,
	IConnections,
	ICredentialDataDecryptedObject,
	IDataObject,
	INode,
	INodeTypeDescription,
	IPinData,
	IRunExecutionData,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { Execution } from './execution.mts';
import { call } from '../shared/http.mts';
import type { Reply } from '../shared/http.mts';
import { until } from '../shared/until.mts';

export interface Login {
	email: string;
	password: string;
}

export interface SavedCredential {
	id: string;
	name: string;
	type: string;
}

export interface NewWorkflow {
	name: string;
	nodes: INode[];
	connections: IConnections;
	settings?: IDataObject;
	/** Manual runs use this instead of running the node that it is pinned to. */
	pinData?: IPinData;
}

export interface SavedWorkflow {
	id: string;
	name: string;
	versionId: string;
}

/** An entry of the list of executions. */
export interface ListedExecution {
	id: string;
	status: ExecutionStatus;
	mode: WorkflowExecuteMode;
	retryOf: string | null;
}

interface Publication {
	status: string;
	triggers: Array<{ status: string; errorMessage: string | null }>;
}

interface ExecutionPage {
	results: ListedExecution[];
	/** Null after the last page; older releases have none. */
	nextCursor?: string | null;
}

interface StoredExecution {
	status: ExecutionStatus;
	/** In the format of the library `flatted`. */
	data: string;
}

const PAGE = 100;
const UNFINISHED: ExecutionStatus[] = ['new', 'running', 'unknown'];

/** The requests that n8n's editor sends to its server, as far as we need them. */
export class N8nClient {
	private cookie = '';

	// A session is only valid in the browser that opened it.
	private readonly browserId = randomUUID();

	constructor(readonly url: string) {}

	async hasOwner(): Promise<boolean> {
		const { userManagement } = await this.get<{
			userManagement: { showSetupOnFirstLoad?: boolean };
		}>('/rest/settings');
		return userManagement.showSetupOnFirstLoad !== true;
	}

	async setUpOwner(login: Login): Promise<void> {
		await this.openSession('/rest/owner/setup', { ...login, firstName: 'Ada', lastName: 'Owner' });
	}

	async login({ email, password }: Login): Promise<void> {
		await this.openSession('/rest/login', { emailOrLdapLoginId: email, password });
	}

	async createCredential(
		name: string,
		type: string,
		data: ICredentialDataDecryptedObject,
	): Promise<SavedCredential> {
		return await this.post('/rest/credentials', { name, type, data });
	}

	async credentials(): Promise<SavedCredential[]> {
		return await this.get('/rest/credentials');
	}

	async updateCredential(
		{ id, name, type }: SavedCredential,
		data: ICredentialDataDecryptedObject,
	): Promise<void> {
		await this.patch(`/rest/credentials/${id}`, { name, type, data });
	}

	async workflows(): Promise<SavedWorkflow[]> {
		return await this.get('/rest/workflows');
	}

	async createWorkflow(workflow: NewWorkflow): Promise<SavedWorkflow> {
		const settings = { executionOrder: 'v1', ...workflow.settings };
		// The first releases of n8n 2 require `active`.
		return await this.post('/rest/workflows', { active: false, ...workflow, settings });
	}

	async activate({ id, versionId }: SavedWorkflow): Promise<void> {
		await this.post(`/rest/workflows/${id}/activate`, { versionId });
	}

	/** As it is now: a user may have changed it. */
	async workflow({ id }: SavedWorkflow): Promise<NewWorkflow & { active: boolean }> {
		return await this.get(`/rest/workflows/${id}`);
	}

	/** Activates it and waits until that took effect; throws the error of a trigger that refuses. */
	async publish(workflow: SavedWorkflow): Promise<void> {
		await this.activate(workflow);
		const { triggers } = await this.settled(workflow);
		const failed = triggers.find(({ status }) => status === 'failed');
		if (failed) throw new Error(failed.errorMessage ?? 'n8n gives no reason');
	}

	/** Deactivates it and waits until that took effect. */
	async deactivate(workflow: SavedWorkflow): Promise<void> {
		await this.post(`/rest/workflows/${workflow.id}/deactivate`, {});
		await this.settled(workflow);
	}

	/** Newer releases activate in the background; older ones are done when they answer. */
	private async settled({ id }: SavedWorkflow): Promise<Publication> {
		return await until(`the activation of workflow ${id}`, async () => {
			const reply = await this.send(`/rest/workflows/${id}/publication-status`);
			if (reply.status === 404) return { status: 'unknown', triggers: [] };
			const publication = this.data<Publication>(reply);
			return publication.status === 'in_progress' ? undefined : publication;
		});
	}

	/** Starts a workflow manually from one of its triggers. */
	async start(workflow: SavedWorkflow, trigger: string): Promise<string> {
		const path = `/rest/workflows/${workflow.id}/run`;
		// Newer releases take the workflow from their database, older ones from the request.
		const workflowData = await this.workflow(workflow);
		const body = { workflowData, triggerToStartFrom: { name: trigger } };
		return (await this.post<{ executionId: string }>(path, body)).executionId;
	}

	/** All stored executions of a workflow, oldest first. */
	async executions({ id }: SavedWorkflow): Promise<ListedExecution[]> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId: id }));
		const found = new Map<number, ListedExecution>();
		for (let position = ''; ;) {
			const path = `/rest/executions?limit=${PAGE}&filter=${filter}${position}`;
			const { results, nextCursor } = await this.get<ExecutionPage>(path);
			const known = found.size;
			for (const each of results) found.set(Number(each.id), each);
			// Older releases page by the last id, and repeat running executions on every page.
			const last = Math.min(...found.keys());
			position = nextCursor ? `&cursor=${nextCursor}` : `&lastId=${last}`;
			if (nextCursor === null || found.size === known || results.length < PAGE) break;
		}
		return [...found].sort(([a], [b]) => a - b).map(([, each]) => each);
	}

	/** Runs a failed execution again from where it failed. */
	async retry(executionId: string): Promise<Execution> {
		const { id } = await this.post<{ id: string }>(`/rest/executions/${executionId}/retry`, {});
		return await this.finished(id);
	}

	async run(workflow: SavedWorkflow, trigger: string): Promise<Execution> {
		return await this.finished(await this.start(workflow, trigger));
	}

	/** As it is stored; undefined as long as nothing is. */
	async stored(executionId: string): Promise<StoredExecution | undefined> {
		const reply = await this.send(`/rest/executions/${executionId}`);
		// 2.20 fails to show an execution without any data yet.
		if (reply.status === 500 && reply.text.includes("(reading 'resultData')")) return undefined;
		return this.data(reply);
	}

	async finished(executionId: string): Promise<Execution> {
		return await until(`the end of execution ${executionId}`, async () => {
			const stored = await this.stored(executionId);
			if (stored === undefined || UNFINISHED.includes(stored.status)) return undefined;
			return new Execution(executionId, stored.status, parse(stored.data) as IRunExecutionData);
		});
	}

	async nodeTypes(...names: string[]): Promise<INodeTypeDescription[]> {
		const nodeInfos = names.map((name) => ({ name, version: 1 }));
		return await this.post('/rest/node-types', { nodeInfos });
	}

	/** Every node the editor's panel offers, tools included. */
	async allNodeTypes(): Promise<INodeTypeDescription[]> {
		return this.read(await this.send('/types/nodes.json')) as INodeTypeDescription[];
	}

	/** The output schema that the editor shows before a run, if there is one. */
	async outputSchema(
		nodeType: string,
		version: string,
		resource: string,
		operation: string,
	): Promise<IDataObject | undefined> {
		const reply = await this.send(`/schemas/${nodeType}/${version}/${resource}/${operation}.json`);
		return reply.status === 404 ? undefined : (this.read(reply) as IDataObject);
	}

	async get<T>(path: string): Promise<T> {
		return this.data<T>(await this.send(path));
	}

	async post<T>(path: string, body: unknown): Promise<T> {
		return this.data<T>(await this.send(path, 'POST', body));
	}

	async patch<T>(path: string, body: unknown): Promise<T> {
		return this.data<T>(await this.send(path, 'PATCH', body));
	}

	private async openSession(path: string, body: object): Promise<void> {
		const reply = await this.send(path, 'POST', body);
		this.read(reply);
		this.cookie = (reply.headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ');
	}

	private async send(path: string, method = 'GET', body?: unknown): Promise<Reply> {
		const headers = { Cookie: this.cookie, 'browser-id': this.browserId };
		return await call(`${this.url}${path}`, { method, headers, body });
	}

	private data<T>(reply: Reply): T {
		return (this.read(reply) as { data: T }).data;
	}

	private read(reply: Reply): unknown {
		if (reply.status >= 400) throw new Error(`n8n answered ${reply.status}: ${reply.text}`);
		return JSON.parse(reply.text);
	}
}
