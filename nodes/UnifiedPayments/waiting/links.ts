import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Json } from '../protocol/parse';
import { readAwaited } from './awaited';

/** The parameters by which a node creates links whose callbacks come to the execution. */
const isCreator = ({ resource, operation }: Json): boolean =>
	(resource ?? 'paymentLink') === 'paymentLink' && (operation ?? 'create') === 'create';

/**
 * The links that the input is about. A node between, such as one that sends e-mails, may have put
 * something else in the place of a link, so each item is traced back to the node that created it.
 * Where an item cannot be traced, all links that were created before this node are meant.
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
	const links = (all as Json[]).filter((json) => json !== null && readAwaited(json) !== null);
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
	return (candidates as Array<Json | null>).find((each) => each && readAwaited(each)) ?? null;
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

/** The same link in two items is waited for once. */
function onlyOnce(links: INodeExecutionData[]): INodeExecutionData[] {
	const keys = new Set<string>();
	return links.filter(({ json }) => {
		const { key } = readAwaited(json)!;
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
