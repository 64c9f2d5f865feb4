import type {
	ExecutionError,
	ExecutionStatus,
	IDataObject,
	INodeExecutionData,
	IRun,
	ITaskData,
	NodeExecutionHint,
} from 'n8n-workflow';

import type { LogLine } from './log.mts';

/** A finished run, with shortcuts to its results. */
export class RunResult {
	constructor(
		readonly run: IRun,
		readonly staticData: IDataObject,
		readonly log: LogLine[],
	) {}

	get status(): ExecutionStatus {
		return this.run.status;
	}

	get waitTill(): Date | undefined {
		return this.run.waitTill ?? undefined;
	}

	/** The error that ended the whole run. */
	get failure(): ExecutionError | undefined {
		return this.run.data.resultData.error;
	}

	/** One entry per run of the node; empty if it was never reached. */
	tasks(nodeName: string): ITaskData[] {
		return this.run.data.resultData.runData[nodeName] ?? [];
	}

	/** What came out of one output of the node, in all its runs. */
	outputs(nodeName: string, outputIndex = 0): INodeExecutionData[] {
		return this.tasks(nodeName).flatMap((task) => task.data?.main?.[outputIndex] ?? []);
	}

	/** The same without binary data, pairing and the rest. */
	json(nodeName: string, outputIndex = 0): IDataObject[] {
		return this.outputs(nodeName, outputIndex).map((item) => item.json);
	}

	error(nodeName: string): ExecutionError | undefined {
		return this.tasks(nodeName).find((task) => task.error !== undefined)?.error;
	}

	hints(nodeName: string): NodeExecutionHint[] {
		return this.tasks(nodeName).flatMap((task) => task.hints ?? []);
	}
}
