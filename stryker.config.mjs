import { PARTS, slicesOf, WITHOUT } from './dev/tools/mutation/parts.mts';

// Set by dev/tools/mutation/main.mts.
const name = process.env.MUTATION_PART ?? 'protocol';
const slice = process.env.MUTATION_SLICE ?? '1';
const part = PARTS[name];
const report = `reports/mutation/${name}-${slice}`;

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
	testRunner: 'mocha',
	mochaOptions: {
		require: ['./dev/tools/mutation/jestInterface.cjs'],
		spec: part.tests,
		ignore: WITHOUT,
	},
	testRunnerNodeArgs: ['--import', 'tsx'],
	mutate: process.env.MUTATION_FILES?.split(',') ?? slicesOf(name)[Number(slice) - 1],
	ignoreStatic: part.ignoreStatic,
	coverageAnalysis: 'perTest',
	concurrency: part.atOnce,
	timeoutMS: Number(process.env.MUTATION_TIMEOUT_MS ?? 20_000),
	// Others may use the machine as well.
	timeoutFactor: 4,
	// What is unchanged since the last run is not tried again; of what a module makes while it is loaded
	// Stryker does not know which tests are about it, so it would not notice new ones.
	incremental: part.ignoreStatic,
	incrementalFile: `${report}.incremental.json`,
	tempDirName: '.stryker-tmp',
	// Also after a run below 100 %: the copies would be found by the linter.
	cleanTempDir: 'always',
	ignorePatterns: [
		'dist',
		'coverage',
		'reports',
		'docs/images',
		'dev/bench',
		'test/e2e',
		'test/soak',
	],
	reporters: ['progress-append-only', 'clear-text', 'html', 'json'],
	htmlReporter: { fileName: `${report}.html` },
	jsonReporter: { fileName: `${report}.json` },
	clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
	thresholds: { high: 100, low: part.least, break: null },
};
