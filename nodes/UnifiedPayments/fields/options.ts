import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';

import { readDecimal } from '../payment/decimal';
import { isFingerprint } from '../payment/fingerprint';
import {
	bad,
	choiceField,
	good,
	readFields,
	type Field,
	type RawFields,
	type Read,
	type Values,
} from './field';
import { MOBILE_FORMATS } from './mobile';
import { readReferenceText } from './orderReference';

type Property = Omit<INodeProperties, 'type' | 'default' | 'options' | 'typeOptions'>;

interface Range {
	least: number;
	most: number;
	byDefault: number;
	whole?: boolean;
}

/** The editor and the reader take limits and default from the same place. */
export function numberField(
	property: Property,
	{ least, most, byDefault, whole = true }: Range,
): Field<number> {
	const range = z.coerce.number().min(least).max(most);
	const schema = whole ? range.int() : range;
	const kind = `${whole ? 'whole number' : 'number'} from ${least} to ${most}`;
	return {
		property: {
			...property,
			type: 'number',
			typeOptions: { minValue: least, maxValue: most },
			default: byDefault,
		},
		blank: { value: byDefault },
		read(given) {
			const isNumeric = typeof given === 'number' || typeof given === 'string';
			const read = isNumeric ? schema.safeParse(given) : { success: false as const };
			return read.success ? good(read.data) : bad(`which is not a ${kind}`, `Give a ${kind}.`);
		},
	};
}

const FLAGS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
	[true, true],
	['true', true],
	[false, false],
	['false', false],
]);

export const flagOption = (property: Property, byDefault: boolean): Field<boolean> => ({
	property: { ...property, type: 'boolean', default: byDefault },
	blank: { value: byDefault },
	read(given) {
		const value = FLAGS.get(given);
		return value === undefined
			? bad('which is neither true nor false', 'Give true or false.')
			: good(value);
	},
});

/** Not added, it is off. Added, but without a value, it might be meant to be on. */
const guardOption = ({ property, read }: Field<boolean>): Field<boolean> => ({
	property,
	read: (given) => (given === undefined ? good(false) : read(given)),
});

const wordsOption = (property: Property): Field<string[]> => ({
	property: { ...property, type: 'string', default: '' },
	blank: { value: [] },
	read(given) {
		if (typeof given !== 'string') {
			return bad('which is not text', 'Give words separated by commas.');
		}
		const words = given.split(',').map((word) => word.trim());
		return good(words.filter((word) => word !== ''));
	},
});

function readKey(given: unknown): Read<string | null> {
	return typeof given === 'string' || typeof given === 'number'
		? readReferenceText(given)
		: bad('which is not text', 'Give text, e.g. an order number.');
}

/** Added, but empty, is no approval: an expression may have found none. */
const approvedFingerprintOption: Field<string | null> = {
	property: {
		displayName: 'Approved Fingerprint',
		name: 'approvedFingerprint',
		type: 'string',
		default: '',
		placeholder: "e.g. {{ $('Check').first().json.fingerprint }}",
		description:
			"The fingerprint that 'Check' gave for the rows that were approved. Nothing is sent unless the rows are exactly those.",
	},
	read(given) {
		if (given === undefined) return good(null);
		const text = typeof given === 'string' ? given.trim() : '';
		return isFingerprint(text)
			? good(text)
			: bad(
					"which is not a fingerprint of 'Check'",
					"Give the 'fingerprint' of the item that 'Check' gave. To send without an approval, remove the option.",
				);
	},
};

/** A limit that was added, but cannot be read, is not the same as no limit. */
const limitOption = (property: Property): Field<string | null> => ({
	property: { ...property, type: 'number', typeOptions: { minValue: 0 }, default: 0 },
	read(given) {
		if (given === undefined) return good(null);
		const isWritten = typeof given === 'string' || typeof given === 'number';
		const read = isWritten ? readDecimal(given) : null;
		return read !== null && 'value' in read
			? good(read.value)
			: bad(
					'which is not an amount above zero',
					'Give an amount above zero with at most two decimals. To send without a limit, remove the option.',
				);
	},
});

