import { startEngine } from './start.mts';

import { LoadOptionsContext } from 'n8n-core';
import { Workflow } from 'n8n-workflow';
import type {
	ICredentialType,
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodeParameters,
	INodePropertyOptions,
	INodeType,
	ResourceMapperFields,
} from 'n8n-workflow';

import { additionalData } from './additionalData.mts';
import { node } from './build.mts';
import { EngineCredentials } from './credentials.mts';
import type { CredentialData } from './credentials.mts';
import { latestVersion, nodeTypeRegistry } from './nodeTypes.mts';

interface EditorContext {
	parameters?: INodeParameters;
	credentials?: CredentialData;
	credentialTypes?: ICredentialType[];
	/** The field to fill, e.g. `parameters.currency`; `&name` in a node's code is relative to it. */
	path?: string;
}

const TEMP = 'engine.temp';

async function editor(type: INodeType, options: EditorContext): Promise<ILoadOptionsFunctions> {
	await startEngine();
	const { parameters = {}, credentials = {}, credentialTypes = [], path = '' } = options;
	const wanted = (type.description.credentials ?? []).filter(({ name }) => name in credentials);
	const temp = node('Temp-Node', TEMP, structuredClone(parameters), {
		typeVersion: latestVersion(type),
		credentials: Object.fromEntries(wanted.map(({ name }) => [name, { id: name, name }])),
	});
	const workflow = new Workflow({
		nodes: [temp],
		connections: {},
		active: false,
		nodeTypes: nodeTypeRegistry({ [TEMP]: type }),
	});
	const helper = new EngineCredentials(credentialTypes, structuredClone(credentials));
	return new LoadOptionsContext(
		workflow,
		temp,
		additionalData(helper, { currentNodeParameters: structuredClone(parameters) }),
		path,
	);
}

function existing<T>(method: T | undefined, name: string): T {
	if (method === undefined) throw new Error(`The node has no method "${name}"`);
	return method;
}

/** What a dropdown that is filled by `methods.loadOptions.<name>` would show. */
export async function loadOptions(
	type: INodeType,
	name: string,
	options: EditorContext = {},
): Promise<INodePropertyOptions[]> {
	const method = existing(type.methods?.loadOptions?.[name], name);
	return await method.call(await editor(type, options));
}

/** What a resource locator's list (`methods.listSearch.<name>`) would show. */
export async function listSearch(
	type: INodeType,
	name: string,
	options: EditorContext & { typed?: string; token?: string } = {},
): Promise<INodeListSearchResult> {
	const method = existing(type.methods?.listSearch?.[name], name);
	return await method.call(await editor(type, options), options.typed, options.token);
}

/** The columns of a resource mapper (`methods.resourceMapping.<name>`). */
export async function resourceMapping(
	type: INodeType,
	name: string,
	options: EditorContext = {},
): Promise<ResourceMapperFields> {
	const method = existing(type.methods?.resourceMapping?.[name], name);
	return await method.call(await editor(type, options));
}
