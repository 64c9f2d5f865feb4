import { ADVICE } from '../protocol/advice';
import type { IExecuteFunctions } from 'n8n-workflow';

import { markIn, type Maker } from '../payment/mark';
import { withoutEnd } from '../protocol/parse';
import { dependsOnRow } from '../transport/accounts';
import { NotSentError } from '../transport/errors';

/**
 * The end of the address that resumes an execution, by which n8n finds the node that waits. It is
 * the same for every node, so that a link can be given its address before anyone waits for it.
 */
export const RESUME_PATH = 'unified-payments';

/** Where the callbacks about the rows of an execution go, by the address that n8n has for it. */
export const resumeAddress = (executionUrl: string): string => belowPath(executionUrl);

const belowPath = (url: string): string => {
	const path = executionIn(url);
	return `${withoutEnd(path, '/')}/${RESUME_PATH}${url.slice(path.length)}`;
};

/** The address of the execution alone: nothing about its rows, and nothing secret. */
export const executionIn = (url: string): string => url.split(/[?#]/, 1)[0]!;

/**
 * What names a payment among those of an execution, code included, so that nobody else can say it;
 * null for an address without one mark.
 */
export const paymentIn = (url: string): string | null => markIn(url);

/** The same for an address that may be that of something else that takes callbacks. */
export const awaitedIn = (url: string): string | null =>
	new RegExp(`/${RESUME_PATH}(?=[?#]|$)`).test(url) ? paymentIn(url) : null;

/** Where the service calls back about a row, and what its mark says about the place of the row. */
interface Resumed {
	url: string;
	awaited: NonNullable<Maker['awaited']>;
}

/** The addresses to which the service calls back about the rows of an execution that will wait. */
export function createResumeUrls(context: IExecuteFunctions): (row: number) => Promise<Resumed> {
	let urls: Promise<(row: number) => Resumed> | undefined;
	return async (row) => (await (urls ??= urlsOf(context)))(row);
}

async function urlsOf(context: IExecuteFunctions): Promise<(row: number) => Resumed> {
	await refuseWhatIsLost(context);
	const url = resumeAddress(executionUrl(context));
	const execution = context.getExecutionId();
	// In a loop the same order may come again: what is heard of an earlier run is not about this one.
	const run = Number(context.evaluateExpression('{{ $runIndex }}', 0));
	return (row) => ({ url, awaited: { execution, run, row } });
}

/** Where n8n resumes the execution. */
const executionUrl = (context: IExecuteFunctions): string =>
	String(context.evaluateExpression('{{ $execution.resumeUrl }}', 0));

/** What the addresses of all payments that call back to this execution begin with. */
export const ownAddress = (context: IExecuteFunctions): string =>
	executionIn(belowPath(executionUrl(context)));

/** Once an execution sleeps, n8n reads its credential without any row. */
export async function refuseWhatIsLost(context: IExecuteFunctions): Promise<void> {
	if (await dependsOnRow(context)) {
		throw new NotSentError(
			'An execution cannot wait for payments whose account depends on the row',
			`${ADVICE.plainCredential} For several accounts, use one node for each of them.`,
		);
	}
}
