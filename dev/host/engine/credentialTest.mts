import { startEngine } from './start.mts';

import { ExecuteContext, RoutingNode } from 'n8n-core';
import {
	createEmptyRunExecutionData,
	type IAuthenticateRuleResponseSuccessBody,
	type ICredentialDataDecryptedObject,
	type ICredentialType,
	type INode,
	type INodeCredentialTestResult,
	type INodeProperties,
	Workflow,
} from 'n8n-workflow';

import { additionalData } from './additionalData.mts';
import { EngineCredentials } from './credentials.mts';
import { nodeTypeRegistry, PASS_THROUGH } from './nodeTypes.mts';

/** Tests a credential as the server's "Test" button does: by the request and the rules of its `test`. */
export async function testCredential(
	type: ICredentialType,
	saved: ICredentialDataDecryptedObject,
): Promise<INodeCredentialTestResult> {
	await startEngine();
	const helper = new EngineCredentials([type], { [type.name]: saved });
	const data = helper.complete(structuredClone(saved), type.name, 'internal');
	const { request, rules = [] } = type.test!;
	const node: INode = {
		id: 'temp',
		name: 'Temp-Node',
		type: PASS_THROUGH,
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
		credentials: { [type.name]: { id: 'credential', name: type.displayName } },
	};
	const routed = [
		{ displayName: 'Temp', name: 'temp', type: 'string', routing: { request }, default: '' },
	] satisfies INodeProperties[];
	const known = nodeTypeRegistry({});
	const { description } = known.getByNameAndVersion(PASS_THROUGH);
	const nodeType = {
		description: {
			...description,
			credentials: [{ name: type.name, required: true }],
			properties: routed,
		},
	};
	const nodeTypes = { ...known, getByName: () => nodeType, getByNameAndVersion: () => nodeType };
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const context = new ExecuteContext(
		workflow,
		node,
		additionalData(helper),
		'internal',
		createEmptyRunExecutionData(),
		0,
		[],
		{ main: [[{ json: {} }]] },
		{ node, data: {}, source: null },
		[],
	);
	const decrypted = { id: 'credential', name: type.displayName, type: type.name, data };
	let answer: Record<string, unknown>;
	try {
		const output = await new RoutingNode(context, nodeType, decrypted).runNode();
		answer = output![0]![0]!.json;
	} catch (error) {
		const { cause, message } = error as Error & { cause?: { code?: string } };
		return { status: 'Error', message: cause?.code ?? message };
	}
	for (const { properties } of rules as IAuthenticateRuleResponseSuccessBody[]) {
		if (answer[properties.key] === properties.value) {
			return { status: 'Error', message: properties.message };
		}
	}
	return { status: 'OK', message: 'Connection successful!' };
}
