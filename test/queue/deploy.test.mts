import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { parse } from 'yaml';

import { install } from '../../host/n8n/install.mts';

const run = promisify(execFile);

/** The names of the variables that the installed n8n reads. */
async function variablesOfN8n(): Promise<Set<string>> {
	const modules = join(dirname((await install()).n8n), '..', '..');
	const places = ['@n8n/config', '@n8n/backend-common', 'n8n-core', 'n8n'].map((name) =>
		join(modules, name, 'dist'),
	);
	const pattern = "Env\\)\\('[A-Z0-9_]+'|process\\.env\\.[A-Z0-9_]+";
	const { stdout } = await run('grep', ['-rhoE', pattern, '--include=*.js', ...places], {
		maxBuffer: 64 * 1024 * 1024,
	});
	return new Set([...stdout.matchAll(/[A-Z0-9_]{4,}/g)].map(([name]) => name));
}

interface Compose {
	services: Record<string, { environment?: Record<string, string> }>;
}
interface Values {
	config: { extraEnv: Array<{ name: string }> };
}

it('every variable that the files of deploy/ give n8n is one that it reads', async () => {
	const known = await variablesOfN8n();
	const read = async (file: string) =>
		parse(await readFile(`deploy/${file}`, 'utf8'), { merge: true }) as Compose;
	const [compose, single] = [await read('docker-compose.yml'), await read('single.compose.yml')];
	const values = parse(await readFile('deploy/kubernetes-values.yaml', 'utf8')) as Values;
	const given = [
		...['main', 'worker', 'webhook'].flatMap((part) =>
			Object.keys(compose.services[part]!.environment!),
		),
		...Object.keys(single.services.n8n!.environment!),
		...values.config.extraEnv.map(({ name }) => name),
	];
	expect(given.length).toBeGreaterThan(40);
	expect(given.filter((name) => !known.has(name))).toEqual([]);
	expect(known.has('N8N_EXPRESSION_ENGINE_LAZY')).toBe(false);
});
