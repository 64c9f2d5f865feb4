import type { ICredentialTestRequest, ICredentialType, IHttpRequestOptions } from 'n8n-workflow';

/** A credential whose `authenticate` is a function, and counts how often it was asked. */
export function sealingCredential(): ICredentialType & { sealed: number } {
	const credential: ICredentialType & { sealed: number } = {
		name: 'toyApi',
		displayName: 'Toy API',
		sealed: 0,
		properties: [
			{ displayName: 'Base URL', name: 'baseUrl', type: 'string', default: '' },
			{ displayName: 'Key', name: 'key', type: 'string', default: 'default-key' },
		],
		async authenticate(data, options): Promise<IHttpRequestOptions> {
			credential.sealed += 1;
			const body = JSON.stringify({
				key: data.key,
				sealed: credential.sealed,
				params: options.body,
			});
			return { ...options, body, headers: { 'Content-Type': 'application/json' } };
		},
		test: {
			request: {
				baseURL: '={{ $credentials.baseUrl }}',
				url: '/check',
				method: 'POST',
				body: { a: 1 },
			},
			rules: [
				{
					type: 'responseSuccessBody',
					properties: { key: 'message', value: 'Invalid signature', message: 'Invalid signature' },
				},
			],
		} satisfies ICredentialTestRequest,
	};
	return credential;
}

/** A credential that authenticates by declaration. */
export const bearerCredential: ICredentialType = {
	name: 'toyApi',
	displayName: 'Toy API',
	properties: [{ displayName: 'Token', name: 'token', type: 'string', default: '' }],
	authenticate: {
		type: 'generic',
		properties: { headers: { Authorization: '=Bearer {{ $credentials.token }}' } },
	},
	test: {
		request: { url: '={{ $credentials.baseUrl }}/check' },
		rules: [
			{ type: 'responseCode', properties: { value: 403, message: 'The token has no rights' } },
		],
	},
};
