import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isRecord, type Json } from '../protocol/parse';
import { readAwaited } from './awaited';

/** The parameters by which a node creates links whose callbacks come to the execution. */
const isCreator = ({ resource, operation }: Json): boolean =>
	(resource ?? 'paymentLink') === 'paymentLink' && (operation ?? 'create') === 'create';

/**
 * The links that the input is about. A node between, such as one that sends e-mails, may have put
 * something else in the place of a link, so each item is traced back to the node that created it.
 * Where an item cannot be traced, all links that were created before this node are meant. Rows whose
 * link calls back elsewhere, or that have none, are passed on with the others.
 */
export function linksOf(context: IExecuteFunctions): INodeExecutionData[] {
	const input = context.getInputData();
	const creators = creatorsBefore(context);
	const traced = input.map(({ json }, row) => linkOf(context, json, row, creators));
	if (traced.every((link) => link !== null)) {
		return onlyOnce(traced.map((json, item) => ({ json: json as never, pairedItem: { item } })));
	}
	const all = creators.flatMap((name) =>
		valueOf(context, `$(${name}).all().map(({ json }) => json)`, 0),
	);
	const links = (all as Array<Json | null>).filter((json) => json !== null && isCreated(json));
	return onlyOnce(
		links.map((json) => ({ json: json as never, pairedItem: input.map((_, item) => ({ item })) })),
	);
}

function linkOf(
	context: IExecuteFunctions,
	json: Json,
	row: number,
	creators: readonly string[],
): Json | null {
	const candidates = [
		json,
		...creators.map((name) => valueOf(context, `$(${name}).item.json`, row)),
	];
	const created = (candidates as Array<Json | null>).filter((each) => each && isCreated(each));
	return created.find((each) => readAwaited(each!)) ?? created[0] ?? null;
}

/** Names of nodes, as expressions write them. */
function creatorsBefore(context: IExecuteFunctions): string[] {
	const { name, type } = context.getNode();
	return context
		.getParentNodes(name, { includeNodeParameters: true })
		.filter((node) => node.type === type && !node.disabled && isCreator(node.parameters ?? {}))
		.map((node) => JSON.stringify(node.name));
}

/** Null where n8n has nothing to give, e.g. for a node that has not run. */
function valueOf(context: IExecuteFunctions, expression: string, row: number): unknown {
	try {
		return context.evaluateExpression(`{{ ${expression} }}`, row) as unknown;
	} catch {
		return null;
	}
}

/** What a create gives of a row, whatever became of it. */
const isCreated = ({ outcome, request }: Json): boolean =>
	typeof outcome === 'string' && isRecord(request);

/** The same link in two items is waited for once. */
function onlyOnce(links: INodeExecutionData[]): INodeExecutionData[] {
	const keys = new Set<string>();
	return links.filter(({ json }) => {
		const key = readAwaited(json)?.key;
		if (key === undefined) return true;
		if (keys.has(key)) return false;
		keys.add(key);
		return true;
	});
}

/** Whether a node after this one waits for the links that it creates. */
export const isWaitedFor = (context: IExecuteFunctions): boolean => {
	const { name, type } = context.getNode();
	return context
		.getChildNodes(name, { includeNodeParameters: true })
		.some((node) => node.type === type && !node.disabled && node.parameters?.operation === WAITING);
};

/** As workflows save it. */
export const WAITING = 'waitUntilPaid';
