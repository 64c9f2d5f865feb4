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

export const sourceOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** All imports of a file, also re-exports, `import()`, `import type x = import()` and `require()`. */
export function importsOf(file: string): Import[] {
	const source = ts.createSourceFile(file, sourceOf(file), ts.ScriptTarget.Latest, true);
	const found: Import[] = [];
	const add = (specifier: ts.Node | undefined, typeOnly: boolean) => {
		if (specifier === undefined || !ts.isStringLiteralLike(specifier)) return;
		const { text } = specifier;
		const to = text.startsWith('.')
			? slashes(relative(ROOT, join(ROOT, dirname(file), text))).replace(/\.m?ts$/, '')
			: text;
		found.push({ from: file, to, typeOnly });
	};
	const visit = (node: ts.Node): void => {
		if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, isTypeImport(node.importClause));
		else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly);
		else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
			add(node.argument.literal, true);
		} else if (ts.isCallExpression(node)) {
			const { expression } = node;
			const dynamic = expression.kind === ts.SyntaxKind.ImportKeyword;
			const required = ts.isIdentifier(expression) && expression.text === 'require';
			if (dynamic || required) add(node.arguments[0], false);
		}
		ts.forEachChild(node, visit);
	};
	visit(source);
	return found;
}

function isTypeImport(clause: ts.ImportClause | undefined): boolean {
	if (clause === undefined) return false;
	if (clause.isTypeOnly) return true;
	const { name, namedBindings } = clause;
	if (name !== undefined || namedBindings === undefined) return false;
	return (
		ts.isNamedImports(namedBindings) && namedBindings.elements.every((each) => each.isTypeOnly)
	);
}
