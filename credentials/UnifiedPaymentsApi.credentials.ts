import type {
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	IAuthenticateRuleResponseSuccessBody,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { authorize, WHOLE_BODY } from '../nodes/UnifiedPayments/protocol/authorize';
import {
	CREDENTIAL_NAME,
	DEFAULT_API_KEY_HEADER,
	DEFAULT_LISTS,
	readCredential,
	MOBILE_FORMATS,
} from '../nodes/UnifiedPayments/protocol/credential';
import { ENDPOINTS } from '../nodes/UnifiedPayments/protocol/endpoints';
import { SIGNATURE_DEFAULTS } from '../nodes/UnifiedPayments/protocol/signing';

/** The name of a header is no secret, so it is shown. */
const apiKeyHeader: INodeProperties = {
	displayName: 'API Key Header',
	name: 'apiKeyHeader',
	type: 'string',
	default: DEFAULT_API_KEY_HEADER,
	description:
		'The name under which the API key is sent. Leave it as it is unless the service told you otherwise.',
};

const forLocalSignatures: INodeProperties['displayOptions'] = {
	show: { signatureSource: ['local'] },
};

/** How this service wants things, where its documentation leaves that open. */
const SERVICE: INodeProperties[] = [
	{
		displayName: 'Mobile Format',
		name: 'mobileFormat',
		type: 'options',
		options: [
			{
				name: 'As Entered',
				value: 'asEntered',
				description: 'Sent as it is in the row, without any check',
			},
			{ name: 'E.164', value: 'e164', description: 'Like +254712345678' },
			{ name: 'International', value: 'international', description: 'Like 254712345678' },
		],
		default: MOBILE_FORMATS[0],
		description: 'How phone numbers are written when they are sent',
	},
	{
		displayName: 'Two Decimals',
		name: 'twoDecimals',
		type: 'boolean',
		default: false,
		description:
			'Whether to write amounts of collections with two decimals (80.00 instead of 80) in Tanzania, Uganda, Zambia and Sierra Leone, as the service marks it there',
	},
	{
		displayName: 'Allow Unsupported Country',
		name: 'allowUnsupportedCountry',
		type: 'boolean',
		default: false,
		description:
			'Whether to allow collections in countries that the service marks as not supported. It may decline them.',
	},
	{
		displayName: 'Order in Callback URL',
		name: 'orderInCallbackUrl',
		type: 'boolean',
		default: true,
		description:
			'Whether each callback URL carries the order reference, the amount and the currency, with a code that nobody else can make. This is how links and payments are matched with their rows.',
	},
	{
		displayName: 'Reference Fields',
		name: 'referenceFields',
		type: 'string',
		default: DEFAULT_LISTS.referenceFields,
		placeholder: 'e.g. ref, reference, payment.id',
		description:
			"Names of the fields in which the service gives its own number for a payment, separated by commas. 'payment.id' is 'id' inside 'payment'.",
	},
	{
		displayName: 'Link Fields',
		name: 'linkFields',
		type: 'string',
		default: DEFAULT_LISTS.linkFields,
		placeholder: 'e.g. link, page.url',
		description:
			'Names of the fields in which the service gives the address where the customer pays, separated by commas',
	},
	{
		displayName: 'Success Statuses',
		name: 'successStatuses',
		type: 'string',
		default: DEFAULT_LISTS.successStatuses,
		placeholder: 'e.g. success, credited',
		description: "Words of the service's status that mean paid, separated by commas",
	},
	{
		displayName: 'Failure Statuses',
		name: 'failureStatuses',
		type: 'string',
		default: DEFAULT_LISTS.failureStatuses,
		placeholder: 'e.g. failed, blocked',
		description:
			"Words of the service's status that mean not paid, separated by commas. Every word in neither list is pending.",
	},
	{
		displayName: 'Final Refusals',
		name: 'finalRefusals',
		type: 'string',
		typeOptions: { rows: 3 },
		default: DEFAULT_LISTS.finalRefusals,
		placeholder: 'e.g. Amount is below the minimum',
		description:
			'Whole messages of the service, one a line, that always mean that nothing was created. Rows that are refused with one of them are sent again by the next run; all other refusals are looked up first.',
	},
];

/** What most users never need. */
const ADVANCED: INodeProperties[] = [
	{
		displayName: 'Auth URL',
		name: 'authUrl',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://auth.example.com',
		description:
			'Only if the service gave you a second address for getting tokens. Empty means the base URL.',
	},
	{
		displayName: 'Signature Source',
		name: 'signatureSource',
		type: 'options',
		options: [
			{
				name: 'Computed Here',
				value: 'local',
				description: 'Sign with the secret key on this machine',
			},
			{
				name: 'From Signing Endpoint',
				value: 'endpoint',
				description:
					'Ask the service to sign each request. Works in the Unified Payments nodes only, not in HTTP Request.',
			},
		],
		default: 'local',
		description: 'Who signs the requests. Leave it as it is unless the service told you otherwise.',
	},
	{
		displayName: 'Signature Template',
		name: 'signatureTemplate',
		type: 'string',
		default: SIGNATURE_DEFAULTS.template,
		displayOptions: forLocalSignatures,
		description:
			'What is signed, and in which order. Leave it as it is unless the service told you otherwise.',
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
		default: SIGNATURE_DEFAULTS.algorithm,
		displayOptions: forLocalSignatures,
		description:
			'The method that the service uses to check signatures. Leave it as it is unless the service told you otherwise.',
	},
	{
		displayName: 'Signature Encoding',
		name: 'signatureEncoding',
		type: 'options',
		options: [
			{ name: 'Hexadecimal', value: 'hex', description: 'Lowercase' },
			{ name: 'Base64', value: 'base64' },
		],
		default: SIGNATURE_DEFAULTS.encoding,
		displayOptions: forLocalSignatures,
		description:
			'How the signature is encoded. Leave it as it is unless the service told you otherwise.',
	},
	{
		displayName: 'List Authentication',
		name: 'listAuthentication',
		type: 'options',
		options: [
			{
				name: 'Bearer Token',
				value: 'bearer',
				description: 'With a token that each run of the node fetches',
			},
			{ name: 'None', value: 'none' },
		],
		default: 'bearer',
		description: 'How requests for the list of payment links are authenticated',
	},
	{
		displayName: 'API Key',
		name: 'apiKey',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		description:
			'Only if the service gave you one for status requests of version 2. Empty means none is sent.',
	},
	apiKeyHeader,
	...SERVICE,
	{
		displayName: 'Previous Secret Key',
		name: 'previousSecretKey',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		description:
			'The key before the last change, so that payments that were asked for with it are still matched to their orders. Nothing is signed with it. Empty it when they are paid.',
	},
];

const shownIf = (property: INodeProperties, advanced: boolean): INodeProperties => ({
	...property,
	displayOptions: { show: { advanced: [advanced], ...property.displayOptions?.show } },
});

/** n8n drops what the dialog does not show. What is folded away is there without being drawn, and keeps its value. */
const folded = (property: INodeProperties): INodeProperties =>
	shownIf({ ...property, type: 'hidden', displayOptions: undefined }, false);

/** Where signatures come from the service, only the token endpoint can be asked without one. */
const BY_TOKEN = "$credentials.signatureSource === 'endpoint'";

/** n8n's own time-out ends with the first byte of a reply, and some replies to its tests never end. */
const LONGEST_TEST_MS = 15_000;

/** The value for either way of testing; the second is that of a signed request. */
const either = (byToken: string, signed: string) => `={{ ${BY_TOKEN} ? ${byToken} : ${signed} }}`;

const declined = (value: unknown): IAuthenticateRuleResponseSuccessBody => ({
	type: 'responseSuccessBody',
	properties: {
		key: 'success',
		value,
		message:
			"The service declined the test. Check 'Client ID', 'Secret Key' and 'Sender'. If they are right, run 'Diagnose' of 'Account' in the Unified Payments node: it names the setting.",
	},
});

export class UnifiedPaymentsApi implements ICredentialType {
	name = CREDENTIAL_NAME;

	displayName = 'Unified Payments API';

	icon = {
		light: 'file:../icons/unifiedPayments.svg',
		dark: 'file:../icons/unifiedPayments.dark.svg',
	} as const;

	documentationUrl =
		'https://owner.example/n8n-nodes-unified-payments/blob/main/docs/start-here.md';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://payments.example.com',
			description: 'Web address of the service, as it was given to you',
		},
		{
			displayName: 'Client ID',
			name: 'clientId',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. 7f0c2b1e',
			description:
				"Public identifier of your API integration. You get it when you create the integration in the service's application.",
		},
		{
			displayName: 'Sender',
			name: 'sender',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. Amina Shop',
			description: 'Title of the API integration, exactly as it was created in the application',
		},
		{
			displayName: 'Secret Key',
			name: 'secretKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description:
				'The key that belongs to the client ID. Look for it where you created the integration, or ask the service. Keep it as safe as a password.',
		},
		{
			displayName: 'Advanced',
			name: 'advanced',
			type: 'boolean',
			default: false,
			description:
				'Whether to show settings that you need only if the service told you so. They keep their values when they are hidden.',
		},
		...ADVANCED.map((property) => shownIf(property, true)),
		...ADVANCED.map(folded),
	];

	/** A signed read that changes nothing. The service says no with any status, so its body decides. */
	test: ICredentialTestRequest = {
		request: {
			method: 'POST',
			baseURL: `={{ (${BY_TOKEN} && $credentials.authUrl || $credentials.baseUrl).trim().replace(/\\/+$/, '') }}`,
			url: either(`'${ENDPOINTS.login}'`, `'${ENDPOINTS.balance}'`),
			headers: { [WHOLE_BODY]: either('true', 'undefined') },
			body: either(
				'{ client_id: $credentials.clientId.trim(), secret_key: $credentials.secretKey }',
				'{}',
			),
			ignoreHttpStatusErrors: true,
		},
		rules: [
			declined(false),
			declined('false'),
			{
				type: 'responseSuccessBody',
				properties: {
					key: 'success',
					value: undefined,
					message:
						"The answer is not that of the service. Check 'Base URL' and, under 'Advanced', 'Auth URL'.",
				},
			},
		],
	};

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const request = authorize(readCredential(credentials), requestOptions, Date.now());
		return request.abortSignal
			? request
			: { ...request, abortSignal: AbortSignal.timeout(LONGEST_TEST_MS) };
	}
}
