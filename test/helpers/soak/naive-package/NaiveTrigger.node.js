/**
 * A payment trigger as it is often written, and the control of our figures: it answers by itself
 * before the host has stored anything, so that what it acknowledged can still be lost.
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
		properties: [],
		webhooks: [
			{ name: 'default', httpMethod: 'POST', path: 'webhook', responseMode: 'onReceived' },
		],
	};

	async webhook() {
		this.getResponseObject().status(200).send('OK');
		return {
			noWebhookResponse: true,
			workflowData: [[{ json: { callback: { body: this.getBodyData() } } }]],
		};
	}
}

module.exports = { NaiveTrigger };
