'use strict';

const { createHmac, randomBytes } = require('node:crypto');

const PATH = '/api/v3/service-unified-collections';

/** The body as the service wants it, from a decrypted credential and the params of a create. */
function seal({ clientId, sender, secretKey }, params) {
	const timestamp = Math.floor(Date.now() / 1000);
	const salt = randomBytes(16).toString('hex');
	const text = JSON.stringify(params);
	const signature = createHmac('sha256', secretKey)
		.update(`${clientId}|${sender}|${timestamp}|${salt}|${text}`)
		.digest('hex');
	const head = JSON.stringify({ client_id: clientId, sender, timestamp, salt, signature });
	return `${head.slice(0, -1)},"params":${text}}`;
}

module.exports = { PATH, seal };
