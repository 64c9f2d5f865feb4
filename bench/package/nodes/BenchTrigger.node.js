'use strict';

const { describe } = require('../lib/describe.js');

/** The least a trigger can do: the host stores what came and answers. No checks, no second thought. */
class BenchTrigger {
	description = describe('Bench Trigger', 'benchTrigger', 'Stores what comes', {
		group: ['trigger'],
		inputs: [],
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
		return {
			workflowData: [[{ json: { body: this.getBodyData() } }]],
			webhookResponse: { accepted: true },
		};
	}
}

module.exports = { BenchTrigger };
