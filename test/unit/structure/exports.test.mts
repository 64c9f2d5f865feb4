import ts from 'typescript';

import { filesBelow, importsOf, parse, PUBLISHED } from './sources.mts';

/** n8n finds these classes by the paths in package.json. */
const FOUND_BY_HOST = /\.(?:node|credentials)\.ts$/;

const isExported = (node: ts.Node): boolean =>
	ts.canHaveModifiers(node) &&
	(ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);

/** The names that a file exports where they are declared. */
const exportsOf = (file: string): string[] =>
	parse(file)
		.statements.filter(isExported)
		.flatMap((statement) =>
			ts.isVariableStatement(statement)
				? statement.declarationList.declarations.map(({ name }) => name.getText())
				: ((statement as ts.DeclarationStatement).name?.getText() ?? []),
		);

it('nothing is exported for the tests alone', () => {
	const folders = ['sandbox', 'host', 'tools', 'bench'];
	const users = [...PUBLISHED, ...folders.flatMap((folder) => filesBelow(folder))];
	const taken = new Set(
		users.flatMap(importsOf).flatMap(({ to, names }) => names.map((name) => `${to}#${name}`)),
	);
	const unused = PUBLISHED.filter((file) => !FOUND_BY_HOST.test(file)).flatMap((file) => {
		const path = file.replace(/\.ts$/, '');
		return exportsOf(file)
			.map((name) => `${path}#${name}`)
			.filter((each) => !taken.has(each) && !taken.has(`${path}#*`));
	});
	expect(taken.size).toBeGreaterThan(300);
	expect(unused).toEqual([]);
});
