import type { INodeProperties } from 'n8n-workflow';

import { OPTIONS, type OptionName } from './options';

/** In the order of the editor, which is that of the alphabet. */
const group = (...names: OptionName[]): INodeProperties => ({
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: names
		.map((name): INodeProperties => OPTIONS[name].property)
		.sort((a, b) => a.displayName.localeCompare(b.displayName)),
});

const READ: OptionName[] = ['concurrency', 'requestsPerSecond', 'timeoutSeconds'];

export const readOptionsField = group(...READ);

export const pollOptionsField = group(...READ, 'onTimeout');

/** Options that are checked before anything is sent. */
const CHECK: OptionName[] = ['duplicateKey', 'maxAmount', 'maxTotal', 'onDuplicate'];

const CREATE: OptionName[] = [
	...CHECK,
	'approvedFingerprint',
	'concurrency',
	'dryRun',
	'includeInputFields',
	'requestsPerSecond',
	'timeoutSeconds',
];

export const createLinkOptionsField = group(...CREATE, 'waitInThisExecution');

export const createCollectionOptionsField = group(...CREATE);

export const checkCollectionOptionsField = group(...CHECK);

export const checkLinkOptionsField = group(...CHECK, 'waitInThisExecution');

export const waitOptionsField = group('concurrency', 'timeoutSeconds');
