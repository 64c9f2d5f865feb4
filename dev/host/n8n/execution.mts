import type {
	ExecutionError,
	ExecutionStatus,
	IDataObject,
	INodeExecutionData,
	IRunExecutionData,
	ITaskData,
} from 'n8n-workflow';

/** A finished execution as the server stored it. */
export class Execution {
	constructor(
		readonly id: string,
		readonly status: ExecutionStatus,
		readonly data: IRunExecutionData,
	) {}

	get failure(): ExecutionError | undefined {
		return this.data.resultData.error;
	}

	tasks(nodeName: string): ITaskData[] {
		return this.data.resultData.runData[nodeName] ?? [];
	}

	outputs(nodeName: string, outputIndex = 0): INodeExecutionData[] {
		return this.tasks(nodeName).flatMap((task) => task.data?.main?.[outputIndex] ?? []);
	}

	json(nodeName: string, outputIndex = 0): IDataObject[] {
		return this.outputs(nodeName, outputIndex).map((item) => item.json);
	}

	/** What the editor shows above the output of a node. */
	hints(nodeName: string): string[] {
		return this.tasks(nodeName).flatMap((task) => (task.hints ?? []).map(({ message }) => message));
	}

	error(nodeName: string): ExecutionError | undefined {
		return this.tasks(nodeName).find((task) => task.error !== undefined)?.error;
	}
}
