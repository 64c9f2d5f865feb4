// Rules for development code (.mts): the sandbox, the host, benchmarks and tests.
// The published .ts files are held to n8n's own strict config in eslint.config.mjs.
import js from '@eslint/js';
import tseslint from 'typescript-eslint';

export default tseslint.config(
	{ ignores: ['dist', 'coverage', 'reports', '.stryker-tmp', 'node_modules'] },
	{
		files: ['**/*.mts'],
		extends: [js.configs.recommended, tseslint.configs.recommended],
		linterOptions: { reportUnusedDisableDirectives: 'error', noInlineConfig: true },
		rules: {
			eqeqeq: ['error', 'always'],
			'@typescript-eslint/consistent-type-imports': 'error',
			'@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
		},
	},
	{
		files: ['dev/sandbox/web/**/*.js'],
		extends: [js.configs.recommended],
		linterOptions: { reportUnusedDisableDirectives: 'error', noInlineConfig: true },
		languageOptions: {
			sourceType: 'module',
			globals: Object.fromEntries(
				[
					'document',
					'window',
					'fetch',
					'EventSource',
					'location',
					'navigator',
					'setTimeout',
					'clearTimeout',
					'setInterval',
					'requestAnimationFrame',
					'Intl',
					'URL',
					'URLSearchParams',
					'matchMedia',
					'localStorage',
					'CustomEvent',
					'console',
					'history',
					'AbortController',
					'HTMLElement',
				].map((name) => [name, 'readonly']),
			),
		},
	},
);
