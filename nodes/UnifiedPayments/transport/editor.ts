import { NodeOperationError, type ILoadOptionsFunctions } from 'n8n-workflow';

import { ExplainedError, SetupError } from '../protocol/explainedError';
import { createEndpointClient, type CallOptions, type Client } from './client';
import type { Explanation } from './explain';
import { Redactor } from './redact';

/** Short, because a person is waiting for the list to open. */
const EDITOR_OPTIONS: CallOptions = { timeoutSeconds: 20, maxRetries: 1 };

/** For a list of the editor. What goes wrong is told in its place, in words for the user. */
export async function askFromEditor<T>(
	context: ILoadOptionsFunctions,
	ask: (client: Client, options: CallOptions) => Promise<T>,
): Promise<T> {
	const redactor = new Redactor();
	try {
		return await ask(await createEndpointClient(context, redactor), EDITOR_OPTIONS);
	} catch (error) {
		const { message, description } = explain(error);
		throw new NodeOperationError(context.getNode(), redactor.text(message), {
			description: redactor.text(description),
		});
	}
}

function explain(error: unknown): Explanation {
	const description = 'The list needs a credential that works.';
	if (error instanceof SetupError) return { message: error.message, description };
	if (error instanceof ExplainedError) return error;
	const reason = error instanceof Error ? error.message : String(error);
	return { message: `The list could not be loaded: ${reason}`, description };
}
