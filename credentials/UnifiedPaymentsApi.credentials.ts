import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { authorize } from '../nodes/UnifiedPayments/protocol/authorize';
import { credentialIn } from '../nodes/UnifiedPayments/protocol/credential';
import { SIGNATURE_DEFAULTS } from '../nodes/UnifiedPayments/protocol/settings';

/** The name of a header is no secret, so it is shown. */
const apiKeyHeader: INodeProperties = {
	displayName: 'API Key Header',
	name: 'apiKeyHeader',
	type: 'string',
	default: 'X-API-Key',
	description: 'Name of the header that carries the API key',
};

/** Tested by the Unified Payments node, which can show the service's own words. */
export class UnifiedPaymentsApi implements ICredentialType {
	name = 'unifiedPaymentsApi';

	displayName = 'Unified Payments API';

	icon = {
		light: 'file:../icons/unifiedPayments.svg',
		dark: 'file:../icons/unifiedPayments.dark.svg',
	} as const;

	documentationUrl =
		'https://github.com/unified-payments/n8n-nodes-unified-payments/blob/main/docs/credentials.md';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://payments.example.com',
			description: 'Address of the service, without a path of an endpoint',
		},
		{
			displayName: 'Client ID',
			name: 'clientId',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. 7f0c2b1e',
			description: 'Public identifier of the API integration',
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
			description: 'Key of the integration. It signs every request and gets tokens.',
		},
		{
			displayName: 'Auth URL',
			name: 'authUrl',
			type: 'string',
			default: '',
			placeholder: 'e.g. https://auth.example.com',
			description: 'Address of the token endpoint, when it is not the base URL',
		},
		{
			displayName: 'Callback Token',
			name: 'callbackToken',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description:
				'A secret of your own. It is added to every callback URL that is sent, so that only callbacks that carry it are believed.',
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
					description: 'Ask the service to sign each request. Only in the Unified Payments node.',
				},
			],
			default: 'local',
			description: 'Where the signature of a request comes from',
		},
		{
			displayName: 'Signature Template',
			name: 'signatureTemplate',
			type: 'string',
			default: SIGNATURE_DEFAULTS.template,
			displayOptions: { show: { signatureSource: ['local'] } },
			description:
				'The text that is signed. {params} stands for the exact JSON text of the parameters as it is sent.',
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
			displayOptions: { show: { signatureSource: ['local'] } },
			description: 'How the text is signed',
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
			displayOptions: { show: { signatureSource: ['local'] } },
			description: 'How the signature is written',
		},
		{
			displayName: 'List Authentication',
			name: 'listAuthentication',
			type: 'options',
			options: [
				{
					name: 'Bearer Token',
					value: 'bearer',
					description: 'With a token that is fetched once per execution',
				},
				{ name: 'None', value: 'none' },
			],
			default: 'bearer',
			description: 'How the list of payment links is asked for',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description: 'Sent with status requests of version 2 only, and only when set',
		},
		apiKeyHeader,
	];

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		return authorize(credentialIn(credentials), requestOptions, Date.now());
	}
}
