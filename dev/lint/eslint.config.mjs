// Rules for development code (.mts, and the sandbox's pages), and those of regular expressions for all code.
// The published .ts files are held to n8n's own strict config in eslint.config.mjs.
import js from '@eslint/js';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

/** A pattern that meets text from outside must never take longer than that text is long. */
const linear = {
	plugins: { regexp },
	rules: {
		'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
		'regexp/no-super-linear-move': ['error', { report: 'potential' }],
	},
};

const linterOptions = { reportUnusedDisableDirectives: 'error', noInlineConfig: true };

export default tseslint.config(
	{ ignores: ['dist', 'coverage', 'reports', '.stryker-tmp', 'node_modules'] },
	{
		...linear,
		files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
		linterOptions,
		languageOptions: { parser: tseslint.parser },
	},
	{
		files: ['**/*.mts'],
		extends: [js.configs.recommended, tseslint.configs.recommended],
		linterOptions,
		rules: {
			eqeqeq: ['error', 'always'],
			'@typescript-eslint/consistent-type-imports': 'error',
			'@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
		},
	},
	{
		files: ['dev/sandbox/web/*.js'],
		extends: [js.configs.recommended],
		linterOptions,
		languageOptions: {
			sourceType: 'module',
			globals: Object.fromEntries(
				['document', 'window', 'fetch', 'location', 'navigator', 'setTimeout', 'setInterval']
					.concat(['clearInterval', 'clearTimeout', 'Intl', 'URL', 'history', 'console'])
					.map((name) => [name, 'readonly']),
			),
		},
	},
);
