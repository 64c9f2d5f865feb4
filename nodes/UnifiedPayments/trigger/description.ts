import type { INodeProperties, INodeTypeDescription, IWebhookDescription } from 'n8n-workflow';

import { choiceProperty } from '../fields/field';
import { SIGNATURE_ALGORITHMS, SIGNATURE_ENCODINGS } from '../protocol/signing';
import { AT_THE_END } from './delivery';
import { SIGNATURE_HEADER, STATES, TOLERANCE_SECONDS, TYPES, VERIFICATIONS } from './settings';

const DOCS = 'https://owner.example/n8n-nodes-unified-payments/blob/main/docs/trigger.md';

const notices: INodeProperties[] = [
	{
		displayName:
			"Open <b>Webhook URLs</b> above, and give the <b>Production URL</b> as 'Callback URL' to the Unified Payments node. It works while this workflow is published (active). The <b>Test URL</b> works for one callback, while the editor listens.",
		name: 'urlNotice',
		type: 'notice',
		default: '',
	},
	{
		displayName: `The Unified Payments node adds a mark to the callback URL, by which this trigger knows that the service calls, and for which order. <a href="${DOCS}" target="_blank">More about callbacks</a>`,
		name: 'markNotice',
		type: 'notice',
		default: '',
	},
];

const verification = choiceProperty(VERIFICATIONS, {
	displayName: 'Verification',
	name: 'verification',
	noDataExpression: true,
	options: [
		{
			name: 'Confirm With the Service',
			value: 'confirm',
			description:
				'Ask the service about every callback, and pass on what it says. The safest choice.',
		},
		{
			name: 'Address',
			value: 'address',
			description:
				'Believe what comes to an address with our mark, without asking. Whoever may read the items of the workflow that sends payments knows such addresses.',
		},
		{
			name: 'HMAC Signature',
			value: 'hmac',
			description: "Believe callbacks that are signed with the 'Secret Key' of the credential",
		},
		{
			name: 'None',
			value: 'none',
			description: 'Believe everything. Anyone who knows the URL can report a payment.',
		},
	],
	description:
		"How to tell real callbacks from forged ones. An address whose mark was altered is always refused. What the service does not confirm comes out of 'Rejected'.",
});

const states: INodeProperties = {
	displayName: 'States',
	name: 'states',
	type: 'multiOptions',
	options: [
		{
			name: 'Failed',
			value: 'failed',
			description: 'This try came to nothing. A link may still be paid at the next try.',
		},
		{
			name: 'Pending',
			value: 'pending',
			description: 'Not decided yet, or a word that is in neither list of the credential',
		},
		{
			name: 'Success',
			value: 'success',
			description: "The payment succeeded. Whether all of it came is said by 'paidInFull'.",
		},
	],
	default: [...STATES],
	description: 'Which results start the rest of the workflow. Nothing chosen means all of them.',
};

const forSignatures = { show: { '/verification': ['hmac'] } };

const options: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [
		{
			displayName: 'IP Allow List',
			name: 'ipAllowList',
			type: 'string',
			default: '',
			placeholder: 'e.g. 203.0.113.7, 10.0.0.0/8, 2001:db8::/32',
			description: 'IP addresses that may call this trigger, separated by commas. Empty means any.',
		},
		choiceProperty(SIGNATURE_ALGORITHMS, {
			displayName: 'Signature Algorithm',
			name: 'signatureAlgorithm',
			options: [
				{ name: 'HMAC-SHA256', value: 'sha256' },
				{ name: 'HMAC-SHA384', value: 'sha384' },
				{ name: 'HMAC-SHA512', value: 'sha512' },
			],
			displayOptions: forSignatures,
			description: 'The method that the service signs callbacks with',
		}),

		choiceProperty(SIGNATURE_ENCODINGS, {
			displayName: 'Signature Encoding',
			name: 'signatureEncoding',
			options: [
				{ name: 'Base64', value: 'base64' },
				{ name: 'Hexadecimal', value: 'hex' },
			],
			displayOptions: forSignatures,
			description: 'How the signature is written in the header',
		}),

		{
			displayName: 'Signature Header',
			name: 'signatureHeader',
			type: 'string',
			default: SIGNATURE_HEADER,
			placeholder: `e.g. ${SIGNATURE_HEADER}`,
			displayOptions: forSignatures,
			description: 'The name under which the service sends the signature',
		},
		{
			displayName: 'Simplify',
			name: 'simplify',
			type: 'boolean',
			default: true,
			description: 'Whether to return a simplified version of the response instead of the raw data',
		},
		{
			displayName: 'Skip Repeats',
			name: 'skipRepeats',
			type: 'boolean',
			default: true,
			description: 'Whether to skip callbacks that say nothing new about a payment',
		},
		{
			displayName: 'Timestamp Header',
			name: 'timestampHeader',
			type: 'string',
			default: '',
			placeholder: 'e.g. X-Timestamp',
			displayOptions: forSignatures,
			description:
				'The header with the time of signing in Unix seconds, if the service signs <code>{timestamp}.{body}</code>. Callbacks of another time are refused. Empty means that the body alone is signed.',
		},
		{
			displayName: 'Tolerance (Seconds)',
			name: 'toleranceSeconds',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: TOLERANCE_SECONDS,
			displayOptions: forSignatures,
			description: "How far the time in 'Timestamp Header' may be from now",
		},
		choiceProperty(TYPES, {
			displayName: 'Transaction Type',
			name: 'transactionType',
			options: [
				{
					name: 'Collection (Payin)',
					value: 'payin',
					description: 'Money that a customer paid to you',
				},
				{ name: 'Disbursement (Payout)', value: 'payout', description: 'Money that you paid out' },
			],
			description: 'Which kind of payment the service is asked about. Others are rejected.',
		}),
	],
};

