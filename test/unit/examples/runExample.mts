import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { DateTime } from 'luxon';
import { createRunExecutionData, Workflow } from 'n8n-workflow';
import type { IDataObject, INode, INodeExecutionData, INodeTypes, IRunData } from 'n8n-workflow';

import type { NewWorkflow } from '../../../dev/host/n8n/client.mts';

export type Row = IDataObject;
/** What nodes gave, by their names. */
export type Outputs = Record<string, Row[]>;

/** Every example, by its path below `examples`. */
export const FILES = readdirSync('examples', { recursive: true, encoding: 'utf8' })
	.map((file) => file.replaceAll('\\', '/'))
	.filter((file) => file.endsWith('.json'))
	.sort();

export const readWorkflow = (file: string): NewWorkflow =>
	JSON.parse(readFileSync(join('examples', file), 'utf8')) as NewWorkflow;

export function nodeOf(file: string, name: string): INode {
	const node = readWorkflow(file).nodes.find((each) => each.name === name);
	if (node === undefined) throw new Error(`${file} has no node "${name}"`);
	return node;
}

const asItems = (rows: Row[]): INodeExecutionData[] =>
	rows.map((json, item) => ({ json, pairedItem: { item } }));

const RAN = { startTime: 0, executionTime: 0, source: [] };
const NO_TYPES: INodeTypes = {
	getByName: () => undefined as never,
	getByNameAndVersion: () => undefined as never,
	getKnownTypes: () => ({}),
};

/** The value of a parameter for the first item, as n8n's own expressions give it. */
export function evaluate(
	file: string,
	name: string,
	value: unknown,
	outputs: Outputs,
	keys: Row = {},
): unknown {
	const { nodes, connections } = readWorkflow(file);
	const workflow = new Workflow({ nodes, connections, active: false, nodeTypes: NO_TYPES });
	const runData: IRunData = Object.fromEntries(
		Object.entries(outputs).map(([node, rows], executionIndex) => [
			node,
			[{ ...RAN, executionIndex, data: { main: [asItems(rows)] } }],
		]),
	);
	const before = Object.keys(connections).find((node) =>
		connections[node]!.main?.flat().some((end) => end?.node === name),
	);
	return workflow.expression.getParameterValue(
		value as string,
		createRunExecutionData({ resultData: { runData } }),
		0,
		0,
		name,
		asItems(outputs.$json ?? outputs[before ?? ''] ?? [{}]),
		'manual',
		{ $execution: { id: '7' }, ...keys } as never,
	);
}

interface WithFields {
	assignments?: { assignments: Array<{ name: string; value: unknown }> };
	columns?: { value: Row };
}

/** What a node sets, or writes into columns, for the first item. */
export function fieldsOf(file: string, name: string, outputs: Outputs): Row {
	const { assignments, columns } = nodeOf(file, name).parameters as unknown as WithFields;
	const assigned = assignments?.assignments.map((each) => [each.name, each.value] as const);
	const fields = [...(assigned ?? Object.entries(columns!.value))].map(([field, value]) => {
		// There is one item, which nothing has to be paired with.
		const alone = typeof value === 'string' ? value.replaceAll('.item.', '.first().') : value;
		return [field, evaluate(file, name, alone, outputs)];
	});
	return Object.fromEntries(fields) as Row;
}

/** Runs the code of a node with what other nodes gave, as the host does. */
export const run = (...given: Parameters<typeof runCode>): Row[] =>
	runCode(...given).map(({ json }) => json);

export function runCode(
	file: string,
	name: string,
	input: Row[] = [],
	outputs: Outputs = {},
	memory: Row = {},
): INodeExecutionData[] {
	const code = String(nodeOf(file, name).parameters.jsCode);
	const view = (rows?: Row[]) => ({
		all: () => asItems(structuredClone(rows ?? [])),
		first: () => asItems(structuredClone(rows ?? []))[0],
		isExecuted: rows !== undefined,
	});
	const known = {
		$: (node: string) => view(outputs[node]),
		$input: view(input),
		$execution: { id: '7', resumeUrl: 'https://n8n.example/webhook-waiting/7?signature=abc' },
		$now: DateTime.now(),
		$getWorkflowStaticData: () => memory,
		DateTime,
	};
	const body = new Function(...Object.keys(known), code) as (
		...given: unknown[]
	) => INodeExecutionData[];
	return body(...Object.values(known));
}

interface Rule {
	outputKey: string;
	conditions: {
		conditions: Array<{ leftValue: string; rightValue: unknown; operator: { type: string } }>;
	};
}

/** Where a switch sends an item, by its first rule that holds. */
export function outputOf(file: string, name: string, outputs: Outputs): string | undefined {
	const { rules } = nodeOf(file, name).parameters as unknown as { rules: { values: Rule[] } };
	const holds = ({ conditions }: Rule) =>
		conditions.conditions.every(({ leftValue, rightValue, operator }) => {
			const value = evaluate(file, name, leftValue, outputs);
			return value === (operator.type === 'boolean' ? true : rightValue);
		});
	return rules.values.find(holds)?.outputKey;
}
