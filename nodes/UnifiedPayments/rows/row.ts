import type { IDataObject } from 'n8n-workflow';

import type { CreateOperation, Prepared } from './operation';
import type { RowOptions } from '../fields/options';
import type { Payment } from '../payment/payment';
import type { Credential } from '../protocol/credential';
import type { Json } from '../protocol/parse';
import type { Reply } from '../protocol/reply';
import type { Client } from '../transport/client';
import { outcomeIn, type Outcome } from '../protocol/explainedError';
import type { Claim } from './claims/claimRecords';

/** What went wrong with a row. In a dry run it stops nothing. */
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

/** The item of a row that gave one; a create gives one. */
export const itemIn = (result: RowResult): Json => (failed(result) ? {} : (result.items[0] ?? {}));

/** The outcome of a create's row. An error that does not say otherwise means: not sent. */
export const outcomeOfRow = (result: RowResult): Outcome =>
	failed(result) ? (outcomeIn(result.error) ?? 'not_sent') : (itemIn(result).outcome as Outcome);

/** A link that was made, now or before, and that the item does not have. */
export const lacksLink = (result: RowResult): boolean =>
	itemIn(result).link === null && ['accepted', 'duplicate'].includes(outcomeOfRow(result));

/** What would be sent for a row. */
export interface RowRequest {
	/** Of the account that it was checked for. */
	client: Client;
	/** The same object for all rows of this account. */
	account: Credential;
	/** As it was checked, before anything was added to the callback URL. */
	given: Prepared;
	/** As it is sent. */
	prepared: Prepared;
	/** What is asked for, by which it is known again. */
	payment: Payment;
	options: RowOptions;
	/** Whether it is compared with other rows, and remembered. */
	isCompared: boolean;
	/** Whether the service calls back to this execution. */
	isAwaited: boolean;
}

/** Whether a row may be sent: by its claim; `free` when it needs none, or when nothing is sent. */
export type RowClaim = Claim | 'free' | { error: unknown };

export const isToSend = (claim: RowClaim): claim is 'mine' | 'free' =>
	claim === 'mine' || claim === 'free';

/** One row of a create, from reading to item. */
export interface Row {
	/** Where it stands in the input. */
	readonly place: number;
	/** The row as it came in. */
	readonly input: IDataObject;
	/** What people call it: "order N-1003, Amina Okoro, row 4". */
	readonly name: string;
	/** Null when the row cannot be sent as it is: then there is a result. */
	readonly request: RowRequest | null;
	/** An earlier row of the input that is the same in everything. */
	repeats: Row | null;
	claim: RowClaim;
	/** Whether an option that limits or forbids was asked for in a way that cannot be read. */
	readonly isUnguarded: boolean;
	/** Null until it is known what became of the row. */
	result: RowResult | null;
}

/** A row that was checked, and may be sent. */
export type ReadyRow = Row & { readonly request: RowRequest };

export const isReady = (row: Row): row is ReadyRow => row.request !== null;

/** Nothing is known of it yet. */
export const isUndecided = (row: Row): row is ReadyRow => row.result === null;

/** One shape for every create, whatever became of it. */
export const createItem = (
	operation: CreateOperation,
	outcome: Outcome,
	{ payment, prepared }: Pick<RowRequest, 'payment' | 'prepared'>,
	known: Json = {},
): Json => ({
	outcome,
	success: null,
	message: null,
	data: null,
	...operation.noReply,
	orderReference: payment.orderReference,
	...known,
	request: prepared.shown,
});

export const acceptedItem = (
	operation: CreateOperation,
	request: RowRequest,
	reply: Reply,
): Json => {
	const { prepared, account, client } = request;
	const { redactor } = client;
	return createItem(operation, 'accepted', request, {
		success: true,
		message: reply.message && redactor.text(reply.message),
		data: redactor.deep(reply.data),
		...(redactor.deep(operation.fromReply(reply, prepared.params, account)) as Json),
		...(prepared.nextStep === undefined ? {} : { nextStep: prepared.nextStep }),
	});
};

/** A row that a dry run found to be bad. */
export const findingItem = (
	{ noReply }: CreateOperation,
	message: string,
	{ outcome, issues }: { outcome: Outcome | null; issues: readonly object[] },
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
