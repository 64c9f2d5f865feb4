import type {
	ICredentialType,
	IDataObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeType,
} from 'n8n-workflow';

import { connect, node, pass } from './build.mts';
import type { CredentialData } from './credentials.mts';
import { latestVersion } from './nodeTypes.mts';
import { RunResult } from './result.mts';
import { runWorkflow } from './workflow.mts';
import type { RunWorkflowOptions } from './workflow.mts';

export const PACKAGE_NAME = 'n8n-nodes-unified-payments';
const START = 'Start';
export const NODE = 'Node';
const SUCCESS = 'Success';
const FAILED = 'Failed';

type PassedOn = Pick<
	RunWorkflowOptions,
	'workflowId' | 'staticData' | 'settings' | 'mode' | 'signal'
>;
type Toggles = Pick<
	INode,
	| 'onError'
	| 'continueOnFail'
	| 'retryOnFail'
	| 'maxTries'
	| 'waitBetweenTries'
	| 'alwaysOutputData'
	| 'executeOnce'
	| 'typeVersion'
>;

export interface RunNodeOptions extends PassedOn, Partial<Toggles> {
	/** Rows: plain json, or whole items where they have binary data. */
	items?: Array<IDataObject | INodeExecutionData>;
	credentials?: CredentialData;
	credentialTypes?: ICredentialType[];
}

/** The run of one node, with a start node before it and a node after each of its outputs. */
export class NodeResult extends RunResult {
	/** What arrived at the node after the first output. */
	get success(): INodeExecutionData[] {
		return this.outputs(SUCCESS);
	}

	/** What arrived at the node after the error output. */
	get failed(): INodeExecutionData[] {
		return this.outputs(FAILED);
	}

	get successJson(): IDataObject[] {
		return this.json(SUCCESS);
	}

	get failedJson(): IDataObject[] {
		return this.json(FAILED);
	}

	/** The output of the node itself. */
	get items(): INodeExecutionData[] {
		return this.outputs(NODE);
	}

	get nodeError() {
		return this.error(NODE);
	}

	get nodeHints() {
		return this.hints(NODE);
	}
}

const isItem = (row: IDataObject | INodeExecutionData): row is INodeExecutionData =>
	typeof row.json === 'object' &&
	row.json !== null &&
	Object.keys(row).every((key) => ['json', 'binary', 'pairedItem'].includes(key));

/**
 * Runs one node on the given rows. Parameters may be expressions, and those that have a default may
 * be left out. A trigger starts the run itself and gets the rows directly.
 */
export async function runNode(
	type: INodeType,
	parameters: INodeParameters,
	options: RunNodeOptions = {},
): Promise<NodeResult> {
	const {
		items = [{}],
		credentials,
		credentialTypes,
		workflowId,
		staticData,
		settings,
		mode,
		signal,
		typeVersion = latestVersion(type),
		...toggles
	} = options;
	const name = `${PACKAGE_NAME}.${type.description.name}`;
	const isTrigger = type.description.group.includes('trigger');
	const outputs = Array.isArray(type.description.outputs) ? type.description.outputs.length : 1;

	const result = await runWorkflow({
		nodes: [
			pass(START),
			node(NODE, name, parameters, { ...toggles, typeVersion }),
			pass(SUCCESS),
			pass(FAILED),
		],
		connections: connect([START, NODE], [NODE, 0, SUCCESS], [NODE, outputs, FAILED]),
		startNode: isTrigger ? NODE : START,
		items: items.map((row) => (isItem(row) ? row : { json: row })),
		nodeTypes: { [name]: type },
		credentials,
		credentialTypes,
		workflowId,
		staticData,
		settings,
		mode,
		signal,
	});
	return new NodeResult(result.run, result.staticData, result.log);
}
