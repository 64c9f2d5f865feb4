import { marksIn } from '../protocol/orderMark';
import { changeQuery, isNamed, parametersIn } from '../protocol/query';

/**
 * The end of the address that resumes an execution, by which n8n finds the node that waits. It is
 * the same for every node, so that a link can be given its address before anyone waits for it.
 */
export const RESUME_PATH = 'unified-payments';

/** Tells rows apart whose order is the same. */
const ROW_PARAMETER = 'upi';

/** Where the callback about a row goes, by the address that n8n has for the execution. */
export const resumeAddress = (executionUrl: string, row: number): string =>
	changeQuery(executionUrl.replace(/\/*(?=[?#]|$)/, `/${RESUME_PATH}`), (parameters) => [
		...parameters,
		`${ROW_PARAMETER}=${row}`,
	]);

/** The address of the execution alone: nothing about its rows, and nothing secret. */
export const executionIn = (url: string): string => url.replace(/[?#].*$/s, '');

/** What names a payment among those of an execution; null for an address that was made elsewhere. */
export function paymentIn(url: string): string | null {
	const rows = parametersIn(url).filter((each) => isNamed(each, ROW_PARAMETER));
	const marks = marksIn(url);
	return rows.length === 1 && marks.length === 1 ? `${rows[0]}&${marks[0]}` : null;
}

const PAYMENT = new RegExp(`${ROW_PARAMETER}=\\d+&upo=[\\w.-]+`, 'g');

/** The same, wherever in a text it stands. */
export const paymentsInText = (text: string): Set<string> => new Set(text.match(PAYMENT));

/** Whether it is the address of an execution, and of nothing else that takes callbacks. */
export const isResumeAddress = (url: string): boolean =>
	new RegExp(`/${RESUME_PATH}(?=[?#]|$)`).test(url) && paymentIn(url) !== null;
