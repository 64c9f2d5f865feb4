/**
 * n8n's scan of a community package, before there is a published one: the rules of
 * `@n8n/scan-community-package`, which reads what was published to npm and the source it names.
 * Both are read here: the source as it stands, and what `npm pack` makes of the build.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { ESLint, type Linter, type Rule } from 'eslint';
import tseslint from 'typescript-eslint';

interface Plugin {
	rules: Record<string, Rule.RuleModule>;
	configs: Record<string, Linter.Config>;
}

// With `test` here, a plugin takes every file for the one that its own tests are about.
delete process.env.NODE_ENV;

/** The plugins that `n8n-node lint` uses, so that both are always of one release. */
const require = createRequire(createRequire(import.meta.url).resolve('@n8n/node-cli/eslint'));
const { n8nCommunityNodesPlugin: community } = require('@n8n/eslint-plugin-community-nodes') as {
	n8nCommunityNodesPlugin: Plugin;
};
const base = require('eslint-plugin-n8n-nodes-base') as Plugin;

const off = (...rules: string[]): Linter.RulesRecord =>
	Object.fromEntries(rules.map((rule) => [`n8n-nodes-base/${rule}`, 'off']));

/** As the scan has it: the rules for the editor's texts read sources, the others everything. */
const CONFIG: Linter.Config[] = [
	community.configs.recommended!,
	{ rules: { 'no-console': 'error' } },
	{ plugins: { 'n8n-nodes-base': base } },
	{ files: ['package.json'], rules: base.configs.community!.rules },
	{
		files: ['**/credentials/**/*.ts'],
		rules: {
			...base.configs.credentials!.rules,
			...off(
				'cred-class-field-documentation-url-miscased',
				'cred-class-field-type-options-password-missing',
			),
		},
	},
	{
		files: ['**/nodes/**/*.ts'],
		rules: {
			...base.configs.nodes!.rules,
			...off(
				'node-class-description-inputs-wrong-regular-node',
				'node-class-description-outputs-wrong',
				'node-param-type-options-max-value-present',
			),
		},
	},
	{
		files: ['**/*.json', '**/*.ts'],
		languageOptions: { parser: tseslint.parser as Linter.Parser },
	},
];

const SOURCE = ['package.json', 'nodes/**/*.{js,ts,json}', 'credentials/**/*.ts'];
const PACKED = ['package.json', '**/*.js'];

/** Gives back what was found, as text for people; empty when nothing was. */
async function scan(folder: string, patterns: string[]): Promise<string> {
	const eslint = new ESLint({
		cwd: folder,
		allowInlineConfig: false,
		overrideConfigFile: true,
		overrideConfig: CONFIG,
	});
	const results = ESLint.getErrorResults(await eslint.lintFiles(patterns));
	return await (await eslint.loadFormatter('stylish')).format(results);
}

/** The files of the package as a user's n8n gets them. */
function unpack(project: string, into: string): string {
	if (!existsSync(join(project, 'dist'))) throw new Error('There is no dist: run `npm run build`');
	const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', into];
	const output = execFileSync('npm', args, {
		cwd: project,
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'ignore'],
	});
	const [{ filename }] = JSON.parse(output) as [{ filename: string }];
	execFileSync('tar', ['-xzf', filename], { cwd: into });
	return join(into, 'package');
}

const project = resolve(process.argv[2] ?? '.');
const temporary = mkdtempSync(join(tmpdir(), 'scan-'));
try {
	const legs = [
		['the source', await scan(project, SOURCE)],
		['the package', await scan(unpack(project, temporary), PACKED)],
	] as const;
	for (const [name, found] of legs) {
		console.log(found === '' ? `✓ ${name} passes n8n's scan` : `✗ ${name}\n${found}`);
		if (found !== '') process.exitCode = 1;
	}
} finally {
	rmSync(temporary, { recursive: true, force: true });
}
