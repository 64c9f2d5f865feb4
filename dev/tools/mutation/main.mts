/**
 * `npm run test:mutation -- [parts]`: changes the code in small ways and sees whether a test notices.
 * Without parts, only the protocol; `all` for all of them. A slice of a part whose code and tests
 * are as they were when it was last done is not done again, so a run that was stopped goes on where
 * it was. `--report` only says what was found so far. `--changed` does the files that are not as they are
 * on the main branch, and nothing else.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

import { byPart, PARTS, slicesOf } from './parts.mts';

const STRYKER = 'node_modules/@stryker-mutator/core/bin/stryker.js';
const FOLDERS = [
	'nodes',
	'credentials',
	'test/unit',
	'test/integration',
	'test/helpers',
	'dev/tools/mutation',
];

interface Report {
	files: Record<string, { mutants: Array<{ status: string }> }>;
}

/** What a result depends on, and a little more: unchanged mutants are quick to do again. */
function stateOfCode(): string {
	const files = execFileSync('git', ['ls-files', '-z', ...FOLDERS], { encoding: 'utf8' });
	const hash = createHash('sha256');
	for (const file of files.split('\0').filter(existsSync))
		hash.update(file).update(readFileSync(file));
	return hash.digest('hex');
}

interface Slice {
	part: string;
	number: number | 'changed';
	/** By default those of the slice. */
	files?: string[];
}

const path = ({ part, number }: Slice, ending: string) =>
	`reports/mutation/${part}-${number}.${ending}`;

const slicesIn = (part: string): Slice[] => slicesOf(part).map((_, i) => ({ part, number: i + 1 }));

const isDone = (slice: Slice, state: string) =>
	existsSync(path(slice, 'done')) && readFileSync(path(slice, 'done'), 'utf8') === state;

/** Says how a part stands, or some slices of it; whether they are done and as good as they must be. */
function report(part: string, slices = slicesIn(part)): boolean {
	const known = slices.filter((slice) => existsSync(path(slice, 'json')));
	const statuses = known.flatMap((slice) => {
		const { files } = JSON.parse(readFileSync(path(slice, 'json'), 'utf8')) as Report;
		return Object.values(files).flatMap(({ mutants }) => mutants.map(({ status }) => status));
	});
	const count = (...wanted: string[]) => statuses.filter((each) => wanted.includes(each)).length;
	const noticed = count('Killed', 'Timeout');
	const all = noticed + count('Survived', 'NoCoverage');
	const score = all === 0 ? 0 : (noticed / all) * 100;
	const open = slices.length - known.length;
	console.log(
		`${part.padEnd(10)} ${score.toFixed(1).padStart(5)} %  ${noticed} of ${all} mutants noticed` +
			(open > 0 ? `, ${open} of ${slices.length} slices not done yet` : ''),
	);
	return open === 0 && score >= PARTS[part]!.least;
}

/** The slices of the files that were changed since this branch left the main one, committed or not. */
function changedSlices(): Slice[] {
	const diff = ['diff', '--name-only', '--merge-base', 'main'];
	const files = execFileSync('git', diff, { encoding: 'utf8' }).split('\n');
	return [...byPart(files)].map(([part, own]) => ({ part, number: 'changed', files: own }));
}

function mutate({ part, number, files }: Slice): void {
	const { status } = spawnSync(process.execPath, ['--import', 'tsx', STRYKER, 'run'], {
		stdio: 'inherit',
		env: {
			...process.env,
			MUTATION_PART: part,
			MUTATION_SLICE: String(number),
			...(files && { MUTATION_FILES: files.join() }),
		},
	});
	if (status !== 0) process.exit(1);
}

const asked = process.argv.slice(2).filter((each) => !['--report', '--changed'].includes(each));
const names = asked.includes('all') ? Object.keys(PARTS) : asked.length > 0 ? asked : ['protocol'];
const unknown = names.filter((name) => !(name in PARTS));
if (unknown.length > 0) {
	console.error(`No part ${unknown.join(', ')}. There are: ${Object.keys(PARTS).join(', ')}, all`);
	process.exit(2);
}

if (process.argv.includes('--changed')) {
	const slices = changedSlices();
	for (const slice of slices) mutate(slice);
	if (slices.length === 0) console.log('Nothing that is mutated differs from the main branch.');
	const good = slices.map((slice) => report(slice.part, [slice]));
	process.exit(good.includes(false) ? 1 : 0);
}

const state = stateOfCode();
const open = process.argv.includes('--report')
	? []
	: names.flatMap(slicesIn).filter((slice) => !isDone(slice, state));
for (const [index, slice] of open.entries()) {
	const { part, number } = slice;
	console.log(`\n# ${part} ${number} (${index + 1} of ${open.length} left)`);
	mutate(slice);
	writeFileSync(path(slice, 'done'), state);
}

console.log('');
const areGood = names.map((name) => report(name));
if (areGood.includes(false)) process.exitCode = 1;
