import { createHash } from 'node:crypto';
import type { IExecuteFunctions } from 'n8n-workflow';

import { marksIn, ownParametersIn } from '../payment/mark';
import { PLACE_PARAMETER } from '../payment/whose';
import { withoutEnd } from '../protocol/parse';
import { withParameter } from '../protocol/query';
import { dependsOnRow } from '../transport/accounts';
import { NotSentError } from '../transport/errors';

/**
 * The end of the address that resumes an execution, by which n8n finds the node that waits. It is
 * the same for every node, so that a link can be given its address before anyone waits for it.
 */
export const RESUME_PATH = 'unified-payments';

/** Which run of which node of an execution. */
interface Place {
	node: string;
	run: number;
}

/** Short, because a URL must not become long: what is told apart are the nodes of one workflow. */
const TAG_LENGTH = 3;
const tagOf = (node: string): string =>
	createHash('sha256').update(node).digest('base64url').slice(0, TAG_LENGTH);

/** Where the callback about a row goes, by the address that n8n has for the execution. */
export const resumeAddress = (executionUrl: string, { node, run }: Place, row: number): string =>
	withParameter(
		belowPath(executionUrl),
		PLACE_PARAMETER,
		`${tagOf(node)}${run === 0 ? '' : `${run}.`}${row}`,
	);

const belowPath = (url: string): string => {
	const path = executionIn(url);
	return `${withoutEnd(path, '/')}/${RESUME_PATH}${url.slice(path.length)}`;
};

/** The address of the execution alone: nothing about its rows, and nothing secret. */
export const executionIn = (url: string): string => url.replace(/[?#].*$/s, '');

/**
 * What names a payment among those of an execution, code included, so that nobody else can say it;
 * null for an address that was made elsewhere.
 */
export function paymentIn(url: string): string | null {
	const places = ownParametersIn(url, PLACE_PARAMETER);
	const marks = marksIn(url);
	return places.length === 1 && marks.length === 1 ? `${places[0]}&${marks[0]}` : null;
}

/** The same for an address that may be that of something else that takes callbacks. */
export const awaitedIn = (url: string): string | null =>
	new RegExp(`/${RESUME_PATH}(?=[?#]|$)`).test(url) ? paymentIn(url) : null;

/** The addresses to which the service calls back about the rows of an execution that will wait. */
export function createResumeUrls(context: IExecuteFunctions): (row: number) => Promise<string> {
	let urls: Promise<(row: number) => string> | undefined;
	return async (row) => (await (urls ??= urlsOf(context)))(row);
}

async function urlsOf(context: IExecuteFunctions): Promise<(row: number) => string> {
	await refuseWhatIsLost(context);
	const execution = executionUrl(context);
	// In a loop the same order may come again: what is heard of an earlier run is not about this one.
	const run = Number(context.evaluateExpression('{{ $runIndex }}', 0));
	const place = { node: context.getNode().id, run };
	return (row) => resumeAddress(execution, place, row);
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
			'Choose a credential without expressions. For several accounts, use one node for each of them.',
		);
	}
}
