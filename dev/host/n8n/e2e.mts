/**
 * `npm run test:e2e`: the tests on a real n8n, which is installed first. `-- --only smoke` runs one file of
 * them. With `N8N_URL` (and `N8N_API_KEY`) the smoke test runs on that n8n, whatever its release is.
 */
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';

import { install } from './install.mts';

const { values, positionals } = parseArgs({
	options: { only: { type: 'string' } },
	allowPositionals: true,
});

const only = process.env.N8N_URL ? 'smoke' : values.only;
if (!process.env.N8N_URL) await install({ report: console.log });
const patterns = [...(only === undefined ? [] : [`/e2e/.*${only}\\.test`]), ...positionals];
const paths = patterns.length > 0 ? ['--testPathPatterns', ...patterns] : [];
const jest = spawn('jest', ['--selectProjects', 'e2e', '--maxWorkers', '2', ...paths], {
	stdio: 'inherit',
	shell: process.platform === 'win32',
});
jest.once('close', (code) => (process.exitCode = code ?? 1));
