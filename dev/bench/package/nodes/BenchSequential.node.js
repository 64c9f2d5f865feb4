'use strict';

const { CREDENTIAL, credentials, describe, field } = require('../lib/describe.js');
const { PATH } = require('../lib/seal.js');
const { HEADINGS, paramsOf } = require('../lib/sheet.js');

const FIELDS = Object.keys(HEADINGS);

/** The loop that most payment nodes are: one row after another, each field read from the host. */
class BenchSequential {
	description = describe('Bench Sequential', 'benchSequential', 'One row after another', {
		credentials,
		properties: FIELDS.map((name) => field(HEADINGS[name], name)),
	});

	async execute() {
		const { baseUrl } = await this.getCredentials(CREDENTIAL);
		const replies = [];
		for (let item = 0; item < this.getInputData().length; item++) {
			const row = {};
			for (const name of FIELDS) row[name] = this.getNodeParameter(name, item);
			const json = await this.helpers.httpRequestWithAuthentication.call(this, CREDENTIAL, {
				method: 'POST',
				url: baseUrl + PATH,
				body: paramsOf(row),
				json: true,
			});
			replies.push({ json, pairedItem: { item } });
		}
		return [replies];
	}
}

module.exports = { BenchSequential };
