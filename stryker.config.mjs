/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
	testRunner: 'jest',
	jest: {
		projectType: 'custom',
		configFile: 'test/stryker.jest.config.cjs',
		enableFindRelatedTests: true,
	},
	mutate: [
		'nodes/UnifiedPayments/protocol/**/*.ts',
		'nodes/UnifiedPayments/transport/{verdict,outcome}.ts',
	],
	coverageAnalysis: 'perTest',
	concurrency: 2,
	timeoutMS: 20_000,
	incremental: false,
	tempDirName: '.stryker-tmp',
	// Also after a run below 100 %: the copies would be found by the linter.
	cleanTempDir: 'always',
	ignorePatterns: ['dist', 'coverage', 'reports', 'docs', 'bench', 'host', 'test/e2e'],
	reporters: ['progress-append-only', 'clear-text', 'html'],
	htmlReporter: { fileName: 'reports/mutation.html' },
	clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
	thresholds: { high: 100, low: 100, break: 100 },
};
