import { dirname, join } from 'node:path/posix';

import ts from 'typescript';

import { filesBelow, sourceOf } from './sources.mts';

const PUBLISHED = ['nodes', 'credentials'].flatMap((folder) => filesBelow(folder));
const DEVELOPMENT = ['sandbox', 'host', 'tools', 'bench'].flatMap((folder) => filesBelow(folder));

/** n8n finds these classes by the paths in package.json. */
const FOUND_BY_HOST = /\.(?:node|credentials)\.ts$/;

const parse = (file: string) =>
	ts.createSourceFile(file, sourceOf(file), ts.ScriptTarget.Latest, true);

const isExported = (node: ts.Node): boolean =>
	ts.canHaveModifiers(node) &&
	(ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);

/** The names that a file exports where they are declared. */
const exportsOf = (source: ts.SourceFile): string[] =>
	source.statements.filter(isExported).flatMap((statement) => {
		if (ts.isVariableStatement(statement)) {
			return statement.declarationList.declarations.map(({ name }) => name.getText());
		}
		const { name } = statement as ts.DeclarationStatement;
		return name === undefined ? [] : [name.getText()];
	});

/** What a file takes from others of ours, as `path#name`; `path#*` is all of it. */
function takenBy(source: ts.SourceFile): string[] {
	const taken: string[] = [];
	const take = (from: ts.Node | undefined, names: readonly string[]) => {
		if (from === undefined || !ts.isStringLiteralLike(from) || !from.text.startsWith('.')) return;
		const path = join(dirname(source.fileName), from.text).replace(/\.m?ts$/, '');
		taken.push(...names.map((name) => `${path}#${name}`));
	};
	const namesIn = (bindings: ts.Node | undefined): string[] =>
		bindings !== undefined && (ts.isNamedImports(bindings) || ts.isNamedExports(bindings))
			? bindings.elements.map(({ propertyName, name }) => (propertyName ?? name).text)
			: ['*'];
	const visit = (node: ts.Node): void => {
		if (ts.isImportDeclaration(node)) {
			take(node.moduleSpecifier, namesIn(node.importClause?.namedBindings));
		} else if (ts.isExportDeclaration(node)) {
			take(node.moduleSpecifier, namesIn(node.exportClause));
		} else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
			take(node.argument.literal, ['*']);
		} else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
			take(node.arguments[0], ['*']);
		}
		ts.forEachChild(node, visit);
	};
	visit(source);
	return taken;
}

it('nothing is exported for the tests alone', () => {
	const published = PUBLISHED.map(parse);
	const taken = new Set([...published, ...DEVELOPMENT.map(parse)].flatMap(takenBy));
	const unused = published
		.filter(({ fileName }) => !FOUND_BY_HOST.test(fileName))
		.flatMap((source) => {
			const path = source.fileName.replace(/\.ts$/, '');
			return exportsOf(source)
				.filter((name) => !taken.has(`${path}#${name}`) && !taken.has(`${path}#*`))
				.map((name) => `${source.fileName} ${name}`);
		});
	expect(taken.size).toBeGreaterThan(300);
	expect(unused).toEqual([]);
});
