'use strict';

const { Agent, request } = require('node:http');

const { CREDENTIAL, credentials, describe, field } = require('../lib/describe.js');
const { PATH, seal } = require('../lib/seal.js');
const { byField, paramsOf } = require('../lib/sheet.js');

/**
 * The least a node can do: the bodies are sealed beforehand, then a bare loop over the host's HTTP
 * helper. No reading of parameters, no checks, no judging of replies.
 */
class BenchFloor {
	description = describe('Bench Floor', 'benchFloor', 'A bare loop over the HTTP helper', {
		credentials,
		properties: [
			field('Lanes', 'lanes', 'number', 50),
			// What the credential costs: "request" seals here, "authentication" lets the host do it,
			// "decrypted" too, but hands it the credential so that it need not be fetched per request.
			// "wire" goes around the helper: what machine and service allow.
			field('Via', 'via', 'string', 'request'),
		],
	});

	async execute() {
		const credential = await this.getCredentials(CREDENTIAL);
		const sender = this.getNodeParameter('via', 0);
		const send = SENDERS[sender](this, credential);
		const all = this.getInputData().map(({ json }) => send.prepare(paramsOf(byField(json))));
		const replies = [];
		const next = all.entries();
		const lane = async () => {
			for (const [item, body] of next) replies[item] = await send.send(body);
		};
		await Promise.all(Array.from({ length: this.getNodeParameter('lanes', 0) }, lane));
		return [replies.map((json, item) => ({ json, pairedItem: { item } }))];
	}
}

const post = (credential, body) => ({
	method: 'POST',
	url: credential.baseUrl + PATH,
	headers: { 'Content-Type': 'application/json' },
	body,
});

const SENDERS = {
	request: ({ helpers }, credential) => ({
		prepare: (params) => seal(credential, params),
		send: (body) => helpers.httpRequest(post(credential, body)),
	}),
	wire: (_, credential) => {
		const agent = new Agent({ keepAlive: true });
		return {
			prepare: (params) => seal(credential, params),
			send: async (body) => await overTheWire(agent, post(credential, body)),
		};
	},
	authentication: (context, credential) => ({
		prepare: (params) => params,
		send: (body) => authenticated(context, post(credential, body)),
	}),
	decrypted: (context, credential) => {
		const { id, name } = context.getNode().credentials[CREDENTIAL];
		const credentialsDecrypted = { id, name, type: CREDENTIAL, data: credential };
		return {
			prepare: (params) => params,
			send: (body) => authenticated(context, post(credential, body), { credentialsDecrypted }),
		};
	},
};

const overTheWire = async (agent, { url, method, headers, body }) =>
	await new Promise((resolve, reject) => {
		const sent = request(url, { agent, method, headers }, async (response) => {
			let text = '';
			for await (const part of response) text += part;
			resolve(JSON.parse(text));
		});
		sent.on('error', reject);
		sent.end(body);
	});

const authenticated = (context, ...args) =>
	context.helpers.httpRequestWithAuthentication.call(context, CREDENTIAL, ...args);

module.exports = { BenchFloor };
