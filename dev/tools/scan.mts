/**
 * n8n's scan of a community package, before there is a published one: the rules of
 * `@n8n/scan-community-package`, which reads what was published to npm and the source it names.
 * Both are read here: the source as it stands, and what `npm pack` makes of the build. With
 * `--official` that tool itself is installed and reads them; otherwise its rules are taken from
 * `n8n-node lint`, which is here anyway.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

import { ESLint, type Linter, type Rule } from 'eslint';
import tseslint from 'typescript-eslint';

import { cacheFolder } from '../host/n8n/cacheFolder.mts';
import { createFolderOnce } from '../host/n8n/createFolderOnce.mts';
import { run } from '../host/n8n/run.mts';

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

/** What n8n's tool exports: the scan of a folder, as it is made of a published package. */
interface OfficialTool {
	SOURCE_FILE_PATTERNS: string[];
	analyzePackage(
		folder: string,
		patterns: string[],
	): Promise<{ passed: boolean; message?: string; details?: string }>;
}

/** Installed from its lock file, once per machine. */
async function installTool(): Promise<OfficialTool> {
	const source = resolve('dev/tools/scanner');
	const lock = readFileSync(join(source, 'package-lock.json'));
	const digest = createHash('sha256').update(lock).digest('hex').slice(0, 8);
	const folder = join(cacheFolder(), `scanner-${digest}`);
	await createFolderOnce(folder, async (unfinished) => {
		for (const name of ['package.json', 'package-lock.json']) {
			copyFileSync(join(source, name), join(unfinished, name));
		}
		await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: unfinished });
	});
	const file = join(folder, 'node_modules/@n8n/scan-community-package/scanner/scanner.mjs');
	return (await import(pathToFileURL(file).href)) as OfficialTool;
}

/** The same by n8n's own tool. */
async function createOfficialScan(): Promise<typeof scan> {
	const tool = await installTool();
	return async (folder, patterns) => {
		const files = patterns === SOURCE ? tool.SOURCE_FILE_PATTERNS : patterns;
		const { passed, message = '', details = '' } = await tool.analyzePackage(folder, files);
		return passed ? '' : `${message}\n${details}`;
	};
}

const { values, positionals } = parseArgs({
	options: { official: { type: 'boolean', default: false } },
	allowPositionals: true,
});
const project = resolve(positionals[0] ?? '.');
const temporary = mkdtempSync(join(tmpdir(), 'scan-'));
try {
	const read = values.official ? await createOfficialScan() : scan;
	const legs = [
		['the source', await read(project, SOURCE)],
		['the package', await read(unpack(project, temporary), PACKED)],
	] as const;
	for (const [name, found] of legs) {
		console.log(found === '' ? `✓ ${name} passes n8n's scan` : `✗ ${name}\n${found}`);
		if (found !== '') process.exitCode = 1;
	}
} finally {
	rmSync(temporary, { recursive: true, force: true });
}
