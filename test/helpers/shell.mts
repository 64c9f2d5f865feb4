import { execFile } from 'node:child_process';
import { delimiter, resolve } from 'node:path';
import { promisify } from 'node:util';

/** curl and openssl in Node, for machines without: the tests need nothing but git and Node. */
const STAND_INS = resolve('test/helpers/bin');

/** Runs a script as someone who pastes it into a terminal would. */
export const bash = async (
	script: string,
	env: Record<string, string> = {},
): Promise<{ stdout: string; stderr: string }> =>
	await promisify(execFile)('bash', ['-c', script], {
		env: { ...process.env, ...env, PATH: [process.env.PATH, STAND_INS].join(delimiter) },
	});
