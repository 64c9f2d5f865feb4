import { filesBelow, NODE, textsOf } from '../unit/structure/sources.mts';

/** A sentence that tells somebody to do something begins, or goes on after a comma, with one of these. */
const ADVICE =
	/(?:^|[,:] |\bor |\band )(?:check|choose|copy|correct|format|give|leave|look|lower|open|raise|remove|rename|run|set|wait|write)\b/i;

const sentencesOf = (text: string): string[] =>
	text
		.split(/(?<=(?<!e\.g)\.)\s+|^… |(?<=\.)… ?/)
		.map((each) => each.trim())
		.filter((each) => each.includes(' '));

/** Every sentence in these folders of the node that advises something, once each. */
export const adviceOf = (...folders: string[]): string[] => {
	const texts = folders.flatMap((folder) => filesBelow(`${NODE}/${folder}`)).flatMap(textsOf);
	return [...new Set(texts.flatMap(sentencesOf).filter((each) => ADVICE.test(each)))];
};
