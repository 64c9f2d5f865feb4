// Data tables and code as the simulator plays them, against those of a running n8n.
import type { INode, INodeParameters, ITaskData } from 'n8n-workflow';

import { connect, node } from '../../../dev/host/engine/build.mts';
import { startEngine } from '../../../dev/host/engine/start.mts';
import { continueRun, prepareRun } from '../../../dev/host/engine/workflow.mts';
import { HELPERS } from '../../../dev/simulator/engine/helperNodes.mts';
import { dataTableNode } from '../../../dev/simulator/engine/nodes/dataTable.mts';
import { Tables } from '../../../dev/simulator/engine/tables.mts';
import { useDemo } from '../host/support.mts';

const demo = useDemo();

const COLUMNS = { name: 'string', amount: 'number', at: 'date', state: 'string' } as const;
const TABLE = { __rl: true, mode: 'name', value: 'Simulator: rows' };

const code = (name: string, jsCode: string) =>
	node(name, 'n8n-nodes-base.code', { jsCode }, { typeVersion: 2 });

const table = (name: string, parameters: INodeParameters, settings: Partial<INode> = {}) =>
	node(
		name,
		'n8n-nodes-base.dataTable',
		{ resource: 'row', dataTableId: TABLE, matchType: 'allConditions', ...parameters },
		{ typeVersion: 1.1, ...settings },
	);

const where = (...conditions: INodeParameters[]) => ({ filters: { conditions } });
const is = (keyName: string, condition: string, keyValue?: string) => ({
	keyName,
	condition,
	...(keyValue !== undefined && { keyValue }),
});

const set = (value: INodeParameters): INodeParameters => ({
	columns: {
		mappingMode: 'defineBelow',
		value,
		matchingColumns: [],
		schema: Object.keys(value).map((id) => ({
			id,
			displayName: id,
			required: false,
			defaultMatch: false,
			display: true,
			type: COLUMNS[id as keyof typeof COLUMNS] === 'date' ? 'dateTime' : 'string',
			canBeUsedToMatch: true,
		})),
	},
	options: {},
});

const get = (name: string, ...conditions: INodeParameters[]) =>
	table(
		name,
		{ operation: 'get', returnAll: true, ...where(...conditions) },
		{ executeOnce: true, alwaysOutputData: true },
	);

/** One after the other, each on what is left in the table by those before it. */
const STEPS: INode[] = [
	node('Start', 'n8n-nodes-base.manualTrigger'),
	table('Table', {
		resource: 'table',
		operation: 'create',
		tableName: TABLE.value,
		columns: { column: Object.entries(COLUMNS).map(([name, type]) => ({ name, type })) },
		options: { createIfNotExists: true },
	}),
	code(
		'Rows',
		`return ['a', 'b', 'c', 'd'].map((name, at) => ({ json: {
			name, amount: at * 100.5, at: '2026-03-0' + (at + 1) + 'T10:00:00.000+03:00',
			state: ['', null, 'sending 7', 'paid'][at],
		} }));`,
	),
	table('Insert', {
		operation: 'insert',
		...set({
			name: '={{ $json.name }}',
			amount: '={{ $json.amount }}',
			at: '={{ $json.at }}',
			state: '={{ $json.state }}',
		}),
	}),
	code('Half of them', 'return $input.all().filter((_, at) => at % 2 === 0);'),
	table('Upsert', {
		operation: 'upsert',
		...where(is('name', 'eq', "={{ $json.name === 'c' ? 'c' : 'e' }}")),
		...set({ name: "={{ $json.name === 'c' ? 'c' : 'e' }}", amount: 7 }),
	}),
	code(
		'As columns',
		"return [{ json: { id: 99, name: 'f', amount: 1 } }, { json: { name: 'f', state: 'x' } }];",
	),
	table('Upsert columns', {
		operation: 'upsert',
		...where(is('name', 'eq', '={{ $json.name }}'), is('name', 'isNotEmpty')),
		columns: { mappingMode: 'autoMapInputData', value: {}, matchingColumns: [], schema: [] },
		options: {},
	}),
	get('Empty', is('state', 'isEmpty')),
	get('Not empty', is('state', 'isNotEmpty')),
	get('Not paid', is('state', 'neq', 'paid')),
	get('Without a state', is('state', 'eq', '={{ null }}')),
	get('Like', is('state', 'like', 'sending%')),
	get('Older', is('at', 'lt', '={{ DateTime.fromISO("2026-03-02T07:00:00.001Z").toISO() }}')),
	get('By number', is('id', 'eq', '={{ 2 }}')),
	get('Nothing', is('name', 'eq', 'nobody')),
	get('New ones', is('createdAt', 'lt', '={{ $now.minus({ minutes: 30 }).toISO() }}')),
	get('All'),
	table('Update', {
		operation: 'update',
		...where(is('name', 'eq', '={{ $json.name }}'), is('state', 'neq', 'paid')),
		...set({ state: "={{ 'of ' + $json.name }}", amount: '={{ null }}' }),
	}),
	table(
		'Update once',
		{ operation: 'update', ...where(is('state', 'like', 'of %')), ...set({ state: 'done' }) },
		{ executeOnce: true },
	),
	code(
		'Look back',
		`const [first] = $input.all();
		return [
			{ json: { first: first.json.name, all: $('All').all().length, is: $('Nothing').isExecuted, json: $json.name } },
			...$('Rows').all().map(({ json }, item) => ({ json, pairedItem: { item } })),
		];`,
	),
	code('None', 'return [];'),
];

const graph = {
	nodes: STEPS,
	connections: connect(
		...STEPS.slice(1).map(({ name }, at): [string, string] => [STEPS[at]?.name ?? '', name]),
	),
};

/** As it is stored, without what differs from one run to the next. */
const told = (runData: Record<string, ITaskData[]>): unknown =>
	JSON.parse(
		JSON.stringify(
			Object.entries(runData).map(([name, tasks]) => [
				name,
				tasks.flatMap(({ data }) =>
					(data?.main?.[0] ?? []).map(({ json, pairedItem }) => ({
						json: name === 'Table' ? { name: json.name } : json,
						pairedItem,
					})),
				),
			]),
		),
		(key, value: unknown) => (/^(?:created|updated)At$/.test(key) ? typeof value : value),
	);

it('data tables and code give the same items as those of n8n, paired with the same rows', async () => {
	const { client } = demo().host;
	const saved = await client.createWorkflow({ name: 'Simulator: tables', ...graph });
	const real = await client.run(saved, 'Start');
	await startEngine();
	const nodeTypes = {
		...HELPERS,
		'n8n-nodes-base.dataTable': dataTableNode(new Tables(() => Date.now())),
	};
	const prepared = prepareRun({ ...graph, nodeTypes });
	const ours = await continueRun(prepared, prepared.runData, []);

	expect([real.failure?.message, ours.failure?.message]).toEqual([undefined, undefined]);
	expect(Object.keys(real.data.resultData.runData)).toHaveLength(STEPS.length);
	expect(told(ours.run.data.resultData.runData)).toEqual(told(real.data.resultData.runData));
});
