'use strict';

/** What the host wants to know about a node that is only used by benchmarks. */
const describe = (displayName, name, description, more = {}) => ({
	displayName,
	name,
	description,
	group: ['transform'],
	version: 1,
	defaults: { name: displayName },
	inputs: ['main'],
	outputs: ['main'],
	properties: [],
	...more,
});

const field = (displayName, name, type = 'string', initial = '') => ({
	displayName,
	name,
	type,
	default: initial,
});

const CREDENTIAL = 'unifiedPaymentsApi';

module.exports = {
	CREDENTIAL,
	credentials: [{ name: CREDENTIAL, required: true }],
	describe,
	field,
};
