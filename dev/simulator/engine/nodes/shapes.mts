import {
	validateFieldType,
	type FieldType,
	type IDataObject,
	type INodeExecutionData,
	type INodeType,
} from 'n8n-workflow';

import { description, parameters } from './description.mts';

interface Assignment {
	name: string;
	value: unknown;
	type: FieldType;
}

function assigned({ name, value, type }: Assignment): unknown {
	if (value === undefined || value === null) return null;
	const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
	const read = validateFieldType(name, type === 'string' ? text : value, type);
	if (!read.valid) throw new Error(read.errorMessage);
	return read.newValue ?? null;
}

/** Edit Fields: as JSON, or by hand, with all other fields, all but some, or none. */
export const set: INodeType = {
	description: description('set', {
		version: [3, 3.3, 3.4],
		properties: parameters({
			mode: 'manual',
			jsonOutput: '',
			assignments: {},
			includeOtherFields: false,
			include: 'all',
			excludeFields: '',
			options: {},
		}),
	}),
	async execute() {
		const given = (name: string, item: number) => this.getNodeParameter(name, item);
		return [
			this.getInputData().map(({ json }, item): INodeExecutionData => {
				const pairedItem = { item };
				if (given('mode', item) === 'raw') {
					return { json: structuredClone(given('jsonOutput', item)) as IDataObject, pairedItem };
				}
				const list = this.getNodeParameter('assignments.assignments', item, []) as Assignment[];
				const own = Object.fromEntries(list.map((each) => [each.name, assigned(each)]));
				const others = given('includeOtherFields', item) === true ? structuredClone(json) : {};
				if (given('include', item) === 'except') {
					for (const name of String(given('excludeFields', item)).split(',')) {
						delete others[name.trim()];
					}
				}
				return { json: { ...others, ...own } as IDataObject, pairedItem };
			}),
		];
	},
};

/** All items become a list in one. */
export const aggregate: INodeType = {
	description: description('aggregate', {
		properties: parameters({ aggregate: 'aggregateAllItemData', destinationFieldName: 'data' }),
	}),
	async execute() {
		const items = this.getInputData();
		const field = String(this.getNodeParameter('destinationFieldName', 0));
		const pairedItem = items.map((_, item) => ({ item }));
		return [[{ json: { [field]: items.map(({ json }) => json) }, pairedItem }]];
	},
};

/** Each entry of a list becomes an item. */
export const splitOut: INodeType = {
	description: description('splitOut', {
		properties: parameters({ fieldToSplitOut: '', include: 'noOtherFields', options: {} }),
	}),
	async execute() {
		return [
			this.getInputData().flatMap(({ json }, item) => {
				const field = String(this.getNodeParameter('fieldToSplitOut', item));
				const list = [json[field] ?? []].flat();
				return list.map((entry): INodeExecutionData => {
					const isObject = typeof entry === 'object' && entry !== null;
					const own = isObject ? { ...(entry as IDataObject) } : { [field]: entry };
					return { json: own as IDataObject, pairedItem: { item } };
				});
			}),
		];
	},
};

/** Where a workflow begins: gives on what starts it. */
export const starter = (name: string, version: number[]): INodeType => ({
	description: description(name, { group: ['trigger'], version, inputs: [] }),
	async execute() {
		return [this.getInputData()];
	},
});
