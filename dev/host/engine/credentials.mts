import { ICredentialsHelper, NodeHelpers, Workflow, isExpression } from 'n8n-workflow';
import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	ICredentials,
	ICredentialsExpressionResolveValues,
	IExecuteData,
	IHttpRequestHelper,
	IHttpRequestOptions,
	INode,
	INodeCredentialsDetails,
	INodeParameters,
	INodeProperties,
	IRequestOptionsSimplified,
	IWorkflowExecuteAdditionalData,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { PASS_THROUGH, nodeTypeRegistry } from './nodeTypes.mts';

/** Decrypted data by credential type, e.g. `{ unifiedPaymentsApi: { baseUrl, clientId, … } }`. */
export type CredentialData = Record<string, ICredentialDataDecryptedObject>;

type RequestOptions = IHttpRequestOptions | IRequestOptionsSimplified;

/** Treats credentials as the server's helper does, with a plain object instead of the database. */
export class EngineCredentials extends ICredentialsHelper {
	private readonly types: Map<string, ICredentialType>;

	constructor(
		types: ICredentialType[],
		private readonly stored: CredentialData,
	) {
		super();
		this.types = new Map(types.map((type) => [type.name, type]));
	}

	type(name: string): ICredentialType {
		const type = this.types.get(name);
		if (type === undefined) throw new Error(`Unknown credential type "${name}"`);
		return type;
	}

	getParentTypes(name: string): string[] {
		const parents = this.types.get(name)?.extends ?? [];
		return parents.flatMap((parent) => [parent, ...this.getParentTypes(parent)]);
	}

	isCredentialUsableByNode(): boolean {
		return true;
	}

	getCredentialsProperties(name: string): INodeProperties[] {
		const type = this.type(name);
		const properties: INodeProperties[] = [];
		for (const parent of type.extends ?? []) {
			NodeHelpers.mergeNodeProperties(properties, this.getCredentialsProperties(parent));
		}
		NodeHelpers.mergeNodeProperties(properties, type.properties);
		return properties;
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		requestOptions: RequestOptions,
		workflow?: Workflow,
		node?: INode,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = this.type(typeName);
		const options = requestOptions as IHttpRequestOptions;
		if (authenticate === undefined) return options;
		if (typeof authenticate === 'function') return await authenticate(credentials, options);
		if (workflow === undefined || node === undefined) {
			throw new Error('Declarative authentication needs a workflow and a node');
		}

		const resolve = (value: string): string => {
			if (!isExpression(value)) return value;
			const keys = { $credentials: credentials };
			const found = workflow.expression.getSimpleParameterValue(node, value, 'internal', keys);
			return found ? String(found) : '';
		};
		options.headers ??= {};
		const target = options as unknown as Record<string, Record<string, string> | undefined>;
		for (const [part, entries] of Object.entries(authenticate.properties)) {
			for (const [key, value] of Object.entries((entries ?? {}) as Record<string, string>)) {
				(target[part] ??= {})[resolve(key)] = resolve(value);
			}
		}
		return options;
	}

	async preAuthentication(
		helpers: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		node: INode,
		credentialsExpired: boolean,
	): Promise<ICredentialDataDecryptedObject | undefined> {
		const type = this.type(typeName);
		const expirable = type.properties.find(
			(property) => property.type === 'hidden' && property.typeOptions?.expirable === true,
		);
		if (expirable === undefined || type.preAuthentication === undefined) return undefined;
		if (credentials[expirable.name] !== '' && !credentialsExpired) return undefined;

		const output = (await type.preAuthentication.call(
			helpers,
			credentials,
		)) as ICredentialDataDecryptedObject;
		if (output[expirable.name] === undefined || node.credentials === undefined) return undefined;
		await this.updateCredentials(node.credentials[typeName]!, typeName, {
			...this.stored[typeName],
			...output,
		});
		return Object.assign(credentials, output);
	}

	async runPreAuthentication(
		helpers: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
	): Promise<ICredentialDataDecryptedObject | undefined> {
		const { preAuthentication } = this.type(typeName);
		return (await preAuthentication?.call(helpers, credentials)) as
			ICredentialDataDecryptedObject | undefined;
	}

	async getDecrypted(
		_additionalData: IWorkflowExecuteAdditionalData,
		nodeCredentials: INodeCredentialsDetails,
		typeName: string,
		mode: WorkflowExecuteMode,
		executeData?: IExecuteData,
		raw?: boolean,
		resolveWith?: ICredentialsExpressionResolveValues,
	): Promise<ICredentialDataDecryptedObject> {
		const stored = this.stored[typeName];
		if (stored === undefined) {
			throw new Error(`Credential "${nodeCredentials.name}" of type "${typeName}" does not exist`);
		}
		const data = structuredClone(stored);
		return raw === true ? data : this.complete(data, typeName, mode, executeData, resolveWith);
	}

	/** Fills in defaults and resolves expressions, as the server does before a credential is used. */
	complete(
		data: ICredentialDataDecryptedObject,
		typeName: string,
		mode: WorkflowExecuteMode,
		executeData?: IExecuteData,
		resolveWith?: ICredentialsExpressionResolveValues,
	): ICredentialDataDecryptedObject {
		const completed = NodeHelpers.getNodeParameters(
			this.getCredentialsProperties(typeName),
			data as INodeParameters,
			true,
			false,
			null,
			null,
		) as INodeParameters;

		if (resolveWith === undefined) {
			const workflow = emptyWorkflow();
			const node = workflow.getNode(EMPTY_NODE)!;
			return workflow.expression.getComplexParameterValue(
				node,
				completed,
				mode,
				{},
				undefined,
				undefined,
				completed,
			) as ICredentialDataDecryptedObject;
		}
		return resolveWith.workflow.expression.getParameterValue(
			completed,
			resolveWith.runExecutionData,
			resolveWith.runIndex,
			resolveWith.itemIndex,
			resolveWith.node.name,
			resolveWith.connectionInputData,
			mode,
			{},
			executeData,
			false,
			completed,
		) as ICredentialDataDecryptedObject;
	}

	async updateCredentials(
		_nodeCredentials: INodeCredentialsDetails,
		typeName: string,
		data: ICredentialDataDecryptedObject,
	): Promise<void> {
		this.stored[typeName] = structuredClone(data);
	}

	async getCredentials(): Promise<ICredentials> {
		throw new Error('This engine keeps credentials in memory and does not encrypt them');
	}

	async updateCredentialsOauthTokenData(): Promise<void> {
		throw new Error('This engine does not support OAuth');
	}
}

const EMPTY_NODE = 'Empty';

function emptyWorkflow(): Workflow {
	return new Workflow({
		nodes: [
			{
				id: EMPTY_NODE,
				name: EMPTY_NODE,
				type: PASS_THROUGH,
				typeVersion: 1,
				position: [0, 0],
				parameters: {},
			},
		],
		connections: {},
		active: false,
		nodeTypes: nodeTypeRegistry({}),
	});
}
