import { createHash } from 'node:crypto';

import { marksIn } from '../payment/mark';
import { changeQuery, isNamed, parametersIn } from '../protocol/query';

/**
 * The end of the address that resumes an execution, by which n8n finds the node that waits. It is
 * the same for every node, so that a link can be given its address before anyone waits for it.
 */
export const RESUME_PATH = 'unified-payments';

/** Tells payments of one execution apart whose order is the same. */
const PLACE_PARAMETER = 'upi';

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
	changeQuery(executionUrl.replace(/\/*(?=[?#]|$)/, `/${RESUME_PATH}`), (parameters) => [
		...parameters,
		`${PLACE_PARAMETER}=${tagOf(node)}${run === 0 ? '' : `${run}.`}${row}`,
	]);

/** Whether a payment, by its name among those of an execution, was created by this node. */
export const isOfNode = (payment: string, node: string): boolean =>
	payment.startsWith(`${PLACE_PARAMETER}=${tagOf(node)}`);

/** The address of the execution alone: nothing about its rows, and nothing secret. */
export const executionIn = (url: string): string => url.replace(/[?#].*$/s, '');

/** What names a payment among those of an execution; null for an address that was made elsewhere. */
export function paymentIn(url: string): string | null {
	const places = parametersIn(url).filter((each) => isNamed(each, PLACE_PARAMETER));
	const marks = marksIn(url);
	return places.length === 1 && marks.length === 1 ? `${places[0]}&${marks[0]}` : null;
}

const PAYMENT = new RegExp(`${PLACE_PARAMETER}=[\\w.-]+&upo=[\\w.-]+`, 'g');

/** The same, wherever in a text it stands. */
export const paymentsInText = (text: string): Set<string> => new Set(text.match(PAYMENT));

/** Whether it is the address of an execution, and of nothing else that takes callbacks. */
export const isResumeAddress = (url: string): boolean =>
	new RegExp(`/${RESUME_PATH}(?=[?#]|$)`).test(url) && paymentIn(url) !== null;
