import { LONGEST } from './limits';
import { withoutEnd } from './parse';

/** A text as it is compared whole with a list: without case, outer spaces and final punctuation. */
export const foldedSentence = (text: string): string =>
	text.length > LONGEST.sentence
		? text
		: withoutEnd(text.trim().toLowerCase(), '.!?… \t\r\n\u00a0');
