import type { CreateOperation, Prepared } from '../actions/operation';
import type { Json } from '../protocol/json';
import type { Reply } from '../protocol/reply';
import type { Outcome } from '../transport/outcome';
import type { Redactor } from '../transport/redact';
import type { RowErrorDetails } from './rowError';

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
	...known,
	request: prepared.shown,
	...(prepared.nextStep === undefined ? {} : { nextStep: prepared.nextStep }),
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
	request: null,
	issues,
});
