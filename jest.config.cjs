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

module.exports = {
	// Generous, for machines that have other things to do: no test is about time.
	testTimeout: 60_000,
	projects: [project('unit'), project('integration'), project('e2e'), project('soak')],
	collectCoverageFrom: ['nodes/**/*.ts', 'credentials/**/*.ts'],
	coverageDirectory: 'coverage',
	coverageReporters: ['text', 'json-summary'],
	coverageThreshold: { global: { statements: 95, branches: 95, functions: 95, lines: 95 } },
};
