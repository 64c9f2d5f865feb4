import { filesBelow, sourceOf } from './sources.mts';

interface Manifest {
	[key: string]: unknown;
	dependencies?: Record<string, string>;
	n8n: { strict: boolean; nodes: string[]; credentials: string[] };
}

const manifest = JSON.parse(sourceOf('package.json')) as Manifest;

describe('package.json', () => {
	it('is named and licensed as n8n wants it', () => {
		expect(manifest).toMatchObject({
			name: 'n8n-nodes-unified-payments',
			license: 'MIT',
			keywords: expect.arrayContaining(['n8n-community-node-package']) as unknown,
		});
	});

	it('brings nothing along at run time', () => {
		expect(manifest.dependencies ?? {}).toEqual({});
		expect(manifest.optionalDependencies ?? {}).toEqual({});
		expect(manifest.bundledDependencies ?? manifest.bundleDependencies ?? []).toEqual([]);
		expect(manifest.peerDependencies).toEqual({ 'n8n-workflow': '*' });
	});

	it('publishes the build only, under the strict rules', () => {
		expect(manifest.files).toEqual(['dist']);
		expect(manifest.n8n.strict).toBe(true);
	});

	it('lists every node and credential there is', () => {
		const built = (folder: string, kind: RegExp) =>
			filesBelow(folder, kind).map((file) => `dist/${file.replace(/\.ts$/, '.js')}`);
		expect([...manifest.n8n.nodes].sort()).toEqual(built('nodes', /\.node\.ts$/));
		expect([...manifest.n8n.credentials].sort()).toEqual(
			built('credentials', /\.credentials\.ts$/),
		);
	});

	it('runs no scripts of others at install', () => {
		expect(sourceOf('.npmrc')).toMatch(/^ignore-scripts=true$/m);
		for (const script of ['preinstall', 'install', 'postinstall', 'prepare']) {
			expect(manifest.scripts).not.toHaveProperty(script);
		}
	});
});

it.each(filesBelow('nodes', /\.node\.ts$/))(
	'beside %s stands a codex file that names it',
	(file) => {
		const codex = JSON.parse(sourceOf(file.replace(/\.ts$/, '.json'))) as {
			node: string;
			categories: string[];
		};
		const type = /(\w+)\.node\.ts$/.exec(file)![1]!;
		expect(codex.node).toBe(`n8n-nodes-unified-payments.${type[0]!.toLowerCase()}${type.slice(1)}`);
		// Of n8n's list.
		expect(codex.categories).toEqual(['Finance & Accounting', 'Sales']);
	},
);
