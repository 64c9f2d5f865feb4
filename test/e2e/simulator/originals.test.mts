// What the simulator plays in place of parts of n8n, against those parts: in processes of their own, on n8n's Node.
import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { install } from '../../../dev/host/n8n/install.mts';

async function compare(script: string, ...options: string[]): Promise<string> {
	const { node, n8n } = await install();
	const { stdout } = await promisify(execFile)(
		node,
		[
			...['--import', 'tsx', join(process.cwd(), 'test/e2e/simulator', script)],
			...[join(dirname(n8n), '../package.json'), ...options],
		],
		// Older releases do not find all that they need from where they need it.
		{ maxBuffer: 1e8, env: { ...process.env, NODE_PATH: join(dirname(n8n), '../node_modules') } },
	);
	return stdout;
}

it('the store of processed values answers as that of n8n, also when calls meet', async () => {
	expect(await compare('store.mts', '500')).toBe('500 sequences were played\n');
}, 240_000);

it('the nodes around ours give the same items as those of n8n, paired with the same rows', async () => {
	expect(await compare('nodes.mts')).toBe('13 graphs were played\n');
}, 240_000);
