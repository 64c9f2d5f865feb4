import { LONGEST } from './limits';
import { foldedSentence } from './words';

/** The messages of the specification's error table. Where one lists several, one of them applies. */
export const ERROR_TABLE: readonly string[] = [
	'Service user not found or Transaction was not created!',
	'Service user not found or Country was not found or Transaction was not created!',
	'Entity integration record not found or Client id not matched or Request was not verified.',
	'User not found!',
	'Payment link was not created.',
];

/** "Service" stands for the name of the service, which is one word. */
const NAME = /^\S{1,40} (?=user not found(?:$| or ))/;
const fold = (message: string): string => foldedSentence(message).replace(NAME, 'service ');

const causesOf = (line: string): string[] => line.split(' or ');
const LINES = new Set(ERROR_TABLE.map(fold));
const CAUSES = new Set([...LINES].flatMap(causesOf));

/** Whether a message is, as a whole, a line of the error table or one alternative of a line. */
export function isInErrorTable(message: string): boolean {
	if (message.length > LONGEST.sentence) return false;
	const folded = fold(message);
	return LINES.has(folded) || CAUSES.has(folded);
}

/** Those about the account or the signature: every other request would be answered in the same way. */
const OF_ACCOUNT = [
	'entity integration record not found',
	'client id not matched',
	'request was not verified',
	'service user not found',
	'user not found',
];

/** Whether a line of the error table says nothing but that the account or the signature is wrong. */
export const isAboutAccount = (message: string): boolean =>
	isInErrorTable(message) && causesOf(fold(message)).every((cause) => OF_ACCOUNT.includes(cause));
