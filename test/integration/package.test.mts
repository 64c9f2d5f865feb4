import { execFileSync } from 'node:child_process';
import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

interface Packed {
	files: Array<{ path: string; size: number }>;
	unpackedSize: number;
}

const pack = (): Packed => {
	if (!existsSync('dist')) throw new Error('There is no dist: run `npm run build` first');
	const output = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'ignore'],
	});
	return (JSON.parse(output) as [Packed])[0];
};

const LOAD = `
	const { UnifiedPayments } = require('./dist/nodes/UnifiedPayments/UnifiedPayments.node.js');
	const { UnifiedPaymentsTrigger } = require('./dist/nodes/UnifiedPayments/UnifiedPaymentsTrigger.node.js');
	const { UnifiedPaymentsApi } = require('./dist/credentials/UnifiedPaymentsApi.credentials.js');
	const nodes = [new UnifiedPayments(), new UnifiedPaymentsTrigger()];
	console.log(...nodes.map(({ description }) => description.name), new UnifiedPaymentsApi().name);`;

describe('the package as it is published', () => {
	const { files, unpackedSize } = pack();
	const paths = files.map(({ path }) => path);

	it('holds only what a user needs, icons, codex and schemas among it, in less than 600 kB', () => {
		const expected = [
			/^(?:LICENSE|README\.md|package\.json)$/,
			/^dist\/(?:nodes|credentials)\/.+\.js$/,
			/^dist\/icons\/unifiedPayments(?:\.dark)?\.svg$/,
			/^dist\/nodes\/UnifiedPayments\/UnifiedPayments(?:Trigger)?\.node\.json$/,
			/^dist\/nodes\/UnifiedPayments\/__schema__\/v2\.0\.0(?:\/\w+\/\w+)?\.json$/,
		];
		expect(paths.filter((path) => !expected.some((pattern) => pattern.test(path)))).toEqual([]);
		const found = expected.map((pattern) => paths.filter((path) => pattern.test(path)).length);
		expect(found).toEqual([3, expect.any(Number), 2, 2, expect.any(Number)]);
		expect(Math.min(...found)).toBeGreaterThan(0);
		expect(unpackedSize).toBeLessThan(600_000);
	});

	it.each(['zod', 'zod-4'])(
		'loads where the host provides n8n-workflow, %s and nothing else',
		(zod) => {
			const folder = mkdtempSync(join(tmpdir(), 'loads-'));
			try {
				cpSync('dist', join(folder, 'dist'), { recursive: true });
				mkdirSync(join(folder, 'node_modules'));
				const provide = (name: string, as: string) =>
					symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', as));
				provide('n8n-workflow', 'n8n-workflow');
				provide(zod, 'zod');
				const output = execFileSync(process.execPath, ['-e', LOAD], {
					cwd: folder,
					encoding: 'utf8',
				});
				expect(output.trim()).toBe('unifiedPayments unifiedPaymentsTrigger unifiedPaymentsApi');
			} finally {
				rmSync(folder, { recursive: true, force: true });
			}
		},
	);

	it('links to nothing of its own but what is below its homepage', () => {
		const { homepage } = JSON.parse(readFileSync('package.json', 'utf8')) as { homepage: string };
		const addresses = paths
			.filter((path) => path.startsWith('dist/') && !path.endsWith('.svg'))
			.flatMap((path) => readFileSync(path, 'utf8').match(/https?:\/\/[^\s"'`<>]+/g) ?? [])
			.filter((address) => address.includes('n8n-nodes-unified-payments'));
		expect(addresses).not.toEqual([]);
		expect(addresses.filter((address) => !address.startsWith(homepage))).toEqual([]);
	});

	it('requires nothing that the host does not provide', () => {
		const required = /require\(['"]([^.'"][^'"]*)['"]\)/g;
		const modules = paths
			.filter((path) => path.endsWith('.js'))
			.flatMap((path) => [...readFileSync(path, 'utf8').matchAll(required)])
			.map(([, name]) => name);
		expect([...new Set(modules)].sort()).toEqual(['n8n-workflow', 'node:crypto', 'zod']);
	});
});
