import type { CreateOperation, Prepared } from '../actions/operation';
import type { Json } from '../protocol/parse';
import type { Reply } from '../protocol/reply';
import { outcomeIn } from '../transport/errors';
import type { Outcome } from '../transport/outcome';
import type { Redactor } from '../transport/redact';
import type { RowErrorDetails } from './rowError';

/** What went wrong with a row; in a dry run that is a finding, and nothing stops because of it. */
export interface FailedRow {
	error: unknown;
	dryRun?: boolean;
}

/** The items that a row gave; in a dry run without anything that only a reply could tell. */
interface ItemsOfRow {
	items: Json[];
	dryRun?: boolean;
}

/** How one row ended: the items it gave, or what went wrong. */
export type RowResult = ItemsOfRow | FailedRow;

export const failed = (result: RowResult): result is FailedRow => 'error' in result;

/** Runs a row; never throws, since a throw would send the other rows down the wrong branch. */
export async function resultOf(run: () => Promise<Json[]>): Promise<RowResult> {
	try {
		return { items: await run() };
	} catch (error) {
		return { error };
	}
}

/** What became of a row of creates. Whatever went wrong, unless we know better: not sent. */
export const outcomeOfRow = (result: RowResult): Outcome =>
	failed(result) ? (outcomeIn(result.error) ?? 'not_sent') : (result.items[0]?.outcome as Outcome);

/** One shape for every create, whatever became of it. */
export const createItem = (
	operation: CreateOperation,
	outcome: Outcome,
	prepared: Prepared,
	known: Json = {},
): Json => ({
	outcome,
	success: null,
	message: null,
	data: null,
	...operation.noReply,
	orderReference: prepared.payment.orderReference,
	...known,
	request: prepared.shown,
});

export const acceptedItem = (
	operation: CreateOperation,
	prepared: Prepared,
	reply: Reply,
	redactor: Redactor,
): Json =>
	createItem(operation, 'accepted', prepared, {
		success: true,
		message: reply.message && redactor.text(reply.message),
		data: redactor.deep(reply.data),
		...(redactor.deep(operation.fromReply(reply)) as Json),
		...(prepared.nextStep === undefined ? {} : { nextStep: prepared.nextStep }),
	});

/** A row that a dry run found to be bad. */
export const findingItem = (
	{ noReply }: CreateOperation,
	message: string,
	{ outcome, issues }: RowErrorDetails,
): Json => ({
	outcome,
	success: null,
	message,
	data: null,
	...noReply,
	orderReference: null,
	request: null,
	issues,
});

/**
 * An item of a dry run without what is not known: the editor shows each null in red. Where the row has
 * a column of that name, null says that it is not a result.
 */
export const withoutUnknowns = (item: Json, row: Json): Json =>
	Object.fromEntries(Object.entries(item).filter(([name, value]) => value !== null || name in row));
