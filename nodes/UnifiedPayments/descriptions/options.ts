import type { INodeProperties } from 'n8n-workflow';

const concurrency: INodeProperties = {
	displayName: 'Concurrency',
	name: 'concurrency',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 50 },
	default: 5,
	description:
		'How many rows are sent at the same time. More is faster; lower it when the service asks to slow down.',
};

const maxRetries: INodeProperties = {
	displayName: 'Max Retries',
	name: 'maxRetries',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 10 },
	default: 3,
	description: 'How often to ask again when the service does not answer, is busy or is down',
};

const requestsPerSecond: INodeProperties = {
	displayName: 'Requests per Second',
	name: 'requestsPerSecond',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 1000 },
	default: 0,
	description: 'The most requests to send in a second. 0 means no limit.',
};

const timeoutSeconds: INodeProperties = {
	displayName: 'Timeout (Seconds)',
	name: 'timeoutSeconds',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 300 },
	default: 30,
	description: 'How long to wait for the reply to one row',
};

const allowUnsupportedCountry: INodeProperties = {
	displayName: 'Allow Unsupported Country',
	name: 'allowUnsupportedCountry',
	type: 'boolean',
	default: false,
	description:
		'Whether to try collections also in countries that the service marks as not supported. It may decline them.',
};

const dryRun: INodeProperties = {
	displayName: 'Dry Run',
	name: 'dryRun',
	type: 'boolean',
	default: false,
	description:
		'Whether to check every row and send nothing. Each row comes out as valid, or with everything that is wrong with it.',
};

const duplicateKey: INodeProperties = {
	displayName: 'Duplicate Key',
	name: 'duplicateKey',
	type: 'string',
	default: '',
	placeholder: 'e.g. {{ $json.orderNumber }}',
	description:
		'What makes a row the same as another, e.g. an order number. Empty means all values that would be sent.',
};

const duplicateProtection: INodeProperties = {
	displayName: 'Duplicate Protection',
	name: 'duplicateProtection',
	type: 'boolean',
	default: true,
	description:
		'Whether to send each row only once: rows that stand in the input twice are found before the first is sent, and rows that an earlier run of this node sent are recognised',
};

const mobileFormat: INodeProperties = {
	displayName: 'Mobile Format',
	name: 'mobileFormat',
	type: 'options',
	options: [
		{
			name: 'As Entered',
			value: 'asEntered',
			description: 'Sent as it stands in the row, without any check',
		},
		{ name: 'E.164', value: 'e164', description: 'Like +254712345678' },
		{ name: 'International', value: 'international', description: 'Like 254712345678' },
	],
	default: 'international',
	description: 'How phone numbers are written when they are sent',
};

const onDuplicate: INodeProperties = {
	displayName: 'On Duplicate',
	name: 'onDuplicate',
	type: 'options',
	options: [
		{
			name: 'Send Anyway',
			value: 'sendAnyway',
			description: 'Send it as if it were new; nothing is compared or remembered',
		},
		{
			name: 'Skip',
			value: 'skip',
			description:
				'Pass the row on with the outcome "duplicate", or "unknown" when no answer is on record',
		},
		{
			name: 'Stop With an Error',
			value: 'error',
			description: 'Do not send the row, and report it like a row with a wrong field',
		},
	],
	default: 'skip',
	description: 'What to do with a row that stands in the input twice, or that an earlier run sent',
};

const failureStatuses: INodeProperties = {
	displayName: 'Failure Statuses',
	name: 'failureStatuses',
	type: 'string',
	default: '',
	placeholder: 'e.g. blocked, refunded',
	description:
		'Words of the service that you want to count as failed, beside the usual ones, separated by commas',
};

const successStatuses: INodeProperties = {
	displayName: 'Success Statuses',
	name: 'successStatuses',
	type: 'string',
	default: '',
	placeholder: 'e.g. done, credited',
	description:
		'Words of the service that you want to count as success, beside the usual ones, separated by commas',
};

const group = (options: INodeProperties[]): INodeProperties => ({
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [...options].sort((a, b) => a.displayName.localeCompare(b.displayName)),
});

const READ = [concurrency, maxRetries, requestsPerSecond, timeoutSeconds];

export const readOptionsField = group(READ);

export const statusOptionsField = group([...READ, failureStatuses, successStatuses]);

const CREATE = [
	concurrency,
	dryRun,
	duplicateKey,
	duplicateProtection,
	mobileFormat,
	onDuplicate,
	requestsPerSecond,
	timeoutSeconds,
];

export const createLinkOptionsField = group(CREATE);

export const createCollectionOptionsField = group([...CREATE, allowUnsupportedCountry]);
