import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox/index.mts';

/** What a user types into the credential dialog to reach the sandbox. */
export function sandboxCredential({ url, integrations }: Sandbox): ICredentialDataDecryptedObject {
	const { clientId, title, secretKey } = integrations[0]!;
	return { baseUrl: url, clientId, sender: title, secretKey };
}
