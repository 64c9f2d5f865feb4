'use strict';

const { describe } = require('../lib/describe.js');
const { begin, end } = require('../lib/meter.js');

/** Starts and ends a CPU profile of this n8n, for those who can only send requests to it. */
class BenchMeter {
	description = describe('Bench Meter', 'benchMeter', 'Profiles this process', {
		group: ['trigger'],
		inputs: [],
		webhooks: [{ name: 'default', httpMethod: 'POST', path: 'meter', responseMode: 'onReceived' }],
	});

	async webhook() {
		const { profile } = this.getBodyData();
		if (typeof profile === 'string') begin({ profile });
		else end();
		return { webhookResponse: {} };
	}
}

module.exports = { BenchMeter };
