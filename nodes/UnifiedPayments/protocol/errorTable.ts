import { LONGEST } from './limits';

/** The sentences of the specification's error table; before "user" stands the name of the service. */
const SENTENCE =
	/^(?:entity integration record not found|client id not matched|request was not verified|country was not found|(?:transaction|payment link) was not created|(?:\S+ )?user not found)[.!]*$/;

/**
 * Whether a message is one of the specification's error table, or some of its causes. Whole sentences
 * only: "Transaction was not created again: it is being processed" means something else.
 */
export const isInErrorTable = (message: string): boolean =>
	message.length <= LONGEST.sentence &&
	message
		.trim()
		.toLowerCase()
		.split(' or ')
		.every((cause) => SENTENCE.test(cause));

const BY_NAME =
	'(?: (?:with|for|of) (?:the |this |that )?(?:given )?(?:transaction )?(?:reference|number|id))?';
/** What the sentence is about: this transaction, however it is called. */
const THING = `(?:the |this |that |such a )?(?:transaction|payment|collection|payout|reference|record)(?: (?:reference|record|number|id))?${BY_NAME}`;

/** Whole sentences only: a word more, and the sentence may mean something else. */
const PLAIN_WORDS = new RegExp(
	`^(?:${THING} (?:(?:was |is |could |has |have )?(?:been )?not (?:be |been )?(?:found|created|known)|does not exist|doesn't exist|is unknown|unknown)|(?:no|no such|unknown|invalid) ${THING}(?: (?:was |could be )?found| exists)?)${BY_NAME}$`,
);

/** Each cause on its own where a line lists several, joined by "or"; without what only decorates. */
const causesIn = (message: string): string[] =>
	message
		.toLowerCase()
		.replaceAll('’', "'")
		.replace(/["“”`#:!.]|'(?!t\b)/g, ' ')
		.replace(/\s+/g, ' ')
		.split(' or ')
		.map((cause) => cause.trim());

/**
 * True when the service plainly says that it has no such transaction. Its status being "unknown at
 * the moment" is not that, nor is anything about the account. Where the specification shows one line
 * for several causes, the one about the transaction decides.
 */
export function saysNotFound(message: string | null, reference: string): boolean {
	if (message === null || message.length > LONGEST.sentence) return false;
	return [message, message.replaceAll(reference, ' ')]
		.flatMap(causesIn)
		.some((cause) => PLAIN_WORDS.test(cause));
}
