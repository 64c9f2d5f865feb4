const { projects } = require('../jest.config.cjs');

const { transform, moduleFileExtensions } = projects.find(
	({ displayName }) => displayName === 'queue',
);

/**
 * The tests of what Stryker changes (`npx stryker run`). Without the generated ones: each mutant must
 * fall to an example that can be read.
 */
module.exports = {
	rootDir: '..',
	testEnvironment: 'node',
	transform,
	moduleFileExtensions,
	roots: ['<rootDir>/test/unit'],
	testMatch: ['**/protocol/*.test.mts', '**/transport/{verdict,outcome,retry}.test.mts'],
	testPathIgnorePatterns: ['/(properties|vectors)\\.test\\.mts$'],
};
