import { createRequire } from 'node:module';
import { join } from 'node:path';

import {
	NodeConnectionTypes,
	type IDataObject,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { UnifiedPaymentsApi } from '../../credentials/UnifiedPaymentsApi.credentials.ts';

/**
 * A payment node as it is often written: one item after the other, follow what the host does by
 * default, throw or pass the error on. The control of our tests: what it survives proves nothing.
 */
export class NaiveNode implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Naive',
		name: 'naive',
		group: ['transform'],
		version: 1,
		description: 'Control for tests',
		defaults: { name: 'Naive' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'unifiedPaymentsApi', required: true }],
		properties: [{ displayName: 'Amount', name: 'amount', type: 'string', default: '' }],
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const { baseUrl } = await this.getCredentials('unifiedPaymentsApi');
		const items: INodeExecutionData[] = [];
		for (let index = 0; index < this.getInputData().length; index++) {
			try {
				const amount = this.getNodeParameter('amount', index);
				const reply = (await this.helpers.httpRequestWithAuthentication.call(
					this,
					'unifiedPaymentsApi',
					{
						method: 'POST',
						url: `${baseUrl as string}/api/v3/service-unified-collections`,
						body: { amount },
						json: true,
					},
				)) as IDataObject;
				items.push({ json: reply, pairedItem: { item: index } });
			} catch (error) {
				if (!this.continueOnFail()) throw error;
				items.push({
					json: { error: (error as Error).message, reason: 'failed' },
					pairedItem: { item: index },
				});
			}
		}
		return [items];
	}
}

/** A credential that signs as ours does, and leaves redirects to the host and to the caller. */
export class NaiveCredential extends UnifiedPaymentsApi {
	override async authenticate(
		...[data, given]: Parameters<UnifiedPaymentsApi['authenticate']>
	): Promise<IHttpRequestOptions> {
		const { body, headers } = await super.authenticate(data, given);
		return { ...given, body, headers };
	}
}

/** The bulk control as a package of its own, so that a real n8n can load the very same node. */
export const NAIVE_PACKAGE = join(process.cwd(), 'test', 'helpers', 'soak', 'naive-package');

const require = createRequire(join(NAIVE_PACKAGE, 'package.json'));

export const { NaivePayments } = require('./NaivePayments.node.js') as {
	NaivePayments: new () => INodeType;
};
