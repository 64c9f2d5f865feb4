/**
 * `npm run release:check`: a release up to the point of publishing. Both halves are rehearsed on a
 * throw-away clone of the last commit, with a remote of its own: what a maintainer starts, and what
 * the publishing workflow then does, the first time with a token and from then on without. Nothing
 * is pushed, tagged or published. It refuses while something is left that only the owner can set.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
	copyFileSync,
	existsSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { parse } from 'yaml';

/** What stands for the owner's account, homepage and contact until there is one: no such domain can exist. */
const PLACEHOLDER = 'owner.example';
/** Where it is spoken of, and not used. */
const SPOKEN_OF = ['dev/tools', '.github/workflows', '.github/CONTRIBUTING.md'];

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

function rehearse(title: string, command: string[], env: Record<string, string>): void {
	console.log(`\n## ${title}\n`);
	const [program, ...args] = command as [string, ...string[]];
	const { stdout, status } = spawnSync(program, args, {
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
	if (status !== 0) throw new Error(`${title}: ${command.join(' ')} ended with ${status}`);
}

/** As the workflow does it; with settings of npm that are thrown away, because the token goes there. */
function publish(title: string, token: string): void {
	const settings = join(temporary, 'npmrc');
	const own = process.env.NPM_CONFIG_USERCONFIG ?? join(homedir(), '.npmrc');
	if (existsSync(own)) copyFileSync(own, settings);
	else writeFileSync(settings, '');
	rehearse(title, ['bash', '-e', '-c', publishingStep()], {
		// Only GitHub can state where a package was built.
		NPM_CONFIG_PROVENANCE: 'false',
		NPM_CONFIG_DRY_RUN: 'true',
		NPM_CONFIG_USERCONFIG: settings,
		NPM_TOKEN: token,
	});
	const isKnown = readFileSync(settings, 'utf8').includes(`:_authToken=${REHEARSED}`);
	if (isKnown !== (token === REHEARSED)) throw new Error(`${title}: npm has the wrong token`);
}

/** What the last step of the publishing workflow runs, as it stands. */
function publishingStep(): string {
	const text = readFileSync(join(clone, '.github/workflows/publish.yml'), 'utf8');
	const workflow = parse(text) as { jobs: { publish: { steps: Array<{ run?: string }> } } };
	return workflow.jobs.publish.steps.at(-1)!.run!;
}

const REHEARSED = 'rehearsed-token';

/** The newest heading of the changelog: a version, or `Unreleased`. */
const newestHeading = (): string =>
	/^## \[(.+?)\]/m.exec(readFileSync(join(clone, 'CHANGELOG.md'), 'utf8'))?.[1] ?? '';

const isVersion = (heading: string): boolean => /^\d+\.\d+\.\d+$/.test(heading);

/** What has to be done before a release, by hand. */
function leftToDo(): string[] {
	const without = SPOKEN_OF.map((path) => `:!${path}`);
	const { stdout } = spawnSync('git', ['grep', '-nF', PLACEHOLDER, '--', '.', ...without], {
		cwd: clone,
		encoding: 'utf8',
	});
	const places = stdout.split('\n').filter((line) => line !== '');
	return [
		...places.map((place) => `set the owner's own: ${place.replace(/\s+/g, ' ')}`),
		...(isVersion(newestHeading())
			? []
			: [`CHANGELOG.md: give "${newestHeading()}" its version and date`]),
	];
}

try {
	const origin = join(temporary, 'origin.git');
	git('.', 'clone', '--quiet', '--bare', resolve('.'), origin);
	git(temporary, 'clone', '--quiet', origin, clone);
	symlinkSync(resolve('node_modules'), join(clone, 'node_modules'));

	// The n8n tool passes no options on to release-it, which reads them here as well.
	// With CI, it does not ask for the version either; the first one is 1.0.0.
	const increment = isVersion(newestHeading()) ? newestHeading() : 'major';
	const settings = JSON.stringify({ 'dry-run': true, increment });
	writeFileSync(join(clone, '.release-it.json'), `${settings}\n`);
	git(clone, 'add', '.release-it.json');
	git(clone, 'commit', '--quiet', '--message', 'chore: rehearse');
	git(clone, 'push', '--quiet');

	const tags = git(origin, 'tag');
	const head = git(origin, 'rev-parse', 'HEAD');
	rehearse("A maintainer's machine: version, commit, tag, push", ['npm', 'run', 'release'], {
		CI: 'true',
		GITHUB_ACTIONS: '',
	});
	rehearse('The workflow: build', ['npm', 'run', 'build'], {});
	rehearse('The workflow: pack', ['npm', 'pack', '--ignore-scripts'], {});
	publish('The workflow, the first time: publish with a token', REHEARSED);
	publish('The workflow, from then on: publish as a trusted publisher', '');
	if (git(origin, 'tag') !== tags || git(origin, 'rev-parse', 'HEAD') !== head) {
		throw new Error('The rehearsal has pushed something');
	}
	const left = leftToDo();
	console.log('\n✓ The release works, up to the point of publishing.');
	if (left.length > 0) {
		console.log(`\n✗ Left to do before it:\n${left.map((each) => `  ${each}`).join('\n')}`);
		process.exitCode = 1;
	}
} finally {
	rmSync(temporary, { recursive: true, force: true });
}
