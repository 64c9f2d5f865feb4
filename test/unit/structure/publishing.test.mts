import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { sourceOf } from './sources.mts';

const workflow = sourceOf('.github/workflows/publish.yml');
const manifest = JSON.parse(sourceOf('package.json')) as Record<string, Record<string, string>>;

describe('the workflow that publishes', () => {
	const runs = [...workflow.matchAll(/^\s+(?:- )?run: (.+)$/gm)].map(([, command]) => command);

	it('may prove to npm who it is, and read; nothing else', () => {
		expect(workflow).toMatch(/^permissions: \{\}$/m);
		const granted = [...workflow.matchAll(/^\s+([a-z-]+): (?:read|write)$/gm)].map(([line]) =>
			line.trim(),
		);
		expect(granted.sort()).toEqual(['contents: read', 'id-token: write']);
	});

	it('publishes what all tests passed, through the n8n tool, which asks for provenance', () => {
		expect(runs.at(-1)).toBe('bash .ci/publish');
		expect(runs.at(-2)).toBe('bash .ci/run');
		expect(sourceOf('.ci/publish')).toMatch(/^npm run release$/m);
		expect(manifest.scripts!.release).toBe('n8n-node release');
		expect(sourceOf('.ci/run')).toMatch(/^npm ci\nnpm test$/m);
		expect(sourceOf('node_modules/@n8n/node-cli/dist/commands/release.js')).toContain(
			"NPM_CONFIG_PROVENANCE: 'true'",
		);
	});

	it('gives its only secret to its last step alone, and takes nothing from a cache', () => {
		const [before, last] = workflow.split('run: bash .ci/publish');
		expect(before).not.toMatch(/secrets\./);
		expect(last!.match(/secrets\.\w+/g)).toEqual(['secrets.NPM_TOKEN']);
		expect(workflow).not.toMatch(/cache:/);
	});

	it('names the version of every action', () => {
		const actions = [...workflow.matchAll(/uses: (\S+)/g)].map(([, action]) => action!);
		expect(actions.length).toBeGreaterThan(1);
		expect(actions.filter((action) => !/@(?:v\d+|[0-9a-f]{40})$/.test(action))).toEqual([]);
	});
});

describe('publishing', () => {
	const folder = mkdtempSync(join(tmpdir(), 'publishing-'));
	afterAll(() => rmSync(folder, { recursive: true, force: true }));

	/** What the script does with npm, in place of which stands a note of what it was asked. */
	const publish = (env: Record<string, string>) => {
		const log = join(folder, 'log');
		writeFileSync(log, '');
		writeFileSync(
			join(folder, 'npm'),
			`#!/bin/sh\necho "$* [\${NPM_TOKEN:-none}]" >> '${log}'\n[ "$2" = get ] && echo https://npm.example/\nexit 0\n`,
			{ mode: 0o755 },
		);
		const others = { ...process.env, NPM_TOKEN: '' };
		const { status } = spawnSync('bash', ['.ci/publish'], {
			env: { ...others, ...env, PATH: `${folder}:${process.env.PATH}` },
		});
		expect(status).toBe(0);
		return readFileSync(log, 'utf8').trim().split('\n');
	};

	it('proves by itself who it is when there is no token', () => {
		expect(publish({})).toEqual(['run release [none]']);
		// A secret that is not there is empty text.
		expect(publish({ NPM_TOKEN: '' })).toEqual(['run release [none]']);
	});

	it('takes the token of the first release, and hides it from what it runs', () => {
		expect(publish({ NPM_TOKEN: 'npm_canary' })).toEqual([
			'config get registry [npm_canary]',
			'config set //npm.example/:_authToken npm_canary [npm_canary]',
			'run release [none]',
		]);
	});

	it('is told step by step', () => {
		const told = sourceOf('.github/CONTRIBUTING.md').split('### The first release')[1] ?? '';
		for (const step of ['NPM_TOKEN', 'publish.yml', 'Trusted Publisher', 'Creator Portal']) {
			expect(told).toContain(step);
		}
	});
});

describe('a release', () => {
	it('leaves the changelog to people', () => {
		expect(manifest['auto-changelog']).toEqual({ output: 'node_modules/.commits.md' });
	});

	it('is rehearsed as it will be: with the token of the first one, and without', () => {
		const rehearsal = sourceOf('tools/release-check.mts');
		expect(rehearsal).toContain("['bash', '.ci/publish']");
		expect(rehearsal).toMatch(/^\tpublish\('.+', REHEARSED\);$/m);
		expect(rehearsal).toMatch(/^\tpublish\('.+', ''\);$/m);
	});
});

describe("n8n's own scan", () => {
	it('is run by CI, on the source and on the packed tarball', () => {
		expect(sourceOf('.ci/run')).toMatch(/^npm run scan -- --official$/m);
		const { dependencies } = JSON.parse(sourceOf('tools/scanner/package.json')) as {
			dependencies: Record<string, string>;
		};
		expect(Object.keys(dependencies)).toEqual(['@n8n/scan-community-package']);
	});
});
