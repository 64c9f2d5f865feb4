import { readFile } from 'node:fs/promises';

import { table } from './report.mts';

interface Profile {
	nodes: Array<{
		id: number;
		callFrame: { functionName: string; url: string; lineNumber: number };
	}>;
	samples: number[];
	timeDeltas: number[];
}

const SHOWN = 25;

/** Where the CPU time of a profile went, by file and by function, without what is below them. */
export async function topCosts(file: string, rows: number): Promise<string> {
	const { nodes, samples, timeDeltas } = JSON.parse(await readFile(file, 'utf8')) as Profile;
	const byId = new Map(nodes.map((node) => [node.id, node.callFrame]));
	const files = new Map<string, number>();
	const functions = new Map<string, number>();
	samples.forEach((id, index) => {
		const frame = byId.get(id)!;
		if (frame.functionName === '(idle)') return;
		const micros = timeDeltas[index] ?? 0;
		const name = shortName(frame.url);
		add(files, name || frame.functionName, micros);
		add(
			functions,
			`${frame.functionName || '(anonymous)'} ${name}:${frame.lineNumber + 1}`,
			micros,
		);
	});
	return [files, functions].map((costs) => list(costs, rows)).join('\n\n');
}

const add = (costs: Map<string, number>, key: string, micros: number) =>
	costs.set(key, (costs.get(key) ?? 0) + micros);

/** From the package's name on: where it is installed says nothing. */
const shortName = (url: string) => url.replace(/^.*\/node_modules\//, '');

function list(costs: Map<string, number>, rows: number): string {
	const top = [...costs].sort(([, a], [, b]) => b - a).slice(0, SHOWN);
	return table([
		['own CPU time', 'µs/row'],
		...top.map(([name, micros]) => [name, (micros / rows).toFixed(1)]),
	]);
}
