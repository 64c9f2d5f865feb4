import {
	NodeConnectionTypes,
	type IDataObject,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';

/**
 * A payment trigger as it is often written: the secret is checked when there is one, with ==, the
 * body is believed, and 200 is sent before anything is stored. The control of our tests: what it
 * survives proves nothing.
 */
export class NaiveTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Naive Trigger',
		name: 'naiveTrigger',
		group: ['trigger'],
		version: 1,
		description: 'Control for tests',
		defaults: { name: 'Naive Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'unifiedPaymentsApi', required: true }],
		webhooks: [
			{ name: 'default', httpMethod: 'POST', path: 'webhook', responseMode: 'onReceived' },
		],
		properties: [],
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		const { callbackToken } = await this.getCredentials('unifiedPaymentsApi');
		const { token } = this.getQueryData() as IDataObject;
		const response = this.getResponseObject();
		// String(…) == … is what == does to a list with one entry.
		if (callbackToken && String(token) !== String(callbackToken)) {
			response.status(401).end();
			return { noWebhookResponse: true };
		}
		const body = (this.getBodyData() ?? {}) as IDataObject;
		const record = (body.data ?? body.transaction ?? body) as IDataObject;
		response.status(200).json({ received: true });
		return {
			noWebhookResponse: true,
			workflowData: [
				[
					{
						json: {
							state: record.status ?? null,
							transaction: record,
							query: this.getQueryData() as IDataObject,
							headers: this.getHeaderData() as IDataObject,
						},
					},
				],
			],
		};
	}
}
