import { NodeHelpers } from 'n8n-workflow';
import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';

import { UnifiedPaymentsApi } from '../../../credentials/UnifiedPaymentsApi.credentials.ts';
import type { Sandbox } from '../../sandbox/index.mts';

/** What a user types into the credential dialog to reach the sandbox. */
export function sandboxCredential({ url, integrations }: Sandbox): ICredentialDataDecryptedObject {
	const { clientId, title, secretKey } = integrations[0]!;
	return { baseUrl: url, clientId, sender: title, secretKey };
}

/** With every field that the dialog shows: the public API of older releases of n8n requires just those. */
export function sandboxCredentialForApi(sandbox: Sandbox): ICredentialDataDecryptedObject {
	const properties = new UnifiedPaymentsApi().properties.filter(({ type }) => type !== 'hidden');
	const data = sandboxCredential(sandbox) as INodeParameters;
	const all = NodeHelpers.getNodeParameters(properties, data, true, false, null, null);
	return { ...(all as ICredentialDataDecryptedObject), allowedHttpRequestDomains: 'all' };
}
