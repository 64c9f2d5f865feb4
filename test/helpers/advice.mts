import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import ts from 'typescript';

const NODE = join(process.cwd(), 'nodes/UnifiedPayments');

/** A sentence that tells somebody to do something begins, or goes on after a comma, with one of these. */
const ADVICE =
	/(?:^|[,:] |\bor |\band )(?:check|choose|copy|correct|format|give|leave|look|lower|open|raise|remove|rename|run|set|wait|write)\b/i;

/** The text of a literal; what is put in at run time is "…". */
function textOf(node: ts.Node): string | null {
	if (ts.isStringLiteralLike(node)) return node.text;
	if (!ts.isTemplateExpression(node)) return null;
	return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
}

const sentencesOf = (text: string): string[] =>
	text
		.split(/(?<=(?<!e\.g)\.)\s+|^… |(?<=\.)… ?/)
		.map((each) => each.trim())
		.filter((each) => each !== '');

function adviceIn(path: string): string[] {
	const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest);
	const found: string[] = [];
	const visit = (node: ts.Node): void => {
		const text = textOf(node);
		if (text !== null)
			found.push(...sentencesOf(text).filter((each) => each.includes(' ') && ADVICE.test(each)));
		node.forEachChild(visit);
	};
	visit(file);
	return found;
}

/** Every sentence in these folders of the node that advises something, once each. */
export const adviceOf = (...folders: string[]): string[] => [
	...new Set(
		folders
			.flatMap((folder) =>
				readdirSync(join(NODE, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
					join(NODE, folder, name),
				),
			)
			.filter((path) => path.endsWith('.ts'))
			.sort()
			.flatMap(adviceIn),
	),
];
