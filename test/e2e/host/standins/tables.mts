import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Host } from '../../../../dev/host/n8n/index.mts';
import { place, to } from '../support.mts';

async function onTable(
	{ client }: Host,
	table: string,
	typeVersion: number,
	parameters: INodeParameters,
): Promise<IDataObject[]> {
	const node = place('Table', 'n8n-nodes-base.dataTable', {
		resource: 'row',
		dataTableId: { __rl: true, mode: 'name', value: table },
		...parameters,
	});
	const workflow = await client.createWorkflow({
		name: 'Look',
		nodes: [place('Start', 'n8n-nodes-base.manualTrigger'), { ...node, typeVersion }],
		connections: { Start: { main: [to('Table')] } },
	});
	const execution = await client.run(workflow, 'Start');
	if (execution.failure) throw new Error(execution.failure.message);
	return execution.json('Table');
}

/** What somebody who opens a data table sees. */
export const readTable = async (host: Host, table: string) =>
	await onTable(host, table, 1, { operation: 'get', returnAll: true });

/** Changes cells of a data table, as a person does. */
export async function editTable(
	host: Host,
	table: string,
	[key, value]: [string, string],
	cells: IDataObject,
): Promise<void> {
	const schema = Object.entries(cells).map(([id, cell]) => ({
		id,
		displayName: id,
		required: false,
		defaultMatch: false,
		display: true,
		type: typeof cell === 'number' ? 'number' : 'string',
		canBeUsedToMatch: true,
	}));
	const changed = await onTable(host, table, 1.1, {
		operation: 'update',
		matchType: 'allConditions',
		filters: { conditions: [{ keyName: key, condition: 'eq', keyValue: value }] },
		columns: { mappingMode: 'defineBelow', value: cells, matchingColumns: [], schema },
	} as INodeParameters);
	if (changed.length === 0) throw new Error(`No row of ${table} has ${value} as ${key}`);
}
