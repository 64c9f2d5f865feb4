import type { IExecuteFunctions } from 'n8n-workflow';

import { dependsOnRow } from '../transport/accounts';
import { NotSentError } from '../transport/errors';
import { resumeAddress } from './address';

/** The addresses to which the service calls back about the rows of an execution that will wait. */
export function createResumeUrls(context: IExecuteFunctions): (row: number) => Promise<string> {
	let execution: Promise<string> | undefined;
	return async (row) => resumeAddress(await (execution ??= addressOf(context)), row);
}

async function addressOf(context: IExecuteFunctions): Promise<string> {
	await refuseSeveralAccounts(context);
	return String(context.evaluateExpression('{{ $execution.resumeUrl }}', 0));
}

/** Once an execution sleeps, n8n reads its credential without any row. */
export async function refuseSeveralAccounts(context: IExecuteFunctions): Promise<void> {
	if (!(await dependsOnRow(context))) return;
	throw new NotSentError(
		'An execution cannot wait for payments whose account depends on the row',
		'Choose a credential without expressions. For several accounts, use one node for each of them.',
	);
}
