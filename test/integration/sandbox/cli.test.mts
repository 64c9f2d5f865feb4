import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { call } from '../../../dev/host/shared/http.mts';
import { until } from './client.mts';

it('npm run sandbox prints the address and the ready-made credentials, and stops when asked', async () => {
	const child = spawn(
		process.execPath,
		['--import', 'tsx', 'dev/sandbox/main.mts', '--mode', 'rich'],
		{
			stdio: ['ignore', 'pipe', 'inherit'],
		},
	);
	let output = '';
	child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
	try {
		const url = await until(() => /API base URL +(\S+)[^]*More/.exec(output)?.[1]);
		for (const text of ['demo-client', 'Demo Shop', 'demo-secret-key', `${url}/\n`])
			expect(output).toContain(text);
		const state = JSON.parse((await call(`${url}/sandbox/state`)).text) as object;
		expect(state).toMatchObject({ switches: { mode: 'rich' } });
	} finally {
		const exit = once(child, 'exit');
		child.kill('SIGTERM');
		expect(await exit).toEqual([0, null]);
	}
}, 60_000);
