import { startEngine } from './start.mts';

import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import { Workflow, createRunExecutionData } from 'n8n-workflow';
import type {
	ExecutionError,
	IConnections,
	ICredentialType,
	IDataObject,
	INode,
	INodeExecutionData,
	IRun,
	IRunExecutionData,
	IWorkflowExecuteAdditionalData,
	IWorkflowSettings,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { additionalData } from './additionalData.mts';
import { EngineCredentials } from './credentials.mts';
import type { CredentialData } from './credentials.mts';
import { withLog } from './log.mts';
import type { LogLine } from './log.mts';
import { nodeTypeRegistry } from './nodeTypes.mts';
import type { NodeTypeMap } from './nodeTypes.mts';
import { RunResult } from './result.mts';

export interface RunWorkflowOptions {
	nodes: INode[];
	connections: IConnections;
	/** By full name, e.g. `n8n-nodes-unified-payments.unifiedPayments`. */
	nodeTypes: NodeTypeMap;
	credentialTypes?: ICredentialType[];
	/** Given to every node whose type needs that credential. */
	credentials?: CredentialData;
	/** Where the run starts; by default the first of `nodes`. */
	startNode?: string;
	/** The input of the start node; by default one empty item. */
	items?: INodeExecutionData[];
	/** By default the next number. */
	executionId?: string;
	/** By default a new one per run. Deduplication remembers by workflow and node id. */
	workflowId?: string;
	staticData?: IDataObject;
	settings?: IWorkflowSettings;
	mode?: WorkflowExecuteMode;
	/** Cancels the execution, as the stop button does. */
	signal?: AbortSignal;
}

let runs = 0;

/** Runs a workflow with n8n's own engine: real expressions, error routing, retries and HTTP. */
export async function runWorkflow(options: RunWorkflowOptions): Promise<RunResult> {
	await startEngine();
	const log: LogLine[] = [];
	return await withLog(log, async () => await execute(options, log));
}

async function execute(options: RunWorkflowOptions, log: LogLine[]): Promise<RunResult> {
	const prepared = prepareRun(options);
	return await continueRun(prepared, prepared.runData, log, options.signal);
}

/** A workflow that is ready to be run, and all that it takes to do so. */
export interface PreparedRun {
	executionId: string;
	workflow: Workflow;
	mode: WorkflowExecuteMode;
	runData: IRunExecutionData;
	/** What the server gives to every node, made anew for each part of the run. */
	dataWith: (more?: Partial<IWorkflowExecuteAdditionalData>) => IWorkflowExecuteAdditionalData;
}

export function prepareRun(options: RunWorkflowOptions): PreparedRun {
	const { mode = 'trigger', items = [{ json: {} }], credentials = {} } = options;
	const executionId = options.executionId ?? String(++runs);
	const nodeTypes = nodeTypeRegistry(options.nodeTypes);
	const nodes = structuredClone(options.nodes).map((node) => {
		const { description } = nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
		const wanted = (description.credentials ?? []).filter(({ name }) => name in credentials);
		const given = wanted.map(({ name }) => [name, { id: name, name }]);
		return { ...node, credentials: { ...Object.fromEntries(given), ...node.credentials } };
	});
	const workflow = new Workflow({
		id: options.workflowId ?? `workflow-${executionId}`,
		name: 'In-process workflow',
		nodes,
		connections: options.connections,
		active: false,
		nodeTypes,
		staticData: structuredClone(options.staticData),
		settings: { executionOrder: 'v1', ...options.settings },
	});
	const start = workflow.getNode(options.startNode ?? nodes[0]?.name ?? '');
	if (start === null) throw new Error('The workflow has no start node');

	const startedAt = new Date();
	const runData = createRunExecutionData({
		executionData: {
			nodeExecutionStack: [{ node: start, data: { main: [structuredClone(items)] }, source: null }],
		},
	});
	const hooks = new ExecutionLifecycleHooks(mode, executionId, {
		id: workflow.id,
		name: 'In-process workflow',
		active: false,
		activeVersionId: null,
		isArchived: false,
		createdAt: startedAt,
		updatedAt: startedAt,
		nodes,
		connections: options.connections,
	});
	const dataWith = (more: Partial<IWorkflowExecuteAdditionalData> = {}) =>
		additionalData(
			new EngineCredentials(options.credentialTypes ?? [], structuredClone(credentials)),
			{ executionId, workflowId: workflow.id, hooks, ...more },
		);
	return { executionId, workflow, mode, runData, dataWith };
}

/** Runs it from where it stands: from the beginning, or from where it went to sleep. */
export async function continueRun(
	{ workflow, mode, dataWith }: PreparedRun,
	runData: IRunExecutionData,
	log: LogLine[],
	signal?: AbortSignal,
	more: Partial<IWorkflowExecuteAdditionalData> = {},
): Promise<RunResult> {
	const startedAt = new Date();
	const engine = new WorkflowExecute(dataWith(more), mode, runData);
	const run = await new Promise<IRun>((resolve, reject) => {
		try {
			const execution = engine.processRunExecutionData(workflow);
			signal?.addEventListener('abort', () => execution.cancel(), { once: true });
			execution.then(resolve, reject);
		} catch (error) {
			// Missing required parameters are found before the run; the server then stores a failed run.
			resolve(failedRun(engine.getFullRunData(startedAt), error as ExecutionError));
		}
	});
	return new RunResult(run, plain(workflow.staticData), log);
}

function failedRun(run: IRun, error: ExecutionError): IRun {
	const resultData = { ...run.data.resultData, error };
	return { ...run, status: 'error', data: { ...run.data, resultData } };
}

// Static data is a proxy that notices changes, and a proxy cannot be cloned.
function plain(staticData: IDataObject): IDataObject {
	return JSON.parse(JSON.stringify(staticData)) as IDataObject;
}
