import { compileFunction } from 'node:vm';

import type { INodeExecutionData, INodeType } from 'n8n-workflow';

import { description, parameters } from './description.mts';

/** What code can name, besides what JavaScript has. */
const NAMES = ['$', '$input', '$json', '$execution', '$workflow', '$now', '$today', 'DateTime'];

type Code = (...given: unknown[]) => Promise<unknown>;
const compiled = new Map<string, Code>();

function codeOf(text: string): Code {
	const known =
		compiled.get(text) ??
		(compileFunction(`return (async () => {${text}\n})()`, [...NAMES, 'items']) as Code);
	compiled.set(text, known);
	return known;
}

/** Items come to code, and leave it, through another process. */
const passed = <T,>(value: T): T =>
	value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T);

interface View {
	isExecuted: boolean;
	all(): INodeExecutionData[];
	first(): INodeExecutionData;
	last(): INodeExecutionData;
}

const viewOf = (real: View) => ({
	all: () => passed(real.all()),
	first: () => passed(real.first()),
	last: () => passed(real.last()),
	get isExecuted() {
		return real.isExecuted;
	},
});

/** Code, in JavaScript and once for all items. */
export const code: INodeType = {
	description: description('code', {
		version: [1, 2],
		properties: parameters({ mode: 'runOnceForAllItems', language: 'javaScript', jsCode: '' }),
	}),
	async execute() {
		const data = this.getWorkflowDataProxy(0) as unknown as Record<string, unknown>;
		const find = data.$ as (name: string) => View;
		const input = viewOf(data.$input as View);
		const given: Record<string, unknown> = {
			...Object.fromEntries(NAMES.map((name) => [name, data[name]])),
			$: (name: string) => viewOf(find(name)),
			$input: input,
		};
		const run = codeOf(String(this.getNodeParameter('jsCode', 0)));
		const items = await run(...NAMES.map((name) => given[name]), input.all());
		return [passed(items as INodeExecutionData[])];
	},
};
