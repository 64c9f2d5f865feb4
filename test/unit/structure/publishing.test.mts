import { sourceOf } from './sources.mts';

const workflow = sourceOf('.github/workflows/publish.yml');

/** The jobs by name, each as its text. */
const jobs = Object.fromEntries(
	workflow
		.replace(/^ *#.*\n/gm, '')
		.split(/^jobs:\n/m)[1]!
		.split(/^(?= {2}\w+:\n)/m)
		.map((text) => [/\w+/.exec(text)![0], text]),
);

const grantedIn = (text: string) =>
	[...text.matchAll(/^\s+([a-z-]+: (?:read|write))$/gm)].map(([, grant]) => grant);
const actionsIn = (text: string) => [...text.matchAll(/uses: (\S+)@/g)].map(([, action]) => action);

describe('the workflow that publishes', () => {
	it('has a job that builds and may only read, and one that publishes and may only prove who it is', () => {
		expect(workflow).toMatch(/^permissions: \{\}$/m);
		expect(Object.keys(jobs)).toEqual(['build', 'publish']);
		expect(grantedIn(jobs.build!)).toEqual(['contents: read']);
		expect(grantedIn(jobs.publish!)).toEqual(['id-token: write']);
	});

	it('packs what all tests passed', () => {
		const runs = [...jobs.build!.matchAll(/^\s+(?:- )?run: (.+)$/gm)].map(([, command]) => command);
		expect(runs.slice(-2)).toEqual(['bash .ci/run', 'npm pack --ignore-scripts']);
		expect(sourceOf('.ci/run')).toMatch(/^npm ci\nnpm test -- --all --coverage\n/m);
		expect(jobs.build).toMatch(/persist-credentials: false/);
	});

	it('publishes the packed file in a job that gets and runs nothing else', () => {
		expect(jobs.publish).toMatch(/^ {4}needs: build$/m);
		expect(actionsIn(jobs.publish!)).toEqual(['actions/setup-node', 'actions/download-artifact']);
		expect(jobs.publish!.match(/\brun:/g)).toHaveLength(1);
		expect(jobs.publish).not.toMatch(/npm (?:ci|install|run|exec|test)|npx|\.ci\//);
	});

	it('gives its only secret to its last step alone, and takes nothing from a cache', () => {
		const [before, last] = workflow.split('npm publish ');
		expect(before).not.toMatch(/secrets\./);
		expect(last!.match(/secrets\.\w+/g)).toEqual(['secrets.NPM_TOKEN']);
		expect(workflow).not.toMatch(/ cache:/);
		expect(workflow.match(/package-manager-cache: false/g)).toHaveLength(2);
	});
});

it.each(['publish.yml', 'ci.yml'])('%s names every action by its commit and release', (file) => {
	const uses = [...sourceOf(`.github/workflows/${file}`).matchAll(/uses: (.+)$/gm)];
	expect(uses.length).toBeGreaterThan(1);
	const named = /^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;
	expect(uses.map(([, action]) => action!).filter((action) => !named.test(action))).toEqual([]);
});
