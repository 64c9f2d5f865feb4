import { NodeApiError, NodeOperationError, type INode, type JsonObject } from 'n8n-workflow';

import { InputError } from '../fields/inputError';
import { ProtocolError } from '../protocol/settings';
import {
	explainFailure,
	explainInput,
	explainIssues,
	type Explanation,
	type FieldExplanation,
	type Subject,
} from './explain';
import type { Failure } from './verdict';
import type { Outcome } from './outcome';
import type { Redactor } from './redact';

/** A request that did not do what was asked, with what it was about. */
export class CallError extends Error {
	override readonly name = 'CallError';

	constructor(
		readonly failure: Failure,
		readonly subject: Subject,
		/** Set for creates. */
		readonly outcome: Outcome | null = null,
		/** What was sent, as items may show it. */
		readonly request: Record<string, unknown> | null = null,
	) {
		super(failure.kind);
	}
}

/** A row that was not sent, for a reason that is neither its input nor the network. */
export class NotSentError extends Error {
	override readonly name = 'NotSentError';

	constructor(
		message: string,
		readonly description: string,
		readonly outcome: Outcome = 'not_sent',
	) {
		super(message);
	}
}

/** A row that was left alone because of what happened to others: never the one to blame. */
export class BystanderError extends NotSentError {}

export interface DoorSettings {
	node: INode;
	redactor: Redactor;
	/** Label of a parameter as the editor shows it. */
	label: (field: string) => string;
	/** What it means for a row when nothing more is known: a create that was not reached. */
	unreached: Outcome | null;
}

/** What the error output carries beside the row's own fields. */
export interface ErrorDetails {
	row: number;
	outcome: Outcome | null;
	description: string;
	fields: string[];
	/** Everything that is wrong with the row's input. */
	issues: FieldExplanation[];
	httpStatus: number | null;
	serviceMessage: string | null;
	request: unknown;
}

export interface RowError {
	error: NodeApiError | NodeOperationError;
	details: ErrorDetails;
}

/** The one door: whatever went wrong for a row leaves as this, with every secret taken out. */
export function toRowError(thrown: unknown, itemIndex: number, door: DoorSettings): RowError {
	const explanation = explain(thrown, itemIndex + 1, door);
	const message = `${door.redactor.text(explanation.message)} [Item ${itemIndex}]`;
	const description = door.redactor.text(explanation.description);
	const failure = thrown instanceof CallError ? thrown.failure : null;
	const options = { message, description, itemIndex };
	const error = failure
		? new NodeApiError(door.node, { message } as JsonObject, {
				...options,
				...(failure.status === null ? {} : { httpCode: String(failure.status) }),
			})
		: new NodeOperationError(door.node, message, options);
	return {
		error,
		details: {
			row: itemIndex + 1,
			outcome: outcomeIn(thrown) ?? door.unreached,
			description,
			fields: thrown instanceof InputError ? thrown.issues.map((issue) => issue.field) : [],
			issues:
				thrown instanceof InputError
					? explainIssues(thrown, itemIndex + 1, door.label).map((issue) => ({
							...issue,
							message: door.redactor.text(issue.message),
						}))
					: [],
			httpStatus: failure?.status ?? null,
			serviceMessage:
				failure?.serviceMessage == null ? null : door.redactor.text(failure.serviceMessage),
			request: thrown instanceof CallError ? door.redactor.deep(thrown.request) : null,
		},
	};
}

export function outcomeIn(thrown: unknown): Outcome | null {
	if (thrown instanceof CallError || thrown instanceof NotSentError) return thrown.outcome;
	return thrown instanceof InputError ? 'not_sent' : null;
}

function explain(thrown: unknown, row: number, door: DoorSettings): Explanation {
	if (thrown instanceof InputError) return explainInput(thrown, row, door.label);
	if (thrown instanceof CallError) {
		const { message, description } = explainFailure(thrown.failure, thrown.subject);
		return { message, description: `${description} (Row ${row} of the input.)` };
	}
	if (thrown instanceof NotSentError) {
		return { message: thrown.message, description: thrown.description };
	}
	if (thrown instanceof ProtocolError) {
		return {
			message: thrown.message,
			description: 'Open the credential and correct it. Nothing was sent.',
		};
	}
	// The host's own words, e.g. about an expression or a missing credential or file.
	const words = thrown instanceof Error ? thrown.message : String(thrown);
	const more = thrown instanceof NodeOperationError ? thrown.description : null;
	return {
		message: `Row ${row} could not be read: ${words}`,
		description: more ?? 'Check the parameters of the node. Nothing was sent for this row.',
	};
}
