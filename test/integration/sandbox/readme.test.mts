import { readFileSync } from 'node:fs';
import { FAULT_KINDS, MAGIC_VALUES } from '../../../dev/sandbox/index.mts';
import { bash } from '../../helpers/shell.mts';
import { start } from './client.mts';

const readme = readFileSync('dev/sandbox/README.md', 'utf8');

it('the script of the README walks all endpoints', async () => {
	const sandbox = await start({ settleDelayMs: Infinity });
	const script = /```bash\n([^]*?)```/.exec(readme)?.[1] ?? '';
	const { stdout, stderr } = await bash(script, { SANDBOX_URL: sandbox.url });
	expect(stderr).toBe('');
	const replies = stdout
		.split('\n')
		.filter((line) => line.startsWith('{'))
		.map((line) => JSON.parse(line) as { success: unknown; data: unknown; signature: unknown });
	expect(replies).toMatchObject([
		{ success: true, data: { token: expect.stringMatching(/^\d+\|/) } },
		{ success: true, data: {} },
		{ success: true, data: [{ item_name: 'Beans, 1 kg', amount: '2500.50' }] },
		{ success: true, data: {} },
		{ success: true, data: { status: 'success', amount: '990200.00' } },
		{ success: true, data: { status: 'success', amount: 990200 } },
		{ success: 'true', data: [{ currency: 'KES', balance: 985_347 }] },
		{ success: true, signature: expect.stringMatching(/^[0-9a-f]{64}$/) },
	]);
	const walked = new Set(sandbox.state.requests.map(({ path }) => path));
	expect(walked.size).toBe(8);
	expect(sandbox.state.requests.every(({ status }) => status === 200)).toBe(true);
});

it('the README lists every magic value and fault', () => {
	for (const { code, failure } of MAGIC_VALUES) {
		const row = readme.split('\n').find((line) => line.startsWith(`| \`${code}\``));
		expect(row).toBeDefined();
		if (failure !== null) expect(row).toContain(failure.failureCode);
	}
	for (const kind of FAULT_KINDS) expect(readme).toContain(`| \`${kind}\` |`);
});
