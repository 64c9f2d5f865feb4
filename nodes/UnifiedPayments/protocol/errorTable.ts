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
