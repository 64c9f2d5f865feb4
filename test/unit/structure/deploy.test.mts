import { readFileSync } from 'node:fs';

import { parse } from 'yaml';

import { chosenVersion } from '../../../host/n8n/release.mts';
import { EXPRESSIONS_ON_DEMAND } from '../../../host/n8n/server.mts';

type Settings = Record<string, string>;

interface Compose {
	services: Record<string, { image: string; environment?: Settings; depends_on?: object }>;
	volumes: object;
}

const text = (file: string) => readFileSync(`deploy/${file}`, 'utf8');
const compose = parse(text('docker-compose.yml'), { merge: true }) as Compose;
const values = parse(text('kubernetes-values.yaml')) as {
	image: { tag: string };
	config: { extraEnv: Array<{ name: string; value: string }> };
};
const inPods: Settings = Object.fromEntries(
	values.config.extraEnv.map(({ name, value }) => [name, value]),
);
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

const PARTS = ['main', 'worker', 'webhook'];

describe('docker-compose.yml', () => {
	it('starts the three kinds of processes of n8n with the same settings', () => {
		const settings = PARTS.map((part) => compose.services[part]?.environment);
		const { N8N_DISABLE_PRODUCTION_MAIN_PROCESS: own, ...main } = settings[0]!;
		expect(own).toBe('true');
		expect([main, settings[2]]).toEqual([settings[1], settings[1]]);
		expect(main).toMatchObject({ EXECUTIONS_MODE: 'queue', DB_TYPE: 'postgresdb' });
	});

	it('waits for services that are there, and uses volumes that are there', () => {
		const names = Object.keys(compose.services);
		for (const part of PARTS) {
			expect(names).toEqual(
				expect.arrayContaining(Object.keys(compose.services[part]!.depends_on!)),
			);
		}
		const used = [...text('docker-compose.yml').matchAll(/^\s+- (\w+):\//gm)].map(
			([, name]) => name!,
		);
		expect(Object.keys(compose.volumes)).toEqual(expect.arrayContaining(used));
	});

	it('asks for no more than .env.example names', () => {
		const asked = [...text('docker-compose.yml').matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name!);
		const named = [...text('.env.example').matchAll(/^(\w+)=/gm)].map(([, name]) => name!);
		expect([...new Set(asked)].sort()).toEqual(named.sort());
	});
});

it.each([
	['docker-compose.yml', compose.services.worker!.environment!],
	['kubernetes-values.yaml', inPods],
])('%s has the settings with which callbacks are fast', (_, settings) => {
	expect(settings).toMatchObject(EXPRESSIONS_ON_DEMAND);
});

it('both name the release that the tests run on, and this version of the package', () => {
	expect(text('.env.example')).toContain(`N8N_VERSION=${chosenVersion()}\n`);
	expect(values.image.tag).toBe(chosenVersion());
	expect(text('kubernetes-values.yaml')).toContain(`n8nio/n8n:${chosenVersion()}`);
	expect(text('.env.example')).toContain(`UNIFIED_PAYMENTS_VERSION=${version}\n`);
	expect(text('kubernetes-values.yaml')).toContain(`n8n-nodes-unified-payments@${version}`);
});
