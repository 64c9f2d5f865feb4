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
		expect(runs.at(-1)).toBe('npm run release');
		expect(runs.at(-2)).toBe('bash .ci/run');
		expect(manifest.scripts!.release).toBe('n8n-node release');
		expect(sourceOf('.ci/run')).toMatch(/^npm ci\nnpm test$/m);
		expect(sourceOf('node_modules/@n8n/node-cli/dist/commands/release.js')).toContain(
			"NPM_CONFIG_PROVENANCE: 'true'",
		);
	});

	it('needs no secret, and takes nothing from a cache', () => {
		expect(workflow).not.toMatch(/secrets\.|cache:/);
	});

	it('names the version of every action', () => {
		const actions = [...workflow.matchAll(/uses: (\S+)/g)].map(([, action]) => action!);
		expect(actions.length).toBeGreaterThan(1);
		expect(actions.filter((action) => !/@(?:v\d+|[0-9a-f]{40})$/.test(action))).toEqual([]);
	});
});

describe('a release', () => {
	it('leaves the changelog to people', () => {
		expect(manifest['auto-changelog']).toEqual({ output: 'node_modules/.commits.md' });
	});
});
