import { startEngine } from './start.mts';

import { CredentialTestContext } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	INodeCredentialTestResult,
	INodeType,
} from 'n8n-workflow';

import { additionalData } from './additionalData.mts';
import { EngineCredentials } from './credentials.mts';

/** Tests a credential as the server's "Test" button does, by the method that the node names in `testedBy`. */
export async function testCredential(
	type: ICredentialType,
	data: ICredentialDataDecryptedObject,
	{ description, methods }: INodeType,
): Promise<INodeCredentialTestResult> {
	await startEngine();
	const helper = new EngineCredentials([type], { [type.name]: data });
	const testedBy = description.credentials?.find(({ name }) => name === type.name)?.testedBy;
	const test = methods!.credentialTest![testedBy as string]!;
	return await test.call(new CredentialTestContext(additionalData(helper)), {
		id: 'credential',
		name: type.displayName,
		type: type.name,
		data: helper.complete(structuredClone(data), type.name, 'internal'),
	});
}
