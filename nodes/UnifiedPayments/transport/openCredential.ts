import type { ICredentialDataDecryptedObject, ICredentialsDecrypted } from 'n8n-workflow';

import {
	CREDENTIAL_NAME,
	readCredential,
	secretsIn,
	type Credential,
} from '../protocol/credential';
import type { Redactor } from './redact';

interface CredentialSource {
	getCredentials(type: string): Promise<ICredentialDataDecryptedObject>;
}

export interface OpenCredential {
	saved: ICredentialDataDecryptedObject;
	credential: Credential;
}

/** Asks the host for the node's credential, and reads it; its secrets are never shown from then on. */
export async function openCredential(
	source: CredentialSource,
	redactor: Redactor,
): Promise<OpenCredential> {
	const saved = await source.getCredentials(CREDENTIAL_NAME);
	redactor.add(secretsIn(saved));
	return { saved, credential: readCredential(saved) };
}

/** Given to the host with a request, it spares fetching and decrypting the credential each time. */
export const decrypted = ({ saved }: OpenCredential): ICredentialsDecrypted => ({
	id: CREDENTIAL_NAME,
	name: CREDENTIAL_NAME,
	type: CREDENTIAL_NAME,
	data: saved,
});
