import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseCommandLine } from '../../../sandbox/cli.mts';
import { until } from './client.mts';

describe('the command line', () => {
	it('knows its options', () => {
		const command = parseCommandLine(
			'--port 4010 --host 0.0.0.0 --mode rich --list-entries otherNames --records noCallbackUrl --callback-urls cut255 --status-by ownReference --strict --error-status http --full-messages --list-authentication none --signature 7 --tolerance 10 --settle-delay 5 --log-limit 9 --state-file kept/state.jsonl --public-url http://example.test'.split(
				' ',
			),
		);
		expect(command).toEqual({
			kind: 'start',
			options: {
				port: 4010,
				host: '0.0.0.0',
				publicUrl: 'http://example.test',
				mode: 'rich',
				listEntries: 'otherNames',
				records: 'noCallbackUrl',
				callbackUrls: 'cut255',
				statusBy: 'ownReference',
				strict: true,
				errorStatus: 'http',
				fullMessages: true,
				listAuthentication: 'none',
				signature: 7,
				timestampToleranceSeconds: 10,
				settleDelayMs: 5,
				logLimit: 9,
				stateFile: 'kept/state.jsonl',
				faultPlan: null,
			},
		});
	});

	it('takes parts of a recipe for signatures', () => {
		expect(parseCommandLine(['--signature', '{"encoding":"base64"}'])).toMatchObject({
			options: { signature: { encoding: 'base64' } },
		});
	});

	it('makes a seeded plan of faults', () => {
		expect(parseCommandLine(['--fault-probability', '0.3', '--fault-seed', '7'])).toMatchObject({
			options: { faultPlan: { seed: 7, probability: 0.3, faults: expect.any(Array) } },
		});
	});

	it('explains itself', () => {
		expect(parseCommandLine(['--help'])).toEqual({ kind: 'help' });
		expect(parseCommandLine(['-h'])).toEqual({ kind: 'help' });
	});

	it.each([
		['--port', 'x'],
		['--port', '70000'],
		['--mode', 'poor'],
		['--list-entries', 'none'],
		['--records', 'whole'],
		['--callback-urls', '255'],
		['--status-by', 'id'],
		['--signature', 'md5'],
		['--signature', '{"algorithm":"md5"}'],
		['--colour'],
		['file'],
		['--port', ''],
	])('refuses %s %s', (...args) => {
		expect(parseCommandLine(args.filter(Boolean))).toMatchObject({ kind: 'error' });
	});
});

it('npm run sandbox prints the address and the ready-made credentials, and stops when asked', async () => {
	const child = spawn(process.execPath, ['--import', 'tsx', 'sandbox/main.mts', '--mode', 'rich'], {
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let output = '';
	child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
	child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
	try {
		const url = await until(() => /API base URL +(\S+)[^]*More/.exec(output)?.[1]);
		for (const text of ['demo-client', 'Demo Shop', 'demo-secret-key', `${url}/\n`])
			expect(output).toContain(text);
		const state = (await (await fetch(`${url}/sandbox/state`)).json()) as {
			switches: object;
		};
		expect(state.switches).toMatchObject({ mode: 'rich' });
	} finally {
		const exit = once(child, 'exit');
		child.kill('SIGTERM');
		expect(await exit).toEqual([0, null]);
	}
}, 60_000);
