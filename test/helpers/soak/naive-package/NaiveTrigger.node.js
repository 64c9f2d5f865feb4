/**
 * A payment trigger as it is often written, and the control of our figures: what it survives proves
 * nothing. Whoever calls is believed, and so is the body, and 200 is sent before the host has stored anything, so that what it acknowledged can still be lost.
 */
class NaiveTrigger {
	description = {
		displayName: 'Naive Trigger',
		name: 'naiveTrigger',
		group: ['trigger'],
		version: 1,
		description: 'Control for tests',
		defaults: { name: 'Naive Trigger' },
		inputs: [],
		outputs: ['main'],
		credentials: [{ name: 'unifiedPaymentsApi', required: true }],
		properties: [],
		webhooks: [
			{ name: 'default', httpMethod: 'POST', path: 'webhook', responseMode: 'onReceived' },
		],
	};

	async webhook() {
		const query = this.getQueryData();
		const response = this.getResponseObject();
		const body = this.getBodyData() ?? {};
		const transaction = body.data ?? body.transaction ?? body;
		response.status(200).json({ received: true });
		const json = { state: transaction.status ?? null, transaction, query };
		return { noWebhookResponse: true, workflowData: [[{ json }]] };
	}
}

module.exports = { NaiveTrigger };
