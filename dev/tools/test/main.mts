/**
 * `npm test`: lint, types, build, then the unit and integration tests that take little time.
 * `npm test -- --all`: all of these tests. `npm run test:long`: those that `npm test` leaves out, and no checks.
 * More options are Jest's: `npm test -- --all --coverage`.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { LONG } from './long.mts';

interface Step {
	name: string;
	command: string;
	args: string[];
}

const step = (name: string, command: string, ...args: string[]): Step => ({ name, command, args });

/** What was in order and has not changed is not read again. */
const CACHE = join('node_modules', '.cache', 'unified-payments-test');
const TYPES = join(CACHE, 'types.tsbuildinfo');
const cached = (name: string) => ['--cache', '--cache-location', join(CACHE, name)];

/** Some tests are about what is published; the build checks its types. */
const BUILD = step('build', 'gulp', 'build', '--silent');

/** One after another, beside the build and the tests, which wait for much of their time. */
const CHECKS: Step[] = [
	step('types', 'tsc', '-p', 'tsconfig.dev.json', '--incremental', '--tsBuildInfoFile', TYPES),
	step('formatting', 'prettier', ...cached('formatting'), '--check', '.'),
	step(
		'lint',
		'eslint',
		...cached('lint'),
		'--config',
		'eslint.dev.config.mjs',
		'--max-warnings',
		'0',
		'.',
	),
	step('lint of what is published', 'n8n-node', 'lint'),
];

const started = Date.now();
const seconds = (since: number) => ((Date.now() - since) / 1000).toFixed(0);

/** Ends with the exit code; what it printed is only worth reading when that is not 0. */
async function run({ command, args }: Step, stdio: 'inherit' | 'pipe'): Promise<[number, string]> {
	const child = spawn(command, args, {
		stdio: ['ignore', stdio, stdio],
		shell: process.platform === 'win32',
	});
	let output = '';
	const read = (chunk: Buffer) => (output += chunk.toString());
	child.stdout?.on('data', read);
	child.stderr?.on('data', read);
	const code = await new Promise<number>((resolve, reject) => {
		child.once('error', reject);
		child.once('close', (ended) => resolve(ended ?? 1));
	});
	return [code, output];
}

async function passes(check: Step): Promise<boolean> {
	const from = Date.now();
	const [code, output] = await run(check, 'pipe');
	console.log(`${code === 0 ? '✓' : '✗'} ${check.name} (${seconds(from)} s)`);
	if (code !== 0) console.log(`${output}\n`);
	return code === 0;
}

/** The names of those that do not pass. */
async function failing(checks: Step[]): Promise<string[]> {
	const failed: string[] = [];
	for (const check of checks) if (!(await passes(check))) failed.push(check.name);
	return failed;
}

interface Counts {
	numPassedTests: number;
	numTotalTests: number;
	numTotalTestSuites: number;
}

/** Jest's exit code, and its counts if it got as far as running tests; the files are named as they end. */
async function jest(args: string[]): Promise<[number, Counts | null]> {
	const folder = await mkdtemp(join(tmpdir(), 'unified-payments-test-'));
	try {
		const counts = join(folder, 'counts.json');
		// What the caller says comes first: Jest takes all that follows a list for a part of it.
		const all = [...args, '--json', '--outputFile', counts];
		const [code] = await run(step('tests', 'jest', ...all), 'inherit');
		return [
			code,
			existsSync(counts) ? (JSON.parse(await readFile(counts, 'utf8')) as Counts) : null,
		];
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

/** Which files Jest runs, and what else the caller tells it. */
function chosen(args: string[]): { checks: boolean; options: string[] } {
	const [first, ...rest] = args;
	if (first === '--long')
		return { checks: false, options: [...rest, '--testPathPatterns', ...LONG] };
	if (first === '--all') return { checks: true, options: rest };
	return { checks: true, options: [...args, '--testPathIgnorePatterns', ...LONG] };
}

async function main(args: string[]): Promise<number> {
	const { checks, options } = chosen(args);
	const checking = failing(checks ? CHECKS : []);
	if (checks && !(await passes(BUILD))) return 1;
	const [code, counts] = await jest([...options, '--selectProjects', 'unit', 'integration']);
	const failed = await checking;
	if (failed.length > 0) console.log(`✗ ${failed.join(', ')}: see above`);
	const isGood = code === 0 && failed.length === 0;
	if (counts !== null) {
		const { numPassedTests: passed, numTotalTests: all, numTotalTestSuites: files } = counts;
		const mark = isGood ? '✓' : '✗';
		console.log(
			`${mark} ${passed} of ${all} tests in ${files} files passed, in ${seconds(started)} s`,
		);
	}
	return isGood ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
