/**
 * `npm run release:check`: a release up to the point of publishing. Both halves are rehearsed on a
 * throw-away clone of the last commit, with a remote of its own: what a maintainer starts, and what
 * the publishing workflow then does. Nothing is pushed, tagged or published.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const temporary = mkdtempSync(join(tmpdir(), 'release-'));
const clone = join(temporary, 'clone');

const git = (cwd: string, ...args: string[]) =>
	execFileSync(
		'git',
		['-c', 'user.name=Rehearsal', '-c', 'user.email=rehearsal@localhost', ...args],
		{
			cwd,
			encoding: 'utf8',
			stdio: ['ignore', 'pipe', 'inherit'],
		},
	).trim();

/** The list of all commits is long, and not what one wants to see here. */
const isCommit = (line: string) => line.startsWith('- ');

function release(title: string, env: Record<string, string>): string {
	console.log(`\n## ${title}\n`);
	const { stdout, status } = spawnSync('npm', ['run', 'release'], {
		cwd: clone,
		env: { ...process.env, ...env },
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	console.log(
		stdout
			.split('\n')
			.filter((line) => !isCommit(line))
			.join('\n'),
	);
	if (status !== 0) throw new Error(`${title}: npm run release ended with ${status}`);
	return stdout;
}

try {
	const origin = join(temporary, 'origin.git');
	git('.', 'clone', '--quiet', '--bare', resolve('.'), origin);
	git(temporary, 'clone', '--quiet', origin, clone);
	symlinkSync(resolve('node_modules'), join(clone, 'node_modules'));

	// The n8n tool passes no options on to release-it, which reads them here as well.
	writeFileSync(join(clone, '.release-it.json'), '{ "dry-run": true }\n');
	git(clone, 'add', '.release-it.json');
	git(clone, 'commit', '--quiet', '--message', 'chore: rehearse');
	git(clone, 'push', '--quiet');

	const tags = git(origin, 'tag');
	const head = git(origin, 'rev-parse', 'HEAD');
	// With CI, release-it does not ask for the version, and takes the next patch.
	release("A maintainer's machine: version, commit, tag, push", { CI: 'true', GITHUB_ACTIONS: '' });
	release('The workflow: lint, build, publish', {
		GITHUB_ACTIONS: 'true',
		NPM_CONFIG_DRY_RUN: 'true',
	});
	if (git(origin, 'tag') !== tags || git(origin, 'rev-parse', 'HEAD') !== head) {
		throw new Error('The rehearsal has pushed something');
	}
	console.log('\n✓ The release works, up to the point of publishing.');
} finally {
	rmSync(temporary, { recursive: true, force: true });
}
