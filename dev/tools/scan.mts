/**
 * n8n's own scan of a community package, before there is a published one: `@n8n/scan-community-package`
 * reads the source as it stands, and what `npm pack` makes of the build.
 */
import { createHash } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { cacheFolder } from '../host/n8n/cacheFolder.mts';
import { createFolderOnce } from '../host/n8n/createFolderOnce.mts';
import { run } from '../host/n8n/run.mts';

interface Tool {
	SOURCE_FILE_PATTERNS: string[];
	analyzePackage(
		folder: string,
		patterns: string[],
	): Promise<{ passed: boolean; message?: string; details?: string }>;
}

// With `test` here, a plugin takes every file for the one that its own tests are about.
delete process.env.NODE_ENV;

/** Installed from its lock file, once per machine. */
async function installTool(): Promise<Tool> {
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
	return (await import(pathToFileURL(file).href)) as Tool;
}

const temporary = mkdtempSync(join(tmpdir(), 'scan-'));
try {
	await run('npm', ['pack', '--ignore-scripts', '--pack-destination', temporary], { cwd: '.' });
	await run('bash', ['-c', 'tar -xzf *.tgz'], { cwd: temporary });
	const tool = await installTool();
	const legs = [
		['the source', '.', tool.SOURCE_FILE_PATTERNS],
		['the package', join(temporary, 'package'), ['package.json', '**/*.js']],
	] as const;
	for (const [name, folder, patterns] of legs) {
		const { passed, message, details } = await tool.analyzePackage(resolve(folder), [...patterns]);
		console.log(passed ? `✓ ${name} passes n8n's scan` : `✗ ${name}\n${message}\n${details}`);
		if (!passed) process.exitCode = 1;
	}
} finally {
	rmSync(temporary, { recursive: true, force: true });
}
