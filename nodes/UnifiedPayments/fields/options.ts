import { choiceField, readFields, type Field, type RawFields, type Values } from './field';
import {
	approvedFingerprintOption,
	flagOption,
	guardOption,
	limitOption,
	numberField,
	readKey,
} from './optionKinds';

/** The first is the default. */
const ON_DUPLICATE = ['skip', 'error', 'sendUnanswered', 'sendAnyway'] as const;

/** The first is the default. */
const ON_TIMEOUT = ['continue', 'error'] as const;

export const OPTIONS = {
	approvedFingerprint: approvedFingerprintOption,
	concurrency: numberField(
		{
			displayName: 'Concurrency',
			name: 'concurrency',
			description:
				'How many rows are sent at the same time. More is faster; lower it when the service asks to slow down.',
		},
		{ min: 1, max: 50, default: 5 },
	),
	dryRun: guardOption(
		flagOption(
			{
				displayName: 'Dry Run',
				name: 'dryRun',
				description:
					"Whether to check each row and send nothing. Each comes out as valid, or with what is wrong with it. 'Check' gives one item for all rows instead.",
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
				'Rows with the same key are the same payment. Empty means the order reference or, without one, payer, item, amount, currency and country.',
		},
		read: readKey,
	},
	includeInputFields: {
		...flagOption(
			{
				displayName: 'Include Input Fields',
				name: 'includeInputFields',
				description:
					'Whether to add the input fields of each row to its result. Without this option, they are added when columns are mapped, and not otherwise.',
			},
			true,
		),
		blank: { value: undefined },
	} as Field<boolean | undefined>,
	maxAmount: limitOption({
		displayName: 'Max Amount',
		name: 'maxAmount',
		description:
			'The highest amount of a single row, in its own currency. A row above it is not sent.',
	}),
	maxTotal: limitOption({
		displayName: 'Max Total',
		name: 'maxTotal',
		description:
			'The highest total, in each currency, of all rows that this node sends in one execution. If the rows of a run pass it, none of them is sent.',
	}),
	onDuplicate: choiceField(ON_DUPLICATE, {
		displayName: 'On Duplicate',
		name: 'onDuplicate',
		options: [
			{
				name: 'Send Anyway',
				value: 'sendAnyway',
				description:
					'Send every row, also those that were accepted before. Nothing is compared or remembered.',
			},
			{
				name: 'Send Unanswered',
				value: 'sendUnanswered',
				description:
					'Ask once more about rows without an answer, and send again what is not found. Look it up in the service first: it may know a payment by its own number only.',
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
				description: 'Do not send the row, and report it as an error',
			},
		],
		description:
			'What to do with a row that appears twice in the input, or that an earlier run sent',
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
	requestsPerSecond: numberField(
		{
			displayName: 'Requests per Second',
			name: 'requestsPerSecond',
			description: 'How many rows to begin per second at most. 0 means no limit.',
		},
		{ min: 0, max: 1000, default: 0, whole: false },
	),
	timeoutSeconds: numberField(
		{
			displayName: 'Timeout (Seconds)',
			name: 'timeoutSeconds',
			description: 'How long to wait for the reply to one row',
		},
		{ min: 1, max: 300, default: 30, whole: false },
	),
	waitInThisExecution: flagOption(
		{
			displayName: 'Wait in This Execution',
			name: 'waitInThisExecution',
			description:
				"Whether the service calls back to this execution, so that 'Wait Until Paid' later in the workflow can wait for the links. 'Callback URL' is not used then.",
		},
		false,
	),
} satisfies Record<string, Field<unknown>>;

export type OptionName = keyof typeof OPTIONS;

/** Those that can only hold for all rows of a run. */
const OF_RUN = [
	'approvedFingerprint',
	'concurrency',
	'includeInputFields',
	'maxTotal',
	'requestsPerSecond',
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
	const options = alreadyRead.get(raw) ?? readFields(OPTIONS, withAdded(raw));
	alreadyRead.set(raw, options);
	return options;
}

/** Of most runs: no option was added. */
const DEFAULTS: RowOptions = readFields(OPTIONS, {});

/** Options of the run, which were read by themselves. */
export const readOptionsOfRun = (raw: RawFields): RunOptions => {
	if (Object.keys(raw).length === 0) return DEFAULTS;
	const fields = Object.fromEntries(OF_RUN.map((name) => [name, OPTIONS[name]]));
	return readFields(fields, withAdded(raw)) as RunOptions;
};

/** What was added to the options, but gives nothing, must not count as not added. */
const withAdded = (raw: RawFields): RawFields => ({
	...raw,
	...Object.fromEntries(
		[...GUARDS, 'duplicateKey']
			.filter((name) => name in raw)
			.map((name) => [name, raw[name] ?? '']),
	),
});
