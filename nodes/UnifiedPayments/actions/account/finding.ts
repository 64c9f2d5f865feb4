import { isInErrorTable } from '../../protocol/errorTable';
import { isRecord, type Json } from '../../protocol/parse';
import { CallError } from '../../transport/errors';
import type { Failure } from '../../transport/verdict';

/** What is asked, and what it takes for granted. */
const ASSUMPTIONS = {
	token: "'Client ID' and 'Secret Key' give a token",
	signature: 'Requests are signed as the service expects it',
	list: 'The list of links is given to requests with this authentication',
	create: 'A payment link can be made',
	reference: "The service's own reference stands under a name in 'Reference Fields'",
	link: "The address where a customer pays stands under a name in 'Link Fields'",
	callbackUrl: 'Callback URLs are kept whole, with their query',
	states: "The words for paid and not paid are in 'Success Statuses' and 'Failure Statuses'",
	ownOrder: 'The status of a collection is also given by its order reference',
} as const;

export type Question = keyof typeof ASSUMPTIONS;

/** What to do about an answer. */
export const ADVICE = {
	copyAgain: "Copy 'Client ID' and 'Secret Key' again from the application of the service.",
	keyFirst: "Cannot be told before 'Client ID' and 'Secret Key' are right. Correct these first.",
	setClock: 'Set the clock of the machine that n8n runs on, then run this again.',
	turnOnFind: "Turn on 'Find Signature' and run this again. It says what to enter.",
	askForSigning: 'Ask the support of the service how the signature is computed.',
	askForList: 'Try what is under "enter", or ask the service how the list is authenticated.',
	enter: 'Enter what is under "enter" in the credential.',
	enterIfAddress: 'Enter it if the customer pays at this address.',
	enterIfPaid:
		"Enter it if this word means paid. If it means not paid, add it to 'Failure Statuses'.",
	askForReference:
		"Ask the service which field is its reference, and add it to 'Reference Fields'.",
	tryWithLink: "Turn on 'Try With a Link' to find out.",
	payIt: 'Pay the link, or let somebody pay one, and run this again.',
	urlsCut: 'Ask the service to keep callback URLs whole. Until then, a callback names no order.',
	lookUpByHand:
		'Look up a collection without an answer in the application of the service, not with this node.',
	runAgain: 'Run this again later.',
} as const;

export type Advice = keyof typeof ADVICE;

export interface Finding {
	question: Question;
	assumption: string;
	holds: 'yes' | 'no' | 'cannotTell';
	/** Without secrets, and without anything about a customer. */
	seen: string;
	advice: string;
	/** What to enter in the credential as it stands, by the labels of its fields. */
	enter: Readonly<Record<string, string>>;
}

export const finding = (
	question: Question,
	holds: Finding['holds'],
	seen: string,
	advice?: Advice,
	enter: Finding['enter'] = {},
): Finding => ({
	question,
	assumption: ASSUMPTIONS[question],
	holds,
	seen,
	advice: advice === undefined ? '' : ADVICE[advice],
	enter,
});

/** A question, as it ended. */
export type Asked<T> = { value: T } | { failure: Failure };

export const asked = async <T>(question: Promise<T>): Promise<Asked<T>> =>
	await question.then((value) => ({ value }), failureIn);

function failureIn(error: unknown): { failure: Failure } {
	if (error instanceof CallError) return { failure: error.failure };
	throw error;
}

/**
 * What the service plainly declined; anything else may be otherwise tomorrow. A 403 without its own
 * words may be from a firewall before it.
 */
export const isNo = ({ kind, status, serviceMessage }: Failure): boolean =>
	kind === 'refused' || (kind === 'notAuthorized' && (status === 401 || serviceMessage !== null));

/** The service's words may be about a customer, so only those of the specification are shown. */
export function said({ kind, status, serviceMessage, code }: Failure): string {
	const http = status === null ? '' : ` (HTTP ${status})`;
	return serviceMessage !== null && isInErrorTable(serviceMessage)
		? `The service said: ${serviceMessage}${http}`
		: `No usable answer: ${code ?? kind}${http}`;
}

/** How deep a name may stand, such as `payment.id`. */
const DEEPEST = 3;
const NAME = /^[A-Za-z_][A-Za-z_\d]{0,39}$/;

/** The fields of a record with their paths, as the credential's lists take them. Odd names are left out. */
export const fieldsIn = (record: unknown, before = '', depth = 1): Array<[string, unknown]> =>
	!isRecord(record)
		? []
		: Object.entries(record).flatMap(([name, value]): Array<[string, unknown]> => {
				if (!NAME.test(name)) return [];
				const path = before + name;
				return isRecord(value) && depth < DEEPEST
					? fieldsIn(value, `${path}.`, depth + 1)
					: [[path, value]];
			});

/** Names of fields, never their values. */
export const namesIn = (records: readonly Json[]): string =>
	[...new Set(records.flatMap((each) => fieldsIn(each).map(([name]) => name)))].join(', ') ||
	'none';
