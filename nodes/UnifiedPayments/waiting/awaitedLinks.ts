import type { IExecuteFunctions } from 'n8n-workflow';

import { isRecord, type Json } from '../protocol/parse';
import { readAwaited, readItem, type WaitingItem } from './awaited';

/** The parameters by which a node creates links whose callbacks come to the execution. */
const isCreator = ({ resource, operation }: Json): boolean =>
	(resource ?? 'paymentLink') === 'paymentLink' && (operation ?? 'create') === 'create';

/**
 * The links that the input is about, one item for each of the input. A node between, such as one
 * that sends e-mails, may have put something else in the place of a link, so each item is traced
 * back to what was created for it, in whichever round of a loop. An item that cannot be traced
 * stands for all links that were created before this node. Rows that have no link, or whose link
 * calls back elsewhere, are passed on with the others.
 */
export function linksOf(context: IExecuteFunctions): WaitingItem[] {
	const creators = creatorsBefore(context);
	let all: WaitingItem[] | undefined;
	return context.getInputData().map(({ json }, row) => {
		const traced = createdFor(context, json, row, creators);
		const [created, ...others] = traced.map((each) => readItem({ ...each }));
		if (created !== undefined) {
			return others.length === 0 ? created : standingFor(json, [created, ...others]);
		}
		all ??= allLinks(context, creators).map((link) => readItem({ ...link }));
		// Without links it stands for nothing.
		return standingFor(json, all.length === 0 ? null : all.map((link) => ({ ...link })));
	});
}

/** An item that stands for several: it is paid when each of them is. */
const standingFor = (json: Json, members: WaitingItem[] | null): WaitingItem => ({
	json,
	isTold: false,
	payment: null,
	members,
});

/** What became of the row that an item comes from; several where several nodes created something for it. */
function createdFor(
	context: IExecuteFunctions,
	json: Json,
	row: number,
	creators: readonly string[],
): Json[] {
	const traced = creators.map((name) => valueOf(context, `$(${name}).item.json`, row));
	const created = [json, ...traced].filter(isCreated);
	const waited = created.filter((each) => isAwaited(each) || hasNoAnswer(each));
	const distinct = new Map(waited.map((each) => [nameOf(each), each]));
	return waited.some(isAwaited) ? [...distinct.values()] : created.slice(0, 1);
}

/** A row that a create of ours did not carry out; the errors of other nodes say nothing of a link. */
const isNotCreated = (json: Json): boolean =>
	isRecord(json.error) && 'outcome' in json.error && !isAwaited(json);

/** A row of which nobody can say that it was paid. */
const hasNoAnswer = (json: Json): boolean =>
	isNotCreated(json) || (!isAwaited(json) && (NO_ANSWER.includes(json.outcome) || isOfOther(json)));

const NO_ANSWER: readonly unknown[] = ['unknown', 'not_sent', 'rejected'];

/** Whatever else its row has brought along, such as a column "error". */
const isAwaited = (json: Json): boolean => readAwaited(json) !== null;

/** Names of nodes, as expressions write them. */
function creatorsBefore(context: IExecuteFunctions): string[] {
	const { name, type } = context.getNode();
	return context
		.getParentNodes(name, { includeNodeParameters: true })
		.filter((node) => node.type === type && !node.disabled && isCreator(node.parameters ?? {}))
		.map((node) => JSON.stringify(node.name));
}

/** More would be too much for one execution. */
const MAX_LINKS = 10_000;
const MAX_ROUNDS = 10_000;

/** Of every create before, and of every round of a loop, each link once. */
function allLinks(context: IExecuteFunctions, creators: readonly string[]): Json[] {
	const links = new Map<string, Json>();
	for (const name of creators) {
		for (let round = 0; round < MAX_ROUNDS && links.size < MAX_LINKS; round++) {
			const items = valueOf(context, `$(${name}).all(0, ${round}).map(({ json }) => json)`, 0);
			if (!Array.isArray(items)) break;
			const made = items
				.filter(isCreated)
				.filter((each) => isAwaited(each) || each.error === undefined || isNotCreated(each));
			// Data that was pinned is the same in every round. Rounds may also fail with the same words.
			const waited = made.filter(isAwaited);
			if (waited.length > 0 && waited.every((each) => links.has(nameOf(each)))) break;
			for (const json of made) links.set(nameOf(json), json);
		}
	}
	const all = [...links.values()];
	return all.every(isNotCreated) ? [] : all;
}

const nameOf = (json: Json): string => readAwaited(json)?.key ?? JSON.stringify(json);

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
