/**
 * `npm run test:mutation -- [parts]`: changes the code in small ways and sees whether a test notices.
 * Without parts, only the protocol; `all` for all of them. A part whose code and tests are as they
 * were when it was last done is not done again, so a run that was stopped goes on where it was.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

import { PARTS } from './parts.mts';

const STRYKER = 'node_modules/@stryker-mutator/core/bin/stryker.js';
const FOLDERS = [
	'nodes',
	'credentials',
	'test/unit',
	'test/integration',
	'test/helpers',
	'tools/mutation',
];

interface Report {
	files: Record<string, { mutants: Array<{ status: string }> }>;
}

/** What a part's result depends on, and a little more: unchanged mutants are quick to do again. */
function stateOfCode(): string {
	const files = execFileSync('git', ['ls-files', '-z', ...FOLDERS], { encoding: 'utf8' });
	const hash = createHash('sha256');
	for (const file of files.split('\0').filter(existsSync))
		hash.update(file).update(readFileSync(file));
	return hash.digest('hex');
}

const reportOf = (name: string) => `reports/mutation/${name}.json`;
const markOf = (name: string) => `reports/mutation/${name}.done`;

const isDone = (name: string, state: string) =>
	existsSync(markOf(name)) && readFileSync(markOf(name), 'utf8') === state;

function figures(name: string): string {
	const { files } = JSON.parse(readFileSync(reportOf(name), 'utf8')) as Report;
	const statuses = Object.values(files).flatMap(({ mutants }) =>
		mutants.map(({ status }) => status),
	);
	const count = (...wanted: string[]) => statuses.filter((each) => wanted.includes(each)).length;
	const noticed = count('Killed', 'Timeout');
	const missed = count('Survived', 'NoCoverage');
	const score = ((noticed / (noticed + missed)) * 100).toFixed(1);
	return `${name.padEnd(10)} ${score.padStart(5)} %  ${noticed} of ${noticed + missed} mutants noticed`;
}

const asked = process.argv.slice(2);
const names = asked.includes('all') ? Object.keys(PARTS) : asked.length > 0 ? asked : ['protocol'];
const unknown = names.filter((name) => !(name in PARTS));
if (unknown.length > 0) {
	console.error(`No part ${unknown.join(', ')}. There are: ${Object.keys(PARTS).join(', ')}, all`);
	process.exit(2);
}

const state = stateOfCode();
for (const [index, name] of names.entries()) {
	if (isDone(name, state)) continue;
	console.log(`\n# ${name} (${index + 1} of ${names.length})`);
	const { status, signal } = spawnSync(process.execPath, ['--import', 'tsx', STRYKER, 'run'], {
		stdio: 'inherit',
		env: { ...process.env, MUTATION_PART: name },
	});
	if (signal !== null || !existsSync(reportOf(name))) process.exit(1);
	if (status !== 0) process.exitCode = 1;
	writeFileSync(markOf(name), state);
}

console.log('');
for (const name of names) console.log(figures(name));
