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
	/** Where callbacks come to it. */
	trigger?: string;
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
const TRY = "={{ $('Demo orders').item.json.Ref2 + ($json.try > 1 ? '-try-' + $json.try : '') }}";

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
	'sheet-to-payment-links': {
		kind: 'links',
		mode: 'columns',
		onError: 'continueErrorOutput',
		rows: 'Read the sheet',
		create: { name: 'Create payment links', set: () => ({}) },
		ends: [
			{ from: 'Create payment links', output: 0, to: 'Done' },
			{ from: 'All to correct', output: 0, to: 'Failed' },
		],
		tellsAll: true,
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
			Ref2: row.tag,
		}),
	},
	'paid-and-marked-in-the-sheet': {
		kind: 'links',
		mode: 'columns',
		onError: 'stopWorkflow',
		rows: 'Demo orders',
		start: 'Start',
		trigger: 'Payment changed',
		create: { name: 'Create payment links', set: () => ({}) },
		ends: [{ from: 'Create payment links', output: 0, to: 'Done' }],
		tellsAll: true,
		cells: (row) => ({
			Order: row.order ?? '',
			Customer: row.customer,
			'First Name': row.customer,
			Email: `${row.customer.toLowerCase()}@example.com`,
			Amount: row.amount,
			Item: row.item,
			Phone: row.phone,
			Country: 'Kenya',
			Business: 'Savanna Coffee',
			Redirect: REDIRECT + row.tag,
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

export const MARKED: FileName = 'paid-and-marked-in-the-sheet';

/** The other one is drawn by itself, so that the stories of earlier seeds go on as they were. */
export const FILE_NAMES: readonly FileName[] = (Object.keys(FILES) as FileName[]).filter(
	(name) => name !== MARKED,
);

export const TRIGGER_URL = 'https://n8n.example/webhook/hook/webhook';

/** Where the callbacks of a workflow go: to its own trigger, or to that of all others. */
export const callbackUrlOf = ({ file, id }: Flow): string =>
	triggerOf(file) === undefined ? TRIGGER_URL : `https://n8n.example/webhook/${id}/webhook`;

export const triggerOf = (file: FileName | undefined): string | undefined =>
	file && FILES[file].trigger;

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
export function saved(name: string): { nodes: INode[]; connections: IConnections } {
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
	callbackUrl: string,
): SavedWorkflow {
	const { rows, start = rows, trigger, create, ends, who: row } = FILES[name];
	const { nodes, connections: all } = saved(name);
	const reached = new Set([start, trigger].flatMap((from) => (from ? [...after(from, all)] : [])));
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
		...(node.parameters.callbackUrl !== undefined && { callbackUrl }),
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

/** A trigger, with all that the example has after its own, whose name nothing there uses. */
export function withAlerts({ id, nodes, connections }: SavedWorkflow): SavedWorkflow {
	const file = saved('status-alerts-to-slack');
	const { 'Payment changed': own, ...rest } = file.connections;
	const outputs = connections.Trigger?.main ?? [];
	const main = outputs.map((to, nth) => [...(to ?? []), ...(own?.main?.[nth] ?? [])]);
	const after = file.nodes.filter(
		({ name, type }) => name !== 'Payment changed' && !type.endsWith('.stickyNote'),
	);
	return { id, nodes: [...nodes, ...after], connections: { ...rest, Trigger: { main } } };
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
