import type {
	IDataObject,
	INodeExecutionData,
	INodeType,
	IPairedItemData,
	IRunExecutionData,
} from 'n8n-workflow';

import { description, parameters } from './description.mts';

/** Where an item of a called workflow came in, going back from its last node. */
function cameInAs(
	stored: IRunExecutionData | undefined,
	pairedItem: INodeExecutionData['pairedItem'],
	itemIndex: number,
): INodeExecutionData['pairedItem'] {
	if (stored === undefined) return pairedItem;
	const { runData, lastNodeExecuted = '' } = stored.resultData;
	let task = runData[lastNodeExecuted]?.at(-1);
	let paired = pairedItem;
	for (;;) {
		const [source] = task?.source ?? [];
		task = runData[source?.previousNode ?? '']?.[source?.previousNodeRun ?? 0];
		if (task === undefined) return paired;
		const { item = itemIndex, input = 0 } = (
			typeof paired === 'number' ? { item: paired } : (paired ?? {})
		) as Partial<IPairedItemData>;
		paired = task.data?.main?.[input]?.[item]?.pairedItem;
	}
}

/** Calls another workflow, with all items or for each of them. */
export const executeWorkflow: INodeType = {
	description: description('executeWorkflow', {
		version: [1, 1.1, 1.2, 1.3],
		properties: parameters({
			source: 'database',
			workflowId: {},
			workflowInputs: {},
			mode: 'once',
			options: {},
		}),
	}),
	async execute() {
		const items = this.getInputData().map((each, item) => {
			const { value } = this.getNodeParameter('workflowInputs', item, {}) as IDataObject;
			const isFilledIn = typeof value === 'object' && value !== null;
			return isFilledIn ? { ...each, json: value as IDataObject, pairedItem: { item } } : each;
		});
		const { value } = this.getNodeParameter('workflowId', 0) as IDataObject;
		const call = async (given: INodeExecutionData[]) => {
			const { executionId, data } = await this.executeWorkflow({ id: String(value) }, given);
			// It sleeps, and so does this one until it has ended.
			if (data === undefined || data === null) return { stored: undefined, data: [items] };
			const stored = (await this.getExecutionDataById(executionId)) as IRunExecutionData;
			return { stored, data: data as Array<INodeExecutionData[] | null> };
		};
		if (this.getNodeParameter('mode', 0) === 'each') {
			const all: INodeExecutionData[] = [];
			for (const [item, each] of items.entries()) {
				const { data } = await call([each]);
				all.push(...(data[0] ?? []).map((one) => ({ ...one, pairedItem: { item } })));
			}
			return [all];
		}
		const { data, stored } = await call(items);
		return data.map((output) =>
			(output ?? []).map((one, index) => ({
				...one,
				pairedItem: cameInAs(stored, one.pairedItem, index) ?? one.pairedItem,
			})),
		);
	},
};

/** Where a called workflow begins: gives on what it gets. */
export const executeWorkflowTrigger: INodeType = {
	description: description('executeWorkflowTrigger', {
		group: ['trigger'],
		version: [1, 1.1],
		inputs: [],
		properties: parameters({ inputSource: 'passthrough' }),
	}),
	async execute() {
		return [this.getInputData()];
	},
};
