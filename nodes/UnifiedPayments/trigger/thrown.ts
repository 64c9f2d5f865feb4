import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type INode,
	type JsonObject,
} from 'n8n-workflow';

import { ProtocolError } from '../protocol/settings';
import { CallError } from '../transport/errors';
import { explainFailure, type Explanation } from '../transport/explain';
import type { Redactor } from '../transport/redact';

const RETRY =
	'The callback is kept with this execution: retry the execution, and it is looked up anew.';

export interface TriggerError {
	error: NodeApiError | NodeOperationError;
	/** What the error output carries. */
	details: IDataObject;
}

/** The trigger's one door for what went wrong, with every secret taken out. */
export function toTriggerError(
	thrown: unknown,
	itemIndex: number,
	node: INode,
	redactor: Redactor,
): TriggerError {
	const explanation = explain(thrown);
	const message = `${redactor.text(explanation.message)} [Item ${itemIndex}]`;
	const description = redactor.text(explanation.description);
	const options = { message, description, itemIndex };
	const failure = thrown instanceof CallError ? thrown.failure : null;
	const httpStatus = failure?.status ?? null;
	const serviceMessage = failure?.serviceMessage ?? null;
	const error = failure
		? new NodeApiError(node, { message } as JsonObject, {
				...options,
				...(httpStatus === null ? {} : { httpCode: String(httpStatus) }),
			})
		: new NodeOperationError(node, message, options);
	return {
		error,
		details: {
			message,
			description,
			httpStatus,
			serviceMessage: serviceMessage === null ? null : redactor.text(serviceMessage),
		},
	};
}

function explain(thrown: unknown): Explanation {
	if (thrown instanceof CallError) {
		const { message, description } = explainFailure(thrown.failure, thrown.subject);
		// Of the trigger's settings none changes how fast it asks.
		const advice = thrown.failure.kind === 'rateLimited' ? '' : `${description} `;
		return {
			message: `The callback could not be confirmed. ${message}`,
			description: advice + RETRY,
		};
	}
	if (thrown instanceof ProtocolError) {
		return { message: thrown.message, description: `Correct it. ${RETRY}` };
	}
	const words = thrown instanceof Error ? thrown.message : String(thrown);
	return { message: `The callback could not be handled: ${words}`, description: RETRY };
}
