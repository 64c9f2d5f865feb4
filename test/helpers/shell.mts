import { execFile } from 'node:child_process';
import { delimiter, resolve } from 'node:path';
import { promisify } from 'node:util';

/** curl and openssl in Node, so that the tests need nothing but git and Node. */
const STAND_INS = resolve('test/helpers/bin');

/** Which curl and openssl a script finds: the machine's own where there are, or always ours. */
export type Tools = 'the tools of the machine' | 'the stand-ins';

const pathWith = (tools: Tools): string => {
	const own = process.env.PATH ?? '';
	const parts = tools === 'the stand-ins' ? [STAND_INS, own] : [own, STAND_INS];
	return parts.join(delimiter);
};

/** Runs a script as someone who pastes it into a terminal would. */
export const bash = async (
	script: string,
	{
		env = {},
		tools = 'the tools of the machine',
	}: { env?: Record<string, string>; tools?: Tools } = {},
): Promise<{ stdout: string; stderr: string }> =>
	await promisify(execFile)('bash', ['-c', script], {
		env: { ...process.env, ...env, PATH: pathWith(tools) },
	});
