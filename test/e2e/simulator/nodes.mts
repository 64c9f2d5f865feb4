// Plays graphs with n8n's own nodes, and with the small ones that the simulator has in their place, on the same rows.
// `originals.test.mts` runs it with n8n's Node: `nodes.mts <n8n's package.json>`. Prints where items or pairing differ.
import { createRequire } from 'node:module';

import type { INode, INodeType, IVersionedNodeType } from 'n8n-workflow';

import { connect, node, pass } from '../../../dev/host/engine/build.mts';
import { startEngine } from '../../../dev/host/engine/start.mts';
import { continueRun, prepareRun } from '../../../dev/host/engine/workflow.mts';
import { callable } from '../../../dev/simulator/engine/calledWorkflows.mts';
import { HELPERS } from '../../../dev/simulator/engine/helperNodes.mts';
import type { SavedWorkflow } from '../../../dev/simulator/engine/n8n.mts';
import { description } from '../../../dev/simulator/engine/nodes/description.mts';
import { GRAPHS, graphOf, who } from '../../../dev/simulator/plan/graphs.mts';

type AnyNodeType = INodeType | IVersionedNodeType;

const [packageJson = ''] = process.argv.slice(2);
const load = createRequire(packageJson);
const original = (file: string): AnyNodeType => {
	const types = load(`n8n-nodes-base/dist/nodes/${file}.node.js`) as Record<string, unknown>;
	const [Type] = Object.values(types) as Array<new () => AnyNodeType>;
	if (Type === undefined) throw new Error(`There is no node in ${file}`);
	return new Type();
};

const ORIGINALS: Record<string, AnyNodeType> = {
	'n8n-nodes-base.splitInBatches': original('SplitInBatches/SplitInBatches'),
	'n8n-nodes-base.filter': original('Filter/Filter'),
	'n8n-nodes-base.if': original('If/If'),
	'n8n-nodes-base.switch': original('Switch/Switch'),
	'n8n-nodes-base.merge': original('Merge/Merge'),
	'n8n-nodes-base.set': original('Set/Set'),
	'n8n-nodes-base.aggregate': original('Transform/Aggregate/Aggregate'),
	'n8n-nodes-base.splitOut': original('Transform/SplitOut/SplitOut'),
	'n8n-nodes-base.executeWorkflow': original('ExecuteWorkflow/ExecuteWorkflow/ExecuteWorkflow'),
	'n8n-nodes-base.executeWorkflowTrigger': original(
		'ExecuteWorkflow/ExecuteWorkflowTrigger/ExecuteWorkflowTrigger',
	),
};

/** In place of a create: gives each row an outcome; one that fails leaves on the error output, if there is one. */
const create: INodeType = {
	description: description('create'),
	async execute() {
		const given = this.getInputData();
		return [
			given.map(({ json }, item) =>
				json.Amount === 'bad'
					? { json: { error: { outcome: 'rejected' } }, pairedItem: { item } }
					: { json: { outcome: 'accepted', tag: json.CustomerId ?? null }, pairedItem: { item } },
			),
		];
	},
};

const ROWS = [1500, 200, '1,200.50', 'bad', '', 3000].map((Amount, at) => ({
	json: { CustomerId: `1.${at + 1}`, Amount, Note: null },
}));

async function play({ calls = [], ...workflow }: SavedWorkflow, nodeTypes: typeof ORIGINALS) {
	const types = { ...HELPERS, ...nodeTypes, 'test.create': create };
	const prepare = ({ id, nodes, connections }: SavedWorkflow, items: typeof ROWS) =>
		prepareRun({ nodes, connections, items, nodeTypes: types, workflowId: id, executionId: id });
	const prepared = prepare(workflow, ROWS);
	const called = callable(calls, async (one, _, items) => {
		const own = prepare(one, items as typeof ROWS);
		return await continueRun(own, own.runData, []);
	});
	const result = await continueRun(prepared, prepared.runData, [], undefined, called);
	const told = Object.entries(result.run.data.resultData.runData).map(([name, tasks]) => [
		name,
		tasks.map(({ data }) =>
			data?.main?.map((items) => items?.map(({ json, pairedItem }) => ({ json, pairedItem }))),
		),
	]);
	if (result.failure !== undefined) throw result.failure;
	return JSON.stringify(told, null, '\t');
}

const rule = (expression: string) => ({
	conditions: {
		options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
		conditions: [
			{
				id: '1',
				leftValue: expression,
				rightValue: '',
				operator: { type: 'boolean', operation: 'true', singleValue: true },
			},
		],
		combinator: 'and',
	},
});

const base = (name: string, type: string, typeVersion: number, parameters: INode['parameters']) =>
	node(name, `n8n-nodes-base.${type}`, parameters, { typeVersion });

const switched = (options: INode['parameters']): SavedWorkflow => ({
	id: 'switch',
	nodes: [
		pass('Rows'),
		base('Switch', 'switch', 3.2, {
			mode: 'rules',
			rules: {
				values: [rule('={{ $json.Amount > 1000 }}'), rule("={{ $json.Amount === 'bad' }}")],
			},
			options,
		}),
		who('Large'),
		who('Bad'),
		who('Rest'),
	],
	connections: connect(
		['Rows', 'Switch'],
		['Switch', 0, 'Large'],
		['Switch', 1, 'Bad'],
		['Switch', 2, 'Rest'],
	),
});

const edited: SavedWorkflow = {
	id: 'edited',
	nodes: [
		pass('Rows'),
		base('Raw', 'set', 3.4, { mode: 'raw', jsonOutput: '={{ $json }}', options: {} }),
		base('But some', 'set', 3.4, {
			assignments: {
				assignments: [
					{ id: '1', name: 'isBad', value: "={{ $json.Amount === 'bad' }}", type: 'boolean' },
					{ id: '2', name: 'tag', value: '={{ $json.CustomerId }}', type: 'string' },
					{ id: '3', name: 'note', value: '={{ $json.Note }}', type: 'number' },
				],
			},
			includeOtherFields: true,
			include: 'except',
			excludeFields: 'Note, CustomerId',
			options: {},
		}),
		who('Done'),
	],
	connections: connect(['Rows', 'Raw'], ['Raw', 'But some'], ['But some', 'Done']),
};

const loop: SavedWorkflow = {
	id: 'loop',
	nodes: [
		pass('Rows'),
		base('Loop', 'splitInBatches', 3, { batchSize: 1, options: {} }),
		node('Create', 'test.create'),
		who('Done'),
	],
	connections: connect(
		['Rows', 'Loop'],
		['Loop', 1, 'Create'],
		['Create', 'Loop'],
		['Loop', 0, 'Done'],
	),
};

const GRAPHS_TO_PLAY: Array<[string, SavedWorkflow]> = [
	...GRAPHS.map((graph): [string, SavedWorkflow] => {
		const onError = graph.endsWith('After') ? 'continueErrorOutput' : 'continueRegularOutput';
		return [graph, graphOf(graph, graph, node('Create', 'test.create', {}, { onError }))];
	}),
	['switch', switched({ fallbackOutput: 'extra' })],
	['switch without a rest', switched({})],
	['edited', edited],
	['loop', loop],
];

await startEngine();
for (const [name, workflow] of GRAPHS_TO_PLAY) {
	const real = await play(workflow, ORIGINALS);
	const ours = await play(workflow, {});
	if (real !== ours) console.log(`${name}\nn8n: ${real}\nours: ${ours}`);
}
console.log(`${GRAPHS_TO_PLAY.length} graphs were played`);
process.exit(0);
