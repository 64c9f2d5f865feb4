import { PARTS } from './tools/mutation/parts.mts';

const name = process.env.MUTATION_PART ?? 'protocol';
const part = PARTS[name];
if (part === undefined)
	throw new Error(`No part ${name}. There are: ${Object.keys(PARTS).join(', ')}`);

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
	testRunner: 'mocha',
	mochaOptions: {
		require: ['./tools/mutation/jestInterface.cjs'],
		spec: part.tests,
		ignore: part.without,
	},
	testRunnerNodeArgs: ['--import', 'tsx'],
	mutate: part.mutate,
	ignoreStatic: part.ignoreStatic,
	coverageAnalysis: 'perTest',
	concurrency: 2,
	timeoutMS: 20_000,
	// What is unchanged since the last run is not tried again.
	incremental: true,
	incrementalFile: `reports/mutation/${name}.incremental.json`,
	tempDirName: '.stryker-tmp',
	// Also after a run below 100 %: the copies would be found by the linter.
	cleanTempDir: 'always',
	ignorePatterns: ['dist', 'coverage', 'reports', 'docs', 'bench', 'test/e2e', 'test/soak'],
	reporters: ['progress-append-only', 'clear-text', 'html', 'json'],
	htmlReporter: { fileName: `reports/mutation/${name}.html` },
	jsonReporter: { fileName: `reports/mutation/${name}.json` },
	clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
	thresholds: { high: 100, low: part.least, break: part.least },
};
