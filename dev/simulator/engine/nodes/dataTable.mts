import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';

import type { Column, Filter, Tables } from '../tables.mts';
import { description, parameters } from './description.mts';

const SYSTEM = ['id', 'createdAt', 'updatedAt'];

/** The cells that an item gives: those of the node, or all of its own. */
function cellsOf(context: IExecuteFunctions, item: number): IDataObject {
	if (context.getNodeParameter('columns.mappingMode', item) !== 'autoMapInputData')
		return context.getNodeParameter('columns.value', item, {}) as IDataObject;
	const { json } = context.getInputData()[item] ?? { json: {} };
	const own = Object.entries(json).filter(([name]) => !SYSTEM.includes(name));
	return Object.fromEntries(own) as IDataObject;
}

const filterOf = (context: IExecuteFunctions, item: number): Filter => ({
	matchType: String(context.getNodeParameter('matchType', item)),
	conditions: context.getNodeParameter('filters.conditions', item, []) as Filter['conditions'],
});

/** Data Table: makes tables, and reads and writes rows. */
export const dataTableNode = (tables: Tables): INodeType => ({
	description: description('dataTable', {
		version: [1, 1.1],
		properties: parameters({
			resource: 'row',
			operation: 'get',
			tableName: '',
			dataTableId: {},
			matchType: 'anyCondition',
			filters: {},
			columns: {},
			returnAll: false,
			limit: 50,
			options: {},
		}),
	}),
	async execute() {
		const given = this.getInputData();
		const operation = String(this.getNodeParameter('operation', 0));
		const nameAt = (item: number) =>
			String((this.getNodeParameter('dataTableId', item) as IDataObject).value);
		const one = async (item: number): Promise<IDataObject[]> => {
			if (this.getNodeParameter('resource', item) === 'table') {
				const columns = this.getNodeParameter('columns.column', item, []) as Column[];
				const name = String(this.getNodeParameter('tableName', item));
				const { id, createdAt } = await tables.create(name, columns);
				return [{ id, name, createdAt }];
			}
			const filter = filterOf(this, item);
			const limit = this.getNodeParameter('returnAll', item)
				? Infinity
				: Number(this.getNodeParameter('limit', item));
			switch (operation) {
				case 'get':
					return await tables.get(nameAt(item), filter, limit);
				case 'update':
					return await tables.update(nameAt(item), cellsOf(this, item), filter);
				case 'upsert':
					return await tables.upsert(nameAt(item), cellsOf(this, item), filter);
				default:
					throw new Error(`There is no operation ${operation}`);
			}
		};
		if (operation === 'insert') {
			// All of them, or none.
			const rows = await tables.insert(
				nameAt(0),
				given.map((_, item) => cellsOf(this, item)),
			);
			return [rows.map((json, item) => ({ json, pairedItem: { item } }))];
		}
		const out: INodeExecutionData[] = [];
		for (const item of given.keys()) {
			out.push(...(await one(item)).map((json) => ({ json, pairedItem: { item } })));
		}
		return [out];
	},
});
