import { ADVICE } from '../protocol/advice';
import {
	NodeApiError,
	NodeOperationError,
	type Failure as HostFailure,
	type INode,
	type JsonObject,
} from 'n8n-workflow';

import type { Json } from '../protocol/parse';
import type { Reply } from '../protocol/reply';
import { ExplainedError, type Outcome } from '../protocol/explainedError';
import { explainFailure, type Explanation, type Subject } from './explain';
import { failureOf, type Failure } from './verdict';
import type { Redactor } from './redact';

/** A request that did not do what was asked, with what it was about. */
export class CallError extends ExplainedError {
	constructor(
		readonly failure: Failure,
		readonly subject: Subject,
		/** Set for creates. */
		outcome: Outcome | null = null,
		/** What was sent, as items may show it. */
		readonly request: Json | null = null,
	) {
		const { message, description } = explainFailure(failure, subject);
		super(message, description, outcome);
	}
}

/** For a reply that says success but does not hold what was asked for. */
export const withoutData = (reply: Reply, name: string): CallError =>
	new CallError(failureOf('invalidReply', { serviceMessage: reply.message }), {
		name,
		creates: false,
	});

/** A row that was not sent, for a reason that is neither its input nor the network. */
export class NotSentError extends ExplainedError {
	constructor(message: string, description: string, outcome: Outcome = 'not_sent') {
		super(message, description, outcome);
	}
}

/** A row that was not sent because another row went wrong. */
export class NotAttemptedError extends NotSentError {}

/** What was asked for is not there, or there more than once. */
export class NotFoundError extends ExplainedError {
	constructor(message: string, description: string) {
		super(message, description, null, true);
	}
}

/** A transaction that was not final in time, where the user wants that to be an error. */
export class TimedOutError extends ExplainedError {
	constructor(reference: string, seconds: number, status: unknown) {
		const said =
			typeof status === 'string' ? `is still "${status}"` : 'is not known to the service';
		super(`The transaction "${reference}" ${said} after ${seconds} seconds`, ADVICE.askLater);
	}
}

/** The fields that every error has. */
export interface NodeErrorDetails {
	description: string;
	httpStatus: number | null;
	serviceMessage: string | null;
}

export interface NodeError<Details extends NodeErrorDetails = NodeErrorDetails> {
	error: NodeApiError | NodeOperationError;
	details: Details;
}

/**
 * Why it went wrong, in the words that n8n reads. Of a create that may have been processed
 * nothing is said: whoever waits and tries again by it could charge twice.
 */
function causeOf(error: unknown): HostFailure | undefined {
	if (error instanceof ExplainedError && error.isToCorrect)
		return { cause: 'configuration-invalid' };
	if (!(error instanceof CallError) || error.outcome === 'unknown') return undefined;
	const { kind, retryAfterMs } = error.failure;
	switch (kind) {
		case 'rateLimited':
			return { cause: 'rate-limited', ...(retryAfterMs !== null && { retryAfterMs }) };
		case 'notConnected':
		case 'noReply':
		case 'serverFault':
			return { cause: 'temporarily-unavailable' };
		case 'notAuthorized':
			return { cause: 'credential-invalid' };
		default:
			return undefined;
	}
}

/** Every error leaves the package through here, without secrets. */
export function toNodeError(
	error: unknown,
	{ message, description }: Explanation,
	itemIndex: number,
	node: INode,
	redactor: Redactor,
): NodeError {
	const failure = error instanceof CallError ? error.failure : null;
	const options = {
		message: `${redactor.text(message)} [Item ${itemIndex}]`,
		description: redactor.text(description),
		itemIndex,
		failure: causeOf(error),
	};
	const status = failure?.status ?? null;
	const serviceMessage = failure?.serviceMessage ?? null;
	return {
		error: failure
			? new NodeApiError(node, { message: options.message } as JsonObject, {
					...options,
					...(status === null ? {} : { httpCode: String(status) }),
				})
			: new NodeOperationError(node, options.message, options),
		details: {
			description: options.description,
			httpStatus: status,
			serviceMessage: serviceMessage === null ? null : redactor.text(serviceMessage),
		},
	};
}