export const properties: INodeProperties[] = [...notices, verification, states, options];

/**
 * With empty `responseData`, n8n answers with what the endpoint returns, after it stored it. At
 * the second address it answers when the workflow has ended: in queue mode, n8n empties what it
 * stored when the worker dies, so only then is a callback sure not to be lost.
 */
export const webhooks: IWebhookDescription[] = [
	{
		name: 'default',
		httpMethod: 'POST',
		path: 'webhook',
		responseMode: 'onReceived',
		responseData: '',
	},
	{
		name: AT_THE_END,
		httpMethod: 'POST',
		path: 'finished',
		responseMode: 'lastNode',
		responseData: 'noData',
		ndvHideUrl: true,
	},
];

export const panel: Pick<
	INodeTypeDescription,
	'eventTriggerDescription' | 'activationMessage' | 'triggerPanel' | 'hints' | 'builderHint'
> = {
	hints: [
		{
			type: 'warning',
			message:
				"'Verification' is 'None': anyone who knows the URL can report a payment that was never made.",
			displayCondition: '={{ $parameter["verification"] === "none" }}',
			whenToDisplay: 'always',
			location: 'outputPane',
		},
	],
	builderHint: {
		searchHint:
			"Starts when a payment of Unified Payments changes. Connect output 0 ('Callback') to the work; output 1 ('Rejected') carries callbacks that were not confirmed, and must never lead to a delivery. Branch on `state` ('success', 'failed', 'pending'), find the order by `orderReference`, and deliver only when `paidInFull` is true. Keep `verification` at 'confirm'.",
		relatedNodes: [
			{
				nodeType: 'n8n-nodes-unified-payments.unifiedPayments',
				relationHint:
					"Creates the payment links and collections; this trigger's Production URL is their 'Callback URL'",
			},
			{
				nodeType: 'n8n-nodes-base.dataTable',
				relationHint: 'Keeps the orders, found by `orderReference`, and what was paid for them',
			},
		],
	},
	eventTriggerDescription: 'Waiting for a callback to the Test URL',
	activationMessage: 'Callbacks to the Production URL now start this workflow.',
	triggerPanel: {
		header: 'Receive callbacks from Unified Payments',
		executionsHelp: {
			inactive:
				"Callbacks come to one of two URLs.<br /><br /><b>While you build</b>, execute this step (in older versions of n8n: 'Listen for test event'), then create a payment with the Test URL as 'Callback URL'. The callback starts this workflow once, here in the editor.<br /><br /><b>When you are ready</b>, publish (activate) the workflow and use the Production URL. These runs are in the executions list.",
			active:
				'Callbacks come to one of two URLs.<br /><br /><b>The Production URL</b> is live: each callback to it starts this workflow, and the run is in the <a data-key="executions">executions list</a>.<br /><br /><b>The Test URL</b> works while this step is being executed here (in older versions of n8n: \'Listen for test event\'), and shows the callback in the editor.',
		},
		activationHint: {
			inactive:
				"Publish (activate) this workflow, and give its Production URL as 'Callback URL' to the Unified Payments node.",
			active: "The Production URL is live. Give it as 'Callback URL' to the Unified Payments node.",
		},
	},
};
