import { NodeOperationError, type ILoadOptionsFunctions } from 'n8n-workflow';

import { SetupError } from '../protocol/setupError';
import { createEndpointClient, type CallOptions, type Client } from './client';
import { CallError, NotFoundError } from './errors';
import { explainFailure, type Explanation } from './explain';
import { Redactor } from './redact';

/** Somebody waits before an open list. */
const PATIENCE: CallOptions = { timeoutSeconds: 20, maxRetries: 1 };

/** For a list of the editor. What goes wrong is told in its place, in words for the user. */
export async function askFromEditor<T>(
	context: ILoadOptionsFunctions,
	ask: (client: Client, options: CallOptions) => Promise<T>,
): Promise<T> {
	const redactor = new Redactor();
	try {
		return await ask(await createEndpointClient(context, redactor), PATIENCE);
	} catch (error) {
		const { message, description } = explain(error);
		throw new NodeOperationError(context.getNode(), redactor.text(message), {
			description: redactor.text(description),
		});
	}
}

function explain(error: unknown): Explanation {
	if (error instanceof CallError) return explainFailure(error.failure, error.subject);
	if (error instanceof NotFoundError) {
		return { message: error.message, description: error.description };
	}
	const message = error instanceof Error ? error.message : String(error);
	return {
		message: error instanceof SetupError ? message : `The list could not be had: ${message}`,
		description: 'The list needs a credential that works.',
	};
}
