import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { NewWorkflow, SavedCredential, SavedWorkflow } from './client.mts';
import { call } from '../shared/http.mts';
import type { Reply } from '../shared/http.mts';
import { until } from '../shared/until.mts';

/** The public API of an n8n that the user runs. */
export class PublicApi {
	constructor(
		readonly url: string,
		private readonly apiKey: string,
	) {}

	async credentials(): Promise<SavedCredential[]> {
		const reply = await this.reply('/credentials?limit=250');
		// Older releases of n8n do not list them.
		if (reply.status === 404 || reply.status === 405) return [];
		return this.read<{ data: SavedCredential[] }>(reply).data;
	}

	async createCredential(
		name: string,
		type: string,
		data: ICredentialDataDecryptedObject,
	): Promise<SavedCredential> {
		return await this.send('/credentials', 'POST', { name, type, data });
	}

	async updateCredential(
		{ id, name, type }: SavedCredential,
		data: ICredentialDataDecryptedObject,
	): Promise<void> {
		await this.send(`/credentials/${id}`, 'PATCH', { name, type, data });
	}

	async workflows(): Promise<SavedWorkflow[]> {
		return (await this.send<{ data: SavedWorkflow[] }>('/workflows?limit=250')).data;
	}

	async workflow({ id }: SavedWorkflow): Promise<NewWorkflow> {
		return await this.send(`/workflows/${id}`);
	}

	async createWorkflow({ name, nodes, connections }: NewWorkflow): Promise<SavedWorkflow> {
		const settings = { executionOrder: 'v1' };
		return await this.send('/workflows', 'POST', { name, nodes, connections, settings });
	}

	async activate({ id }: SavedWorkflow): Promise<void> {
		await this.send(`/workflows/${id}/activate`, 'POST');
	}

	async deleteWorkflow({ id }: SavedWorkflow): Promise<void> {
		await this.send(`/workflows/${id}/deactivate`, 'POST');
		// While it is being unpublished, n8n answers 409.
		await until('the workflow is deleted', async () => {
			const reply = await this.reply(`/workflows/${id}`, 'DELETE');
			return reply.status === 409 ? undefined : this.read<SavedWorkflow>(reply);
		});
	}

	private async send<T>(path: string, method = 'GET', body?: unknown): Promise<T> {
		return this.read(await this.reply(path, method, body));
	}

	private async reply(path: string, method = 'GET', body?: unknown): Promise<Reply> {
		const headers = { 'X-N8N-API-KEY': this.apiKey };
		return await call(`${this.url}/api/v1${path}`, { method, headers, body });
	}

	private read<T>({ status, text }: Reply): T {
		if (status >= 400) throw new Error(`n8n at ${this.url} answered ${status}: ${text}`);
		return JSON.parse(text) as T;
	}
}
