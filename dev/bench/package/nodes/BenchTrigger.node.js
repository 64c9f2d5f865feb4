'use strict';

const { CREDENTIAL, describe, field } = require('../lib/describe.js');

/**
 * The least a trigger can do: the host stores what came and answers. No checks, no second thought.
 * With a credential, also what any trigger with a secret has to ask of the host.
 */
class BenchTrigger {
	description = describe('Bench Trigger', 'benchTrigger', 'Stores what comes', {
		group: ['trigger'],
		inputs: [],
		credentials: [{ name: CREDENTIAL, required: false }],
		properties: [field('Read Credential', 'readCredential', 'boolean', false)],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				path: 'webhook',
				responseMode: 'onReceived',
				responseData: '',
			},
		],
	});

	async webhook() {
		if (this.getNodeParameter('readCredential')) await this.getCredentials(CREDENTIAL);
		return {
			workflowData: [[{ json: { body: this.getBodyData() } }]],
			webhookResponse: { accepted: true },
		};
	}
}

module.exports = { BenchTrigger };
