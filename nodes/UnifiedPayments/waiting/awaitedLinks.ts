import type { IExecuteFunctions } from 'n8n-workflow';

import { isRecord, type Json } from '../protocol/parse';
import { NotSentError } from '../transport/errors';
import { readCreated, readItem, type WaitingItem } from './awaited';

/** The parameters by which a node creates links whose callbacks come to the execution. */
const isCreator = ({ resource, operation }: Json): boolean =>
	(resource ?? 'paymentLink') === 'paymentLink' && (operation ?? 'create') === 'create';

/**
 * The links that the input is about, one item for each of the input. A node between, such as one
 * that sends e-mails, may have put something else in the place of a link, so each item is traced
 * back to what was created for it, in whichever round of a loop. Rows that have no link, or whose
 * link calls back elsewhere, are passed on with the others.
 */
export function linksOf(context: IExecuteFunctions): WaitingItem[] {
	const creators = creatorsBefore(context);
	return context.getInputData().map(({ json }, row) => {
		const created = createdFor(context, json, row, creators);
		return readItem({ ...created });
	});
}

/** What became of the row that an item comes from. */
function createdFor(
	context: IExecuteFunctions,
	json: Json,
	row: number,
	creators: readonly string[],
): Json {
	const traced = creators.map((name) => valueOf(context, `$(${name}).item.json`, row));
	const created = [json, ...traced].filter(isCreated);
	const waited = created.filter((each) => isAwaited(each) || hasNoAnswer(each));
	const [link, ...others] = new Map(waited.map((each) => [nameOf(each), each])).values();
	if (others.length > 0 && waited.some(isAwaited)) throw severalLinks(row);
	const found = link ?? created[0];
	if (found === undefined) throw notTraced(row);
	return found;
}

const notTraced = (row: number) =>
	new NotSentError(
		`Item ${row + 1} of the input cannot be traced to a payment link`,
		"Create the links earlier in this workflow, with 'Create' of 'Payment Link' and its option 'Wait in This Execution'. Each item must stay linked to one of them, so put nodes that make one item of several, such as Aggregate, behind this one.",
	);

const severalLinks = (row: number) =>
	new NotSentError(
		`Item ${row + 1} of the input comes from several payment links`,
		"Put a 'Wait Until Paid' behind each node that creates links, before the next one.",
	);

/** A row that a create of ours did not carry out; the errors of other nodes say nothing of a link. */
const isNotCreated = (json: Json): boolean =>
	isRecord(json.error) && 'outcome' in json.error && !isAwaited(json);

/** A row of which nobody can say that it was paid. */
const hasNoAnswer = (json: Json): boolean =>
	isNotCreated(json) || (!isAwaited(json) && (NO_ANSWER.includes(json.outcome) || isOfOther(json)));

const NO_ANSWER: readonly unknown[] = ['unknown', 'not_sent', 'rejected'];

/** Whatever else its row has brought along, such as a column "error". */
const isAwaited = (json: Json): boolean => readCreated(json) !== null;

/** Names of nodes, as expressions write them. */
function creatorsBefore(context: IExecuteFunctions): string[] {
	const { name, type } = context.getNode();
	return context
		.getParentNodes(name, { includeNodeParameters: true })
		.filter((node) => node.type === type && !node.disabled && isCreator(node.parameters ?? {}))
		.map((node) => JSON.stringify(node.name));
}

const nameOf = (json: Json): string => readCreated(json)?.mark ?? JSON.stringify(json);

/** Null where n8n has nothing to give, e.g. for a node that has not run. */
function valueOf(context: IExecuteFunctions, expression: string, row: number): unknown {
	try {
		return context.evaluateExpression(`{{ ${expression} }}`, row) as unknown;
	} catch {
		return null;
	}
}

/** What a create gives of a row, whatever became of it. */
const isCreated = (given: unknown): given is Json =>
	isRecord(given) &&
	((typeof given.outcome === 'string' && isRecord(given.request)) || isRecord(given.error));

/** A row that went wrong, or of which a create says that it is not certain, or was not sent. */
export const isWithoutLink = (json: Json): boolean =>
	json.error !== undefined ||
	(isCreated(json) && (WITHOUT_LINK.includes(json.outcome) || isOfOther(json)));

const WITHOUT_LINK: readonly unknown[] = ['unknown', 'not_sent'];

/** What an earlier run sent for its order was something else: see `rows/create/sendRow.ts`. */
const isOfOther = ({ outcome, request }: Json): boolean =>
	outcome === 'duplicate' && isRecord(request) && request.callback_url === undefined;

/** Whether a node after this one waits for the links that it creates. */
export const isWaitedFor = (context: IExecuteFunctions): boolean => {
	const { name, type } = context.getNode();
	return context
		.getChildNodes(name, { includeNodeParameters: true })
		.some((node) => node.type === type && !node.disabled && node.parameters?.operation === WAITING);
};

/** As workflows save it. */
export const WAITING = 'waitUntilPaid';
