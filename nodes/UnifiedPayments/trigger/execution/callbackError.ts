import type { INode } from 'n8n-workflow';

import { SetupError } from '../../protocol/explainedError';
import { CallError, toNodeError, type NodeError } from '../../transport/errors';
import type { Explanation } from '../../transport/explain';
import type { Redactor } from '../../transport/redact';

const RETRY =
	'The callback is kept with this execution: retry the execution, and it is looked up again.';

export const toCallbackError = (
	error: unknown,
	itemIndex: number,
	node: INode,
	redactor: Redactor,
): NodeError => toNodeError(error, explain(error), itemIndex, node, redactor);

function explain(error: unknown): Explanation {
	if (error instanceof CallError) {
		const { message, description } = error;
		// Of the trigger's settings none changes how fast it asks.
		const advice = error.failure.kind === 'rateLimited' ? '' : `${description} `;
		return {
			message: `The callback could not be confirmed. ${message}`,
			description: advice + RETRY,
		};
	}
	if (error instanceof SetupError) {
		return { message: error.message, description: `Correct it. ${RETRY}` };
	}
	const reason = error instanceof Error ? error.message : String(error);
	return { message: `The callback could not be handled: ${reason}`, description: RETRY };
}
