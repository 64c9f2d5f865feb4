const { projects } = require('../jest.config.cjs');

/**
 * The unit tests for mutation testing: only those of the mutated modules, without the properties
 * (they find what examples missed, but every mutant must fall to an example) and without openssl.
 */
module.exports = {
	...projects.find(({ displayName }) => displayName === 'unit'),
	rootDir: '..',
	testMatch: [
		'**/test/unit/protocol/*.test.mts',
		'**/test/unit/transport/{verdict,outcome}.test.mts',
	],
	testPathIgnorePatterns: ['properties\\.test\\.mts$', 'vectors\\.test\\.mts$'],
};
