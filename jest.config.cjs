const { availableParallelism } = require('node:os');

const transform = {
	'^.+\\.m?ts$': [
		'@swc/jest',
		{
			jsc: {
				parser: { syntax: 'typescript', decorators: true },
				target: 'es2022',
			},
			module: { type: 'commonjs', importInterop: 'swc' },
			sourceMaps: 'inline',
		},
	],
};

/** What n8n and the development tools bring along, and what takes long to load. */
const PACKAGES = [
	...['@n8n', 'n8n-core', 'n8n-workflow', 'zod', 'zod-4', 'luxon', 'axios'],
	...['fastify', '@fastify', 'fast-check', 'libphonenumber-js', 'typescript'],
];

/** Files of one worker share these packages: n8n's engine is loaded once and not by every file. */
const sharing = {
	setupFiles: ['<rootDir>/test/helpers/jest/properties.mts'],
	testEnvironment: '<rootDir>/test/helpers/jest/environment.cjs',
	transform: {
		[`/node_modules/(${PACKAGES.join('|')})/.+\\.c?js$`]: '<rootDir>/test/helpers/jest/shared.cjs',
		...transform,
	},
	transformIgnorePatterns: [`/node_modules/(?!(${PACKAGES.join('|')})/)`],
};

/** @param {string} name @param {object} [extra] */
const project = (name, extra = {}) => ({
	displayName: name,
	testEnvironment: 'node',
	roots: [`<rootDir>/test/${name}`],
	testMatch: ['**/*.test.mts'],
	moduleFileExtensions: ['ts', 'mts', 'js', 'cjs', 'mjs', 'json'],
	transform,
	...extra,
});

/**
 * The tests of what reads options, replies, callbacks and credentials once more: the built package, on
 * the newest zod. The other tests are on the sources and on the oldest zod.
 */
const published = project('published', {
	...sharing,
	roots: ['<rootDir>/test/unit', '<rootDir>/test/integration'],
	testMatch: [
		'**/unit/{actions,fields,protocol,trigger,waiting}/*.test.mts',
		'**/node/{check,columns,credential,editor,errors,operations,rows,waitUntilFinal}.test.mts',
		'**/trigger/{confirm,credential,modes,order,service}.test.mts',
	],
	resolver: '<rootDir>/test/helpers/jest/published.cjs',
});

/** What must hold in queue mode as on one process: the same tests. */
const IN_BOTH_MODES = [
	...['examples', 'examplesSheet', 'examplesWaiting'],
	...['n8n3', 'nothingSaved', 'operations', 'trigger', 'waiting'],
];

/** In queue mode: tests of their own, and those of the end-to-end tests that say what must hold there as well. */
const queue = project('queue', {
	roots: ['<rootDir>/test/queue', '<rootDir>/test/e2e/host'],
	testMatch: ['**/test/queue/*.test.mts', `**/test/e2e/host/{${IN_BOTH_MODES.join(',')}}.test.mts`],
	setupFiles: ['<rootDir>/test/queue/inQueueMode.mts'],
});

module.exports = {
	// Generous, for machines that have other things to do: no test is about time.
	testTimeout: 60_000,
	// Much of it waits, so three even on two cores, where Jest would take one.
	maxWorkers: Math.max(3, availableParallelism() - 1),
	projects: [
		project('unit', sharing),
		project('integration', sharing),
		published,
		project('e2e'),
		queue,
		project('soak'),
	],
	collectCoverageFrom: ['nodes/**/*.ts', 'credentials/**/*.ts'],
	coverageDirectory: 'coverage',
	coverageReporters: ['text', 'json-summary'],
	coverageThreshold: { global: { statements: 95, branches: 95, functions: 95, lines: 95 } },
};