/** The first is the default. */
const ON_DUPLICATE = ['skip', 'error', 'sendUnanswered', 'sendAnyway'] as const;

/** The first is the default. */
const ON_UNKNOWN = ['lookUp', 'report'] as const;

/** The first is the default. */
const ON_TIMEOUT = ['continue', 'error'] as const;

const OPTIONS = {
	allowUnsupportedCountry: flagOption(
		{
			displayName: 'Allow Unsupported Country',
			name: 'allowUnsupportedCountry',
			description:
				'Whether to try collections also in countries that the service marks as not supported. It may decline them.',
		},
		false,
	),
	approvedFingerprint: approvedFingerprintOption,
	concurrency: numberField(
		{
			displayName: 'Concurrency',
			name: 'concurrency',
			description:
				'How many rows are sent at the same time. More is faster; lower it when the service asks to slow down.',
		},
		{ least: 1, most: 50, byDefault: 5 },
	),
	dryRun: guardOption(
		flagOption(
			{
				displayName: 'Dry Run',
				name: 'dryRun',
				description:
					'Whether to check every row and send nothing. Each row comes out as valid, or with everything that is wrong with it.',
			},
			false,
		),
	),
	duplicateKey: {
		property: {
			displayName: 'Duplicate Key',
			name: 'duplicateKey',
			type: 'string',
			default: '',
			placeholder: 'e.g. {{ $json.orderNumber }}',
			description:
				'What makes a row the same payment as another. Empty means its order reference, and without one: payer, item, amount, currency and country.',
		},
		blank: { value: null },
		read: readKey,
	},
	duplicateProtection: flagOption(
		{
			displayName: 'Duplicate Protection',
			name: 'duplicateProtection',
			description:
				'Whether to send each payment only once: one that appears twice in the input is found before the first is sent, and one that an earlier run of this node sent is recognised',
		},
		true,
	),
	failureStatuses: wordsOption({
		displayName: 'Failure Statuses',
		name: 'failureStatuses',
		placeholder: 'e.g. blocked, refunded',
		description:
			'Words of the service that you want to count as failed, in addition to the usual ones, separated by commas',
	}),
	findLink: flagOption(
		{
			displayName: 'Find Link',
			name: 'findLink',
			description:
				'Whether to look for links in the list of payment links when the reply does not hold them, and for the links of rows that were sent before. The list is asked for once per run.',
		},
		true,
	),
	includeInputFields: {
		...flagOption(
			{
				displayName: 'Include Input Fields',
				name: 'includeInputFields',
				description:
					'Whether the columns of each row come out together with its result. Without this option they do when columns are mapped, and do not otherwise.',
			},
			true,
		),
		blank: { value: undefined },
	} as Field<boolean | undefined>,
	maxAmount: limitOption({
		displayName: 'Max Amount',
		name: 'maxAmount',
		description:
			'The most that one row may ask for, in its own currency. A row with more is not sent.',
	}),
	maxRetries: numberField(
		{
			displayName: 'Max Retries',
			name: 'maxRetries',
			description: 'How often to ask again when the service does not answer, is busy or is down',
		},
		{ least: 0, most: 10, byDefault: 3 },
	),
	maxTotal: limitOption({
		displayName: 'Max Total',
		name: 'maxTotal',
		description:
			'The most that the rows of one run may ask for together, in each currency. With more, nothing is sent.',
	}),
	mobileFormat: choiceField(MOBILE_FORMATS, {
		displayName: 'Mobile Format',
		name: 'mobileFormat',
		options: [
			{
				name: 'As Entered',
				value: 'asEntered',
				description: 'Sent as it is in the row, without any check',
			},
			{ name: 'E.164', value: 'e164', description: 'Like +254712345678' },
			{ name: 'International', value: 'international', description: 'Like 254712345678' },
		],
		description: 'How phone numbers are written when they are sent',
	}),
	onDuplicate: choiceField(ON_DUPLICATE, {
		displayName: 'On Duplicate',
		name: 'onDuplicate',
		options: [
			{
				name: 'Send Anyway',
				value: 'sendAnyway',
				description:
					'Send every row, also those that were accepted before; nothing is compared or remembered',
			},
			{
				name: 'Send Unanswered',
				value: 'sendUnanswered',
				description:
					'Send rows again that an earlier run sent without an answer on record, and skip the others. Look them up in the service first.',
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
		description:
			'What to do with a row that appears twice in the input, or that an earlier run sent',
	}),
	onUnknown: choiceField(ON_UNKNOWN, {
		displayName: 'On Unknown',
		name: 'onUnknown',
		options: [
			{
				name: 'Look Up',
				value: 'lookUp',
				description:
					'Ask the service whether it took the row: links by its list, collections by their order reference',
			},
			{
				name: 'Report',
				value: 'report',
				description: 'Ask nothing, and report the row as "unknown"',
			},
		],
		description: 'What to do with a row that was sent, but whose answer did not come',
	}),
	onTimeout: choiceField(ON_TIMEOUT, {
		displayName: 'On Timeout',
		name: 'onTimeout',
		options: [
			{
				name: 'Continue',
				value: 'continue',
				description: 'Pass the item on with the state "timedOut" and what is known by then',
			},
			{
				name: 'Stop With an Error',
				value: 'error',
				description: 'Report the item like one that could not be looked up',
			},
		],
		description: 'What to do with an item that is not final when the time is up',
	}),
	orderInCallbackUrl: flagOption(
		{
			displayName: 'Order in Callback URL',
			name: 'orderInCallbackUrl',
			description:
				'Whether each callback URL carries the order reference, the amount and the currency, with a code that nobody else can make. By it links and payments are matched with their rows.',
		},
		true,
	),
	requestsPerSecond: numberField(
		{
			displayName: 'Requests per Second',
			name: 'requestsPerSecond',
			description: 'The most requests to send in a second. 0 means no limit.',
		},
		{ least: 0, most: 1000, byDefault: 0, whole: false },
	),
	settleClaimsMs: numberField(
		{
			displayName: 'Settle Claims (Ms)',
			name: 'settleClaimsMs',
			description:
				'For n8n with several workers: how long a note that a row is being sent rests before it is looked at again, and only then the row is sent. It keeps two workers from sending the same row. It takes that long for every 100 rows. 1000 is a good value; 0 means no rest, which is right for a single n8n.',
		},
		{ least: 0, most: 60_000, byDefault: 0 },
	),
	successStatuses: wordsOption({
		displayName: 'Success Statuses',
		name: 'successStatuses',
		placeholder: 'e.g. done, credited',
		description:
			'Words of the service that you want to count as success, in addition to the usual ones, separated by commas',
	}),
	timeoutSeconds: numberField(
		{
			displayName: 'Timeout (Seconds)',
			name: 'timeoutSeconds',
			description: 'How long to wait for the reply to one row',
		},
		{ least: 1, most: 300, byDefault: 30, whole: false },
	),
	twoDecimals: flagOption(
		{
			displayName: 'Two Decimals',
			name: 'twoDecimals',
			description:
				'Whether to write every amount with two decimals (80.00 instead of 80), as the service marks it for Zambia and Sierra Leone, and for one operator each in Tanzania and Uganda',
		},
		false,
	),
	waitInThisExecution: flagOption(
		{
			displayName: 'Wait in This Execution',
			name: 'waitInThisExecution',
			description:
				"Whether the service calls back to this very execution, so that a later 'Wait Until Paid' of the same workflow can wait for the links. A callback URL that is given is then not used.",
		},
		false,
	),
} satisfies Record<string, Field<unknown>>;

/** The user's own words for the state of a transaction, wherever one is read. */
export const statusFields = {
	failureStatuses: OPTIONS.failureStatuses,
	successStatuses: OPTIONS.successStatuses,
};

type OptionName = keyof typeof OPTIONS;

/** Those that can only hold for all rows of a run. */
const OF_RUN = [
	'approvedFingerprint',
	'concurrency',
	'includeInputFields',
	'maxTotal',
	'requestsPerSecond',
	'settleClaimsMs',
] as const satisfies readonly OptionName[];

export const OPTIONS_OF_RUN: ReadonlySet<string> = new Set(OF_RUN);

/** Those that limit or forbid: what cannot be read stops the run before anything is sent. */
const GUARDS: ReadonlySet<string> = new Set<OptionName>([
	'approvedFingerprint',
	'dryRun',
	'maxAmount',
	'maxTotal',
]);

export const isGuard = (field: string): boolean => GUARDS.has(field);

/** The `options` group of one row, with its defaults filled in. */
export type RowOptions = Values<typeof OPTIONS>;

export type RunOptions = Pick<RowOptions, (typeof OF_RUN)[number]>;

const alreadyRead = new WeakMap<RawFields, RowOptions>();

/** Rows that share their options share the object, too, and it is read once. */
export function readOptions(raw: RawFields): RowOptions {
	if (Object.keys(raw).length === 0) return DEFAULTS;
	const options = alreadyRead.get(raw) ?? readFields(OPTIONS, withGuards(raw));
	alreadyRead.set(raw, options);
	return options;
}

/** Of most runs: no option was added. */
const DEFAULTS: RowOptions = readFields(OPTIONS, {});

/** Options of the run, which were read by themselves. */
export const readOptionsOfRun = (raw: RawFields): RunOptions => {
	if (Object.keys(raw).length === 0) return DEFAULTS;
	const fields = Object.fromEntries(OF_RUN.map((name) => [name, OPTIONS[name]]));
	return readFields(fields, withGuards(raw)) as RunOptions;
};

/** A guard that was added to the options, but gives nothing, must not count as not added. */
const withGuards = (raw: RawFields): RawFields => ({
	...raw,
	...Object.fromEntries(
		[...GUARDS].filter((name) => name in raw).map((name) => [name, raw[name] ?? '']),
	),
});

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

const READ: OptionName[] = ['concurrency', 'maxRetries', 'requestsPerSecond', 'timeoutSeconds'];

export const readOptionsField = group(...READ);

const STATUS: OptionName[] = [...READ, 'failureStatuses', 'successStatuses'];

export const statusOptionsField = group(...STATUS);

export const pollOptionsField = group(
	...STATUS.filter((name) => name !== 'maxRetries'),
	'onTimeout',
);

/** What counts before anything is sent. */
const CHECK: OptionName[] = [
	'duplicateKey',
	'duplicateProtection',
	'maxAmount',
	'maxTotal',
	'mobileFormat',
	'onDuplicate',
	'orderInCallbackUrl',
];

const CREATE: OptionName[] = [
	...CHECK,
	'approvedFingerprint',
	'concurrency',
	'dryRun',
	'includeInputFields',
	'onUnknown',
	'requestsPerSecond',
	'settleClaimsMs',
	'timeoutSeconds',
];

export const createLinkOptionsField = group(...CREATE, 'findLink', 'waitInThisExecution');

export const checkLinkOptionsField = group(...CHECK);

export const createCollectionOptionsField = group(
	...CREATE,
	'allowUnsupportedCountry',
	'twoDecimals',
);

export const checkCollectionOptionsField = group(...CHECK, 'allowUnsupportedCountry');

/** The callback URL of what is waited for is ours, and always carries the order. */
export const createAndWaitOptionsField = group(
	...CREATE.filter((name) => name !== 'orderInCallbackUrl'),
	'allowUnsupportedCountry',
	'failureStatuses',
	'successStatuses',
	'twoDecimals',
);

export const waitOptionsField = group(
	'concurrency',
	'failureStatuses',
	'successStatuses',
	'timeoutSeconds',
);

/** The fields of an operation with other options. */
export const withOptions = (
	properties: readonly INodeProperties[],
	options: INodeProperties,
): INodeProperties[] => [...properties.filter(({ name }) => name !== options.name), options];
