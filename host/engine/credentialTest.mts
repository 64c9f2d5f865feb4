import { startEngine } from './start.mts';

import { CredentialTestContext, ExecuteContext, RoutingNode } from 'n8n-core';
import { Workflow, createEmptyRunExecutionData } from 'n8n-workflow';
import type {
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	ICredentialsDecrypted,
	INodeCredentialTestResult,
	INodeType,
} from 'n8n-workflow';

import { additionalData } from './additionalData.mts';
import { node } from './build.mts';
import { EngineCredentials } from './credentials.mts';
import { nodeTypeRegistry, passThrough } from './nodeTypes.mts';

const TEMP = 'engine.temp';

const failed = (message: string): INodeCredentialTestResult => ({ status: 'Error', message });

/**
 * Tests a credential as the server's "Test" button does: the credential's own `test` first, then
 * the `testedBy` of the given nodes.
 */
export async function testCredential(
	type: ICredentialType,
	data: ICredentialDataDecryptedObject,
	nodes: INodeType[] = [],
): Promise<INodeCredentialTestResult> {
	await startEngine();
	const helper = new EngineCredentials([type], { [type.name]: data });
	const credential: ICredentialsDecrypted = {
		id: 'credential',
		name: type.displayName,
		type: type.name,
		data: helper.complete(structuredClone(data), type.name, 'internal'),
	};
	if (type.test !== undefined) return await testByRequest(type, type.test, credential, helper);

	for (const { description, methods } of nodes) {
		const testedBy = description.credentials?.find(({ name }) => name === type.name)?.testedBy;
		if (typeof testedBy === 'object') {
			return await testByRequest(type, testedBy, credential, helper, description);
		}
		const test = testedBy === undefined ? undefined : methods?.credentialTest?.[testedBy];
		if (test !== undefined) {
			return await test.call(new CredentialTestContext(additionalData(helper)), credential);
		}
	}
	return failed('No testing function found for this credential.');
}

async function testByRequest(
	type: ICredentialType,
	test: ICredentialTestRequest,
	credential: ICredentialsDecrypted,
	helper: EngineCredentials,
	description = passThrough.description,
): Promise<INodeCredentialTestResult> {
	const tempType: INodeType = {
		description: {
			...description,
			credentials: [{ name: type.name, required: true }],
			properties: [
				{
					displayName: 'Temp',
					name: 'temp',
					type: 'string',
					default: '',
					routing: { request: test.request },
				},
			],
		},
	};
	const temp = node(
		'Temp-Node',
		TEMP,
		{},
		{
			credentials: { [type.name]: { id: credential.id, name: credential.name } },
		},
	);
	const workflow = new Workflow({
		nodes: [temp],
		connections: {},
		active: false,
		nodeTypes: nodeTypeRegistry({ [TEMP]: tempType }),
	});
	const context = new ExecuteContext(
		workflow,
		temp,
		additionalData(helper, { currentNodeParameters: temp.parameters }),
		'internal',
		createEmptyRunExecutionData(),
		0,
		[],
		{ main: [[{ json: {} }]] },
		{ node: temp, data: {}, source: null },
		[],
	);

	let body: unknown;
	try {
		const output = await new RoutingNode(context, tempType, credential).runNode();
		body = output?.[0]?.[0]?.json;
	} catch (error) {
		return failed(messageOf(error, test));
	}
	for (const rule of test.rules ?? []) {
		if (rule.type !== 'responseSuccessBody') continue;
		if (at(body, rule.properties.key) === rule.properties.value)
			return failed(rule.properties.message);
	}
	return { status: 'OK', message: 'Connection successful!' };
}

interface RequestError {
	message: string;
	cause?: { code?: string; response?: { status: number; statusText: string } };
}

/** The server prefers a rule for the status, then the status text, then the network's code. */
function messageOf(error: unknown, { rules = [] }: ICredentialTestRequest): string {
	const { message, cause } = error as RequestError;
	if (cause?.response === undefined) return cause?.code ?? message;
	const { status, statusText } = cause.response;
	for (const rule of rules) {
		if (rule.type === 'responseCode' && rule.properties.value === status)
			return rule.properties.message;
	}
	return statusText || `Received HTTP status code: ${status}`;
}

function at(value: unknown, path: string): unknown {
	return path
		.split('.')
		.reduce<unknown>((found, key) => (found as Record<string, unknown> | undefined)?.[key], value);
}
