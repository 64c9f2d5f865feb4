import type { IConnections, INode, INodeParameters } from 'n8n-workflow';

import { connect, node, pass } from '../../host/engine/build.mts';
import type { SavedWorkflow } from '../engine/n8n.mts';
import type { Flow, Graph, SheetRow } from './plan.mts';

export const GRAPHS: readonly Graph[] = [
	'filterBefore',
	'filterAfter',
	'ifAfter',
	'mergeBefore',
	'mergeAfter',
	'splitOut',
	'editFields',
	'called',
	'calledEach',
];

/** Small sums are not worth a link. */
const LEAST = 1000;

/** Says of each item which row n8n takes it for, as that row left the node `from`. */
export const who = (
	name: string,
	from = 'Rows',
	row = `={{ $('${from}').item.json.CustomerId ?? $('${from}').item.json.Redirect }}`,
): INode => node(name, 'simulator.who', { row });

/** The rows that come to the create. */
export function expectedRows({ graph, rows }: Flow): SheetRow[] {
	const amountOf = ({ amount }: SheetRow) => Number(String(amount).replaceAll(',', ''));
	return graph === 'filterBefore' ? rows.filter((row) => amountOf(row) >= LEAST) : rows;
}

/** Whether each row is a run of the create. */
export const isRowByRow = ({ kind, graph }: Flow): boolean =>
	kind === 'loopAndWait' || graph === 'calledEach';

export const tellsAcceptedOnly = ({ graph }: Flow): boolean => graph === 'filterAfter';

/** For Filter and If: what an expression says. */
const condition = (expression: string): INodeParameters => ({
	conditions: {
		options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
		conditions: [
			{
				id: '1',
				leftValue: `={{ ${expression} }}`,
				rightValue: '',
				operator: { type: 'boolean', operation: 'true', singleValue: true },
			},
		],
		combinator: 'and',
	},
	options: {},
});

const IS_LARGE = `Number(String($json.Amount).replaceAll(',', '')) >= ${LEAST}`;
const IS_ACCEPTED = "($json.outcome ?? $json.error?.outcome) === 'accepted'";

const base = (
	name: string,
	type: string,
	typeVersion: number,
	parameters: INodeParameters,
): INode => node(name, `n8n-nodes-base.${type}`, parameters, { typeVersion });
const filter = (expression: string) => base('Filter', 'filter', 2.2, condition(expression));
const either = (expression: string) => base('If', 'if', 2.2, condition(expression));
const merge = base('Merge', 'merge', 3.1, { mode: 'append', numberInputs: 2 });
const edit = (name: string, field: string, value: string) =>
	base(name, 'set', 3.4, {
		assignments: { assignments: [{ id: '1', name: field, value, type: 'string' }] },
		includeOtherFields: true,
		options: {},
	});

/** Connects one more output to the second input of Merge. */
function joined(connections: IConnections, from: string, output: number): IConnections {
	const main = ((connections[from] ??= {}).main ??= []);
	while (main.length <= output) main.push([]);
	main[output]?.push({ node: 'Merge', type: 'main', index: 1 });
	return connections;
}

/** The create of a workflow with other nodes around it. Its items end in Done and Failed. */
export function graphOf(graph: Graph, id: string, create: INode): SavedWorkflow {
	const rows = pass('Rows');
	const ends = [who('Done'), who('Failed')];
	const whole = (nodes: INode[], connections: IConnections): SavedWorkflow => ({
		id,
		nodes: [rows, create, ...ends, ...nodes],
		connections,
	});
	switch (graph) {
		case 'filterBefore':
			return whole(
				[filter(IS_LARGE)],
				connect(['Rows', 'Filter'], ['Filter', 'Create'], ['Create', 'Done']),
			);
		case 'filterAfter':
			return whole(
				[filter(IS_ACCEPTED)],
				connect(['Rows', 'Create'], ['Create', 'Filter'], ['Filter', 'Done']),
			);
		case 'ifAfter':
			return whole(
				[either(IS_ACCEPTED)],
				connect(['Rows', 'Create'], ['Create', 'If'], ['If', 0, 'Done'], ['If', 1, 'Failed']),
			);
		case 'mergeBefore': {
			const ways = connect(
				['Rows', 'If'],
				['If', 0, 'Edit'],
				['Edit', 'Merge'],
				['Merge', 'Create'],
				['Create', 'Done'],
			);
			const text = edit('Edit', 'Amount', '={{ $json.Amount }}');
			return whole([either(IS_LARGE), text, merge], joined(ways, 'If', 1));
		}
		case 'mergeAfter': {
			const ways = connect(['Rows', 'Create'], ['Create', 0, 'Merge'], ['Merge', 'Done']);
			return whole([merge], joined(ways, 'Create', 1));
		}
		case 'splitOut': {
			const aggregate = base('Aggregate', 'aggregate', 1, {
				aggregate: 'aggregateAllItemData',
				destinationFieldName: 'rows',
			});
			const split = base('Split Out', 'splitOut', 1, { fieldToSplitOut: 'rows', options: {} });
			const connections = connect(
				['Rows', 'Aggregate'],
				['Aggregate', 'Split Out'],
				['Split Out', 'Create'],
				['Create', 0, 'Done'],
				['Create', 1, 'Failed'],
			);
			const told = [who('Done', 'Split Out'), who('Failed', 'Split Out')];
			return { id, nodes: [rows, create, ...told, aggregate, split], connections };
		}
		case 'editFields':
			return whole(
				[
					edit('Before', 'Amount', '={{ $json.Amount }}'),
					edit('After', 'Mark', '={{ $json.outcome ?? $json.error?.outcome }}'),
				],
				connect(['Rows', 'Before'], ['Before', 'Create'], ['Create', 'After'], ['After', 'Done']),
			);
		case 'called':
		case 'calledEach':
			return calling(graph === 'called' ? 'once' : 'each', id, create);
	}
}

function calling(mode: 'once' | 'each', id: string, create: INode): SavedWorkflow {
	const called: SavedWorkflow = {
		id: `${id}-called`,
		nodes: [base('Called', 'executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' }), create],
		connections: connect(['Called', 'Create']),
	};
	const workflowId = { __rl: true, mode: 'id', value: called.id };
	return {
		id,
		nodes: [
			pass('Rows'),
			base('Call', 'executeWorkflow', 1.2, { source: 'database', workflowId, mode, options: {} }),
			who('Done'),
		],
		connections: connect(['Rows', 'Call'], ['Call', 'Done']),
		calls: [called],
	};
}
