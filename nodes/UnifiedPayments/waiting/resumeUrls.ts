import type { IExecuteFunctions } from 'n8n-workflow';

import { dependsOnRow } from '../transport/accounts';
import { NotSentError } from '../transport/errors';
import { resumeAddress } from './address';

/** The addresses to which the service calls back about the rows of an execution that will wait. */
export function createResumeUrls(context: IExecuteFunctions): (row: number) => Promise<string> {
	let urls: Promise<(row: number) => string> | undefined;
	return async (row) => (await (urls ??= urlsOf(context)))(row);
}

async function urlsOf(context: IExecuteFunctions): Promise<(row: number) => string> {
	await refuseWhatIsLost(context);
	const execution = String(context.evaluateExpression('{{ $execution.resumeUrl }}', 0));
	// In a loop the same order may come again: what is heard of an earlier run is not about this one.
	const run = Number(context.evaluateExpression('{{ $runIndex }}', 0));
	const place = { node: context.getNode().id, run };
	return (row) => resumeAddress(execution, place, row);
}

/** Once an execution sleeps, n8n reads its credential and its options without any row. */
export async function refuseWhatIsLost(context: IExecuteFunctions): Promise<void> {
	if (await dependsOnRow(context)) {
		throw new NotSentError(
			'An execution cannot wait for payments whose account depends on the row',
			'Choose a credential without expressions. For several accounts, use one node for each of them.',
		);
	}
	const { options } = context.getNode().parameters as { options?: Record<string, unknown> };
	const lost = STATUS_WORDS.find(([name]) => asksForRow(options?.[name]));
	if (lost === undefined) return;
	throw new NotSentError(
		`'${lost[1]}' cannot depend on the row where the execution waits`,
		'Write the words themselves, or take them from a node before with `.first()`.',
	);
}

/** Read again for each callback. */
const STATUS_WORDS = [
	['successStatuses', 'Success Statuses'],
	['failureStatuses', 'Failure Statuses'],
] as const;

const asksForRow = (given: unknown): boolean =>
	typeof given === 'string' &&
	given.startsWith('=') &&
	/\$json\b|\$input\b|\$itemIndex\b|\$binary\b|\.item\b|\.itemMatching\b/.test(given);
