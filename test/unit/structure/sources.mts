import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

import ts from 'typescript';

const ROOT = process.cwd();

export interface Import {
	/** Path of the importing file, from the root, with slashes. */
	from: string;
	/** A package or `node:` module as it is written; a file of ours as a path from the root. */
	to: string;
	/** True when nothing of it is left at run time. */
	typeOnly: boolean;
}

const slashes = (path: string) => path.split(sep).join('/');

/** Every source file below a folder of the root, as a path from the root. */
export const filesBelow = (folder: string, pattern = /\.m?ts$/): string[] =>
	readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile() && pattern.test(entry.name))
		.map((entry) => slashes(relative(ROOT, join(entry.parentPath, entry.name))))
		.sort();

export const NODE = 'nodes/UnifiedPayments';
export const PUBLISHED = [...filesBelow('nodes'), ...filesBelow('credentials')];

export const sourceOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

export const parse = (file: string, text = sourceOf(file)): ts.SourceFile =>
	ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);

/** A node of the syntax and all that is in it. */
export const within = (node: ts.Node): ts.Node[] => {
	const inner: ts.Node[] = [];
	ts.forEachChild(node, (child) => void inner.push(...within(child)));
	return [node, ...inner];
};

/** Every text of a file, with `…` where a value stands. */
export const textsOf = (file: string): string[] =>
	within(parse(file)).flatMap((node) => {
		if (ts.isStringLiteralLike(node)) return node.text;
		if (!ts.isTemplateExpression(node)) return [];
		return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…');
	});

/** What a piece of syntax imports: also re-exports, `import()`, types by `import()`, and `require()`. */
function importedBy(node: ts.Node): { specifier?: ts.Node; typeOnly: boolean } | null {
	if (ts.isImportDeclaration(node))
		return { specifier: node.moduleSpecifier, typeOnly: isTypeImport(node.importClause) };
	if (ts.isExportDeclaration(node))
		return { specifier: node.moduleSpecifier, typeOnly: node.isTypeOnly };
	if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
		return { specifier: node.argument.literal, typeOnly: true };
	if (!ts.isCallExpression(node)) return null;
	const { expression } = node;
	const required = ts.isIdentifier(expression) && expression.text === 'require';
	if (!required && expression.kind !== ts.SyntaxKind.ImportKeyword) return null;
	return { specifier: node.arguments[0], typeOnly: false };
}

function isTypeImport(clause: ts.ImportClause | undefined): boolean {
	if (clause === undefined || clause.isTypeOnly) return clause !== undefined;
	const { name, namedBindings } = clause;
	if (name !== undefined || namedBindings === undefined) return false;
	return (
		ts.isNamedImports(namedBindings) && namedBindings.elements.every((each) => each.isTypeOnly)
	);
}

export const importsOf = (file: string): Import[] =>
	within(parse(file)).flatMap((node) => {
		const { specifier, typeOnly = false } = importedBy(node) ?? {};
		if (specifier === undefined || !ts.isStringLiteralLike(specifier)) return [];
		const to = specifier.text.startsWith('.')
			? slashes(relative(ROOT, join(ROOT, dirname(file), specifier.text))).replace(/\.m?ts$/, '')
			: specifier.text;
		return [{ from: file, to, typeOnly }];
	});
