import { readFile } from 'node:fs/promises';

import { table } from './report.mts';

interface Frame {
	functionName: string;
	url: string;
	lineNumber: number;
}

interface Profile {
	nodes: Array<{ id: number; callFrame: Frame; children?: number[] }>;
	samples: number[];
	timeDeltas: number[];
}

const SHOWN = 20;
const OUR_PACKAGE = 'n8n-nodes-unified-payments/';

/** Where the CPU time went: by file, by function, and by our own functions with all they call. */
export async function topCosts(file: string, rows: number): Promise<string> {
	const profile = JSON.parse(await readFile(file, 'utf8')) as Profile;
	const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]));
	const callers = new Map(
		profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])),
	);
	const files = new Costs();
	const functions = new Costs();
	const ours = new Costs();
	profile.samples.forEach((id, index) => {
		const frame = frames.get(id)!;
		// The profiler's own work is none of what is measured.
		if (frame.functionName === '(idle)' || frame.url === 'node:inspector') return;
		const micros = profile.timeDeltas[index] ?? 0;
		files.add(fileOf(frame) || frame.functionName, micros);
		functions.add(nameOf(frame), micros);
		const stack = new Set<string>();
		for (let each: number | undefined = id; each !== undefined; each = callers.get(each)) {
			const caller = frames.get(each)!;
			if (fileOf(caller).startsWith(OUR_PACKAGE)) stack.add(nameOf(caller));
		}
		for (const name of stack) ours.add(name, micros);
	});
	return [
		files.list('by file', rows),
		functions.list('by function', rows),
		ours.list('our functions, with what they call before they first wait', rows),
	].join('\n\n');
}

/** From the package's name on: where it is installed says nothing. */
const fileOf = ({ url }: Frame) => url.replace(/^.*\/node_modules\//, '');

const nameOf = (frame: Frame) =>
	`${frame.functionName || '(anonymous)'} ${fileOf(frame)}:${frame.lineNumber + 1}`;

class Costs {
	private readonly micros = new Map<string, number>();

	add(key: string, micros: number): void {
		this.micros.set(key, (this.micros.get(key) ?? 0) + micros);
	}

	list(heading: string, rows: number): string {
		const top = [...this.micros].sort(([, a], [, b]) => b - a).slice(0, SHOWN);
		return table([
			[`CPU time ${heading}`, 'µs/row'],
			...top.map(([name, micros]) => [name, (micros / rows).toFixed(1)]),
		]);
	}
}
