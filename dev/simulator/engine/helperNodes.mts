import type {
	IDataObject,
	INodeExecutionData,
	INodeType,
	IPairedItemData,
	ISourceData,
} from 'n8n-workflow';

import { description, parameters } from './nodes/description.mts';
import { filter, ifNode, merge, switchNode } from './nodes/routes.mts';
import { aggregate, set, splitOut, starter } from './nodes/shapes.mts';
import { executeWorkflow, executeWorkflowTrigger } from './nodes/subWorkflow.mts';

/** Says of each item which row n8n takes it for. */
const who: INodeType = {
	description: description('who', {
		properties: [{ displayName: 'Row', name: 'row', type: 'string', default: '' }],
	}),
	async execute() {
		const rowOf = (item: number): string | null => {
			try {
				return String(this.getNodeParameter('row', item));
			} catch {
				// It belongs to several.
				return null;
			}
		};
		return [
			this.getInputData().map(({ json }, item) => ({
				json: { item: json, row: rowOf(item) },
				pairedItem: { item },
			})),
		];
	},
};

/** Sends links to customers: what comes out of it is its own, and nothing of the link. */
const send: INodeType = {
	description: description('send'),
	async execute() {
		return [this.getInputData().map((_, item) => ({ json: { sent: true }, pairedItem: { item } }))];
	},
};

interface LoopContext {
	items?: INodeExecutionData[];
	done: INodeExecutionData[];
	source: ISourceData;
}

/** n8n's Loop Over Items, one item at a time: all that came back leaves on the first output. */
const loop: INodeType = {
	description: description('loop', { version: [1, 3], outputs: ['main', 'main'] }),
	async execute() {
		const context = this.getContext('node') as unknown as LoopContext;
		const items = this.getInputData().slice();
		const source = this.getInputSourceData();
		if (context.items === undefined) {
			const next = items.splice(0, 1);
			Object.assign(context, { items, done: [], source: structuredClone(source) });
			return [[], next];
		}
		const back = items.map((item, index) => ({
			...item,
			pairedItem: { sourceOverwrite: source, item: index },
		}));
		context.done = [...context.done, ...back];
		const next = context.items.splice(0, 1).map((item) => ({
			...item,
			pairedItem: {
				...(item.pairedItem as IPairedItemData),
				sourceOverwrite: context.source,
			},
		}));
		return next.length === 0 ? [context.done, []] : [[], next];
	},
};

/** The operator's own sheet, whatever comes in. */
const sheet: INodeType = {
	description: description('sheet', { properties: parameters({ rows: '[]' }) }),
	async execute() {
		const rows = JSON.parse(String(this.getNodeParameter('rows', 0))) as IDataObject[];
		return [rows.map((json) => ({ json, pairedItem: { item: 0 } }))];
	},
};

const MS = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 };

/** Sleeps for a while, in the database. */
const wait: INodeType = {
	description: description('wait', {
		version: [1, 1.1],
		properties: parameters({ resume: 'timeInterval', amount: 1, unit: 'hours' }),
	}),
	async execute() {
		const unit = this.getNodeParameter('unit', 0) as keyof typeof MS;
		const pause = Number(this.getNodeParameter('amount', 0)) * MS[unit];
		await this.putExecutionToWait(new Date(Date.now() + pause));
		return [this.getInputData()];
	},
};

/** Nodes of the simulator, and small ones in place of n8n's own: `test/e2e/simulator/originals.test.mts` compares those. */
export const HELPERS: Record<string, INodeType> = {
	'simulator.who': who,
	'simulator.send': send,
	'simulator.loop': loop,
	'simulator.sheet': sheet,
	'n8n-nodes-base.splitInBatches': loop,
	'n8n-nodes-base.filter': filter,
	'n8n-nodes-base.if': ifNode,
	'n8n-nodes-base.switch': switchNode,
	'n8n-nodes-base.merge': merge,
	'n8n-nodes-base.wait': wait,
	'n8n-nodes-base.set': set,
	'n8n-nodes-base.aggregate': aggregate,
	'n8n-nodes-base.splitOut': splitOut,
	'n8n-nodes-base.manualTrigger': starter('manualTrigger', [1]),
	'n8n-nodes-base.executeWorkflow': executeWorkflow,
	'n8n-nodes-base.executeWorkflowTrigger': executeWorkflowTrigger,
};
