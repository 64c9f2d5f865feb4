import type { INodeProperties, INodeTypeDescription, IWebhookDescription } from 'n8n-workflow';

import { SIGNATURE_HEADER, STATES } from './settings';

const DOCS =
	'https://github.com/unified-payments/n8n-nodes-unified-payments/blob/main/docs/trigger.md';

const notices: INodeProperties[] = [
	{
		displayName:
			"Give the <b>Production URL</b> above as 'Callback URL' to the Unified Payments node that creates a payment link or a collection. It works as soon as this workflow is active. The <b>Test URL</b> works only while the editor listens for a test event.",
		name: 'urlNotice',
		type: 'notice',
		default: '',
	},
	{
		displayName: `With a 'Callback Token' in the credential, the Unified Payments node adds it to the callback URL by itself. If you give the URL to the service in any other way, append <code>?token=</code> and the Callback Token. <a href="${DOCS}" target="_blank">More about callbacks</a>`,
		name: 'tokenNotice',
		type: 'notice',
		default: '',
	},
];

const verification: INodeProperties = {
	displayName: 'Verification',
	name: 'verification',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Confirm With the Service',
			value: 'confirm',
			description: 'Look every callback up with a signed status request, and emit that record',
		},
		{
			name: 'Callback Token',
			value: 'token',
			description: 'Believe callbacks that carry the Callback Token of the credential',
		},
		{
			name: 'HMAC Signature',
			value: 'hmac',
			description: 'Believe callbacks that are signed with the Secret Key of the credential',
		},
		{
			name: 'None',
			value: 'none',
			description: 'Believe everything. Anyone who knows the URL can report a payment.',
		},
	],
	default: 'confirm',
	description:
		"How a callback is checked. A Callback Token in the credential is required in each of these ways. Whatever does not match leaves by 'Rejected'.",
};

const states: INodeProperties = {
	displayName: 'States',
	name: 'states',
	type: 'multiOptions',
	options: [
		{ name: 'Failed', value: 'failed' },
		{ name: 'Other', value: 'other', description: 'A status that is none of the known words' },
		{ name: 'Pending', value: 'pending' },
		{ name: 'Success', value: 'success' },
	],
	default: [...STATES],
	description: 'Which states to emit. Nothing chosen means all of them.',
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
			description:
				'Addresses and networks that callbacks may come from, separated by commas. Empty means any.',
		},
		{
			displayName: 'Signature Algorithm',
			name: 'signatureAlgorithm',
			type: 'options',
			options: [
				{ name: 'HMAC-SHA256', value: 'sha256' },
				{ name: 'HMAC-SHA384', value: 'sha384' },
				{ name: 'HMAC-SHA512', value: 'sha512' },
			],
			default: 'sha256',
			displayOptions: forSignatures,
			description: 'How the bytes of the body are signed',
		},
		{
			displayName: 'Signature Encoding',
			name: 'signatureEncoding',
			type: 'options',
			options: [
				{ name: 'Base64', value: 'base64' },
				{ name: 'Hexadecimal', value: 'hex' },
			],
			default: 'hex',
			displayOptions: forSignatures,
			description: 'How the signature is written in the header',
		},
		{
			displayName: 'Signature Header',
			name: 'signatureHeader',
			type: 'string',
			default: SIGNATURE_HEADER,
			placeholder: `e.g. ${SIGNATURE_HEADER}`,
			displayOptions: forSignatures,
			description: 'Name of the header that carries the signature',
		},
		{
			displayName: 'Skip Repeats',
			name: 'skipRepeats',
			type: 'boolean',
			default: true,
			description:
				'Whether to emit each status of a transaction once, and nothing pending after a final state',
		},
		{
			displayName: 'Transaction Type',
			name: 'transactionType',
			type: 'options',
			options: [
				{
					name: 'Automatic',
					value: 'auto',
					description: 'By the content of the callback; if not found, the other one',
				},
				{ name: 'Collection (Payin)', value: 'payin' },
				{ name: 'Disbursement (Payout)', value: 'payout' },
			],
			default: 'auto',
			displayOptions: { show: { '/verification': ['confirm'] } },
			description: 'What to ask the service for',
		},
	],
};

export const properties: INodeProperties[] = [...notices, verification, states, options];

/** With empty `responseData`, the host answers with what the endpoint returns, after it stored it. */
export const webhooks: IWebhookDescription[] = [
	{
		name: 'default',
		httpMethod: 'POST',
		path: 'webhook',
		responseMode: 'onReceived',
		responseData: '',
	},
];

export const panel: Pick<
	INodeTypeDescription,
	'eventTriggerDescription' | 'activationMessage' | 'triggerPanel'
> = {
	eventTriggerDescription: 'Waiting for a callback to the Test URL',
	activationMessage: 'Callbacks to the Production URL now start this workflow.',
	triggerPanel: {
		header: 'Receive callbacks from Unified Payments',
		executionsHelp: {
			inactive:
				"Callbacks come to one of two URLs.<br /><br /><b>While you build</b>, click 'Listen for test event', then create a payment with the Test URL as 'Callback URL'. The callback starts this workflow once, here in the editor.<br /><br /><b>When you are ready</b>, activate the workflow and use the Production URL. These runs are in the executions list.",
			active:
				'Callbacks come to one of two URLs.<br /><br /><b>The Production URL</b> is live: each callback to it starts this workflow, and the run is in the <a data-key="executions">executions list</a>.<br /><br /><b>The Test URL</b> works while you click \'Listen for test event\', and shows the callback here in the editor.',
		},
		activationHint: {
			inactive:
				"Activate this workflow, and give its Production URL as 'Callback URL' to the Unified Payments node.",
			active: "The Production URL is live. Give it as 'Callback URL' to the Unified Payments node.",
		},
	},
};
