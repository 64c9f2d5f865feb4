import { readFileSync } from 'node:fs';

import { parse } from 'yaml';

import { chosenVersion } from '../../../dev/host/n8n/release.mts';
import { EXPRESSIONS_ON_DEMAND } from '../../../dev/host/n8n/server.mts';

type Settings = Record<string, string>;

interface Compose {
	services: Record<string, { environment?: Settings }>;
}

const text = (file: string) => readFileSync(`deploy/${file}`, 'utf8');
const compose = parse(text('docker-compose.yml'), { merge: true }) as Compose;
const single = parse(text('single.compose.yml')) as Compose;
const values = parse(text('kubernetes-values.yaml')) as {
	image: { tag: string };
	config: { extraEnv: Array<{ name: string; value: string }> };
};
const inPods: Settings = Object.fromEntries(
	values.config.extraEnv.map(({ name, value }) => [name, value]),
);
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

describe('docker-compose.yml', () => {
	it('starts the three kinds of processes of n8n with the same settings', () => {
		const parts = ['main', 'worker', 'webhook'];
		const settings = parts.map((part) => compose.services[part]?.environment);
		const { N8N_DISABLE_PRODUCTION_MAIN_PROCESS: own, ...main } = settings[0]!;
		expect(own).toBe('true');
		expect([main, settings[2]]).toEqual([settings[1], settings[1]]);
		expect(main).toMatchObject({ EXECUTIONS_MODE: 'queue', DB_TYPE: 'postgresdb' });
	});

	it('asks for no more than .env.example names; the other one for a part of it', () => {
		const asked = (file: string) => [
			...new Set([...text(file).matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name!)),
		];
		const named = [...text('.env.example').matchAll(/^(\w+)=/gm)].map(([, name]) => name!);
		expect(asked('docker-compose.yml').sort()).toEqual(named.sort());
		expect(named).toEqual(expect.arrayContaining(asked('single.compose.yml')));
	});
});

it('single.compose.yml has n8n install this package, in the version of .env', () => {
	const { N8N_COMMUNITY_PACKAGES: packages, ...settings } = single.services.n8n!.environment!;
	expect(settings).toMatchObject({ N8N_COMMUNITY_PACKAGES_MANAGED_BY_ENV: 'true' });
	expect(JSON.parse(packages!)).toEqual([
		{ name: 'n8n-nodes-unified-payments', version: '${UNIFIED_PAYMENTS_VERSION}' },
	]);
});

it.each([
	['docker-compose.yml', compose.services.worker!.environment!],
	['single.compose.yml', single.services.n8n!.environment!],
	['kubernetes-values.yaml', inPods],
])('%s makes callbacks fast, and has n8n 3 load the package, verified or not', (_, settings) => {
	expect(settings).toMatchObject(EXPRESSIONS_ON_DEMAND);
	expect(settings).toMatchObject({ N8N_UNVERIFIED_PACKAGES_ENABLED: 'true' });
});

it('both name the release that the tests run on, and this version of the package', () => {
	expect(text('.env.example')).toContain(`N8N_VERSION=${chosenVersion()}\n`);
	expect(values.image.tag).toBe(chosenVersion());
	expect(text('kubernetes-values.yaml')).toContain(`n8nio/n8n:${chosenVersion()}`);
	expect(text('.env.example')).toContain(`UNIFIED_PAYMENTS_VERSION=${version}\n`);
	expect(text('kubernetes-values.yaml')).toContain(`n8n-nodes-unified-payments@${version}`);
});
