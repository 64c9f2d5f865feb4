import type {
	INodeExecutionData,
	IRun,
	IRunExecutionData,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

import type { RunResult } from '../../host/engine/result.mts';
import type { SavedWorkflow } from './n8n.mts';

/** What n8n gives to a node that calls one of these workflows: they run within the execution that calls. */
export function callable(
	workflows: readonly SavedWorkflow[],
	run: (workflow: SavedWorkflow, id: string, items: INodeExecutionData[]) => Promise<RunResult>,
): Partial<IWorkflowExecuteAdditionalData> {
	const stored = new Map<string, IRunExecutionData>();
	return {
		executeWorkflow: async ({ id }, _, { inputData = [] }) => {
			const workflow = workflows.find((each) => each.id === id);
			if (workflow === undefined) throw new Error(`There is no workflow ${id}`);
			const executionId = `called-${stored.size + 1}`;
			const result = await run(workflow, executionId, inputData);
			stored.set(executionId, result.run.data);
			if (result.failure !== undefined) throw result.failure;
			return { executionId, data: outputOf(result.run) };
		},
		getRunExecutionData: async (id) => stored.get(id),
	};
}

/** What its last node gave out, in all its runs. */
function outputOf({ data }: IRun): Array<INodeExecutionData[] | null> {
	const { runData, lastNodeExecuted = '' } = data.resultData;
	const runs = (runData[lastNodeExecuted] ?? []).map((task) => task.data?.main ?? []);
	const count = Math.max(1, ...runs.map((outputs) => outputs.length));
	return Array.from({ length: count }, (_, output) => runs.flatMap((each) => each[output] ?? []));
}
