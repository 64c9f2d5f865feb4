import {
	executeFilter,
	type FilterValue,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
} from 'n8n-workflow';

import { description, parameters } from './description.mts';

const VERSIONS = [2, 2.1, 2.2, 2.3];

const holds = (context: IExecuteFunctions, name: string, itemIndex: number): boolean =>
	executeFilter(context.getNodeParameter(name, itemIndex) as FilterValue, { itemIndex });

/** Those for which the conditions hold, and the others. */
function parted(this: IExecuteFunctions): INodeExecutionData[][] {
	const parts: [INodeExecutionData[], INodeExecutionData[]] = [[], []];
	for (const [at, item] of this.getInputData().entries()) {
		parts[holds(this, 'conditions', at) ? 0 : 1].push(item);
	}
	return parts;
}

const conditions = parameters({ conditions: {}, looseTypeValidation: false, options: {} });

export const filter: INodeType = {
	description: description('filter', { version: VERSIONS, properties: conditions }),
	async execute() {
		return parted.call(this);
	},
};

export const ifNode: INodeType = {
	description: description('if', {
		version: VERSIONS,
		outputs: ['main', 'main'],
		properties: conditions,
	}),
	async execute() {
		return parted.call(this);
	},
};

/** By rules: the first that holds, or the last output where there is one for the rest. */
export const switchNode: INodeType = {
	description: description('switch', {
		version: [3, 3.1, 3.2],
		// As many as there are rules; the engine does not look at this.
		outputs: ['main', 'main'],
		properties: parameters({ mode: 'rules', rules: {}, options: {} }),
	}),
	async execute() {
		const outputs: INodeExecutionData[][] = [];
		for (const [at, item] of this.getInputData().entries()) {
			const rules = this.getNodeParameter('rules.values', at, []) as unknown[];
			const { fallbackOutput } = this.getNodeParameter('options', at, {}) as {
				fallbackOutput?: string;
			};
			const count = rules.length + (fallbackOutput === 'extra' ? 1 : 0);
			while (outputs.length < count) outputs.push([]);
			const rule = rules.findIndex((_, nth) => holds(this, `rules.values[${nth}].conditions`, at));
			const chosen = outputs[rule === -1 ? rules.length : rule];
			chosen?.push({ ...item, pairedItem: { item: at } });
		}
		return outputs.length === 0 ? [[]] : outputs;
	},
};

/** The items of its inputs, one after the other. */
export const merge: INodeType = {
	description: description('merge', {
		version: [3, 3.1, 3.2],
		inputs: '={{ Array($parameter.numberInputs).fill("main") }}',
		requiredInputs: 1,
		properties: parameters({ mode: 'append', numberInputs: 2 }),
	}),
	async execute() {
		const count = Number(this.getNodeParameter('numberInputs', 0));
		return [Array.from({ length: count }, (_, input) => this.getInputData(input)).flat()];
	},
};
