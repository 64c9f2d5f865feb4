import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import type { IConnections, IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { node as place } from '../../host/engine/build.mts';
import { patched, type Patch } from '../engine/build.mts';
import type { SavedWorkflow } from '../engine/n8n.mts';
import { REDIRECT } from '../service/ledger.mts';
import { who } from './graphs.mts';
import type { FileName, Flow, FlowKind, OnDuplicate, SheetRow } from './plan.mts';

/** How a workflow of `examples/` is played: as it is in its file, with what its notes ask the operator to fill in. */
interface PlayedFile {
	kind: FlowKind;
	mode: Flow['mode'];
	onError: Flow['onError'];
	/** The node that stands for the operator's own sheet: its rows come from the plan. */
	rows: string;
	/** What is before it is left out; by default, it is the sheet. */
	start?: string;
	/** What the operator sets in the node that creates. */
	create: { name: string; set: (options: IDataObject) => INodeParameters };
	/** Where items are looked at, besides what becomes of them in the workflow. */
	ends: Array<{ from: string; output: number; to: 'Done' | 'Failed' }>;
	/** Which row an item there is about, if not simply that of the sheet. */
	who?: string;
	/** Whether each row comes there. */
	tellsAll: boolean;
	/** The cells of a row under the names that the workflow has, if not those that columns mode knows. */
	cells?: (row: SheetRow) => IDataObject;
}

const REDIRECTION = '={{ $json.Redirect }}';
const TRY =
	"={{ $('Demo orders').item.json.CustomerId + ($json.try > 1 ? '-try-' + $json.try : '') }}";

export const FILES: Record<FileName, PlayedFile> = {
	'link-email-paid-and-on': {
		kind: 'linksAndWait',
		mode: 'fields',
		onError: 'stopWorkflow',
		rows: 'Order',
		create: {
			name: 'Create payment link',
			set: (given) => ({
				additionalFields: {
					...(given.additionalFields as INodeParameters),
					redirectionUrl: REDIRECTION,
					phone: '={{ $json.phone }}',
				},
			}),
		},
		ends: [{ from: 'Wait until paid', output: 0, to: 'Done' }],
		tellsAll: false,
		cells: (row) => ({
			order: row.order ?? '',
			item: row.item,
			amount: row.amount,
			country: 'KE',
			name: row.customer,
			email: `${row.customer.toLowerCase()}@example.com`,
			phone: row.phone,
			Redirect: REDIRECT + row.tag,
		}),
	},
	'asked-again-when-it-failed': {
		kind: 'collectAndWait',
		mode: 'fields',
		onError: 'continueErrorOutput',
		rows: 'Demo orders',
		start: 'Settings',
		create: {
			name: 'Ask and wait',
			set: () => ({ additionalFields: { thirdPartyReference2: TRY } }),
		},
		ends: [
			{ from: 'Ask and wait', output: 0, to: 'Done' },
			{ from: 'Ask and wait', output: 1, to: 'Failed' },
		],
		who: TRY,
		tellsAll: false,
		cells: (row) => ({
			order: row.order ?? '',
			country: 'Kenya',
			mobile: row.phone,
			amount: row.amount,
			try: 1,
			CustomerId: row.tag,
		}),
	},
};

/** As often as the workflow asks, each is a payment of its own. */
export const tryOf = (tag: string, nth: number): string => (nth === 1 ? tag : `${tag}-try-${nth}`);

/** The rows with those that the workflow makes of them. */
export function rowsWithTries({ file, rows }: Flow): SheetRow[] {
	if (file !== 'asked-again-when-it-failed') return rows;
	return rows.flatMap((row) =>
		[1, 2, 3].map((nth) => ({
			...row,
			tag: tryOf(row.tag, nth),
			order: nth === 1 ? row.order : `${row.order}-try-${nth}`,
		})),
	);
}

export const FILE_NAMES = Object.keys(FILES) as FileName[];

export const TRIGGER_URL = 'https://n8n.example/webhook/hook/webhook';

/** Whether each row has an item at the end. */
export const tellsAll = ({ file }: Flow): boolean => file === undefined || FILES[file].tellsAll;

const ROOT = resolve(import.meta.dirname, '../../..');
const read = new Map<string, { nodes: INode[]; connections: IConnections }>();
let patches: readonly Patch[] = [];

/** Faults that are put into the files of `examples/`, in place of all earlier ones. */
export function patchFiles(given: readonly Patch[]): void {
	patches = given;
	read.clear();
}

/** From the file, once per process. */
function saved(name: string): { nodes: INode[]; connections: IConnections } {
	const file = `examples/${name}.json`;
	const known =
		read.get(name) ??
		(JSON.parse(
			patched(new Map([[file, readFileSync(resolve(ROOT, file), 'utf8')]]), patches).get(file) ??
				'',
		) as { nodes: INode[]; connections: IConnections });
	read.set(name, known);
	return structuredClone(known);
}

/** The workflow of a file, beginning with the operator's rows. */
export function fileOf(
	name: FileName,
	id: string,
	cells: IDataObject[],
	onDuplicate: OnDuplicate,
): SavedWorkflow {
	const { rows, start = rows, create, ends, who: row } = FILES[name];
	const { nodes, connections: all } = saved(name);
	const reached = after(start, all);
	const connections = Object.fromEntries(Object.entries(all).filter(([from]) => reached.has(from)));
	const played = nodes
		.filter((each) => reached.has(each.name))
		.map((each) => (each.name === rows ? { ...sheet(rows, cells), id: each.id } : each));
	const node = played.find((each) => each.name === create.name);
	if (node === undefined) throw new Error(`${name} has no node ${create.name}`);
	const options = { ...(node.parameters.options as INodeParameters), onDuplicate };
	delete (options as INodeParameters).dryRun;
	Object.assign(node.parameters, create.set(node.parameters as IDataObject), {
		options,
	});
	for (const { from, output, to } of ends) {
		const main = ((connections[from] ??= {}).main ??= []);
		while (main.length <= output) main.push([]);
		main[output]?.push({ node: to, type: 'main', index: 0 });
	}
	const first = played.filter((each) => each.name === start);
	const rest = played.filter((each) => each.name !== start);
	const told = [who('Done', rows, row), who('Failed', rows, row)];
	return { id, nodes: [...first, ...rest, ...told], connections };
}

const sheet = (name: string, cells: IDataObject[]): INode =>
	place(name, 'simulator.sheet', { rows: JSON.stringify(cells) });

/** A node, and all that is reached from it. */
function after(start: string, connections: IConnections): Set<string> {
	const reached = new Set([start]);
	for (const name of reached) {
		for (const outputs of connections[name]?.main ?? []) {
			for (const { node } of outputs ?? []) reached.add(node);
		}
	}
	return reached;
}
