import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { NewWorkflow, SavedCredential, SavedWorkflow } from './client.mts';
import type { Workshop } from './furnish.mts';
import { call } from './http.mts';

/** An n8n of the user's own, by its public API. */
export class PublicApi implements Workshop {
	constructor(
		readonly url: string,
		private readonly apiKey: string,
	) {}

	async credentials(): Promise<SavedCredential[]> {
		return (await this.send<{ data: SavedCredential[] }>('/credentials?limit=250')).data;
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

	async createWorkflow({ name, nodes, connections }: NewWorkflow): Promise<SavedWorkflow> {
		const settings = { executionOrder: 'v1' };
		return await this.send('/workflows', 'POST', { name, nodes, connections, settings });
	}

	private async send<T>(path: string, method = 'GET', body?: unknown): Promise<T> {
		const headers = { 'X-N8N-API-KEY': this.apiKey };
		const reply = await call(`${this.url}/api/v1${path}`, { method, headers, body });
		if (reply.status >= 400) {
			throw new Error(`${this.url} answered ${reply.status} to ${method} ${path}: ${reply.text}`);
		}
		return JSON.parse(reply.text) as T;
	}
}
