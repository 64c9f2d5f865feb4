import { blocksIn, documents, read } from './markdown.mts';

const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

/** What npm can do without a script of ours. */
const BUILT_IN = ['ci', 'install', 'pack', 'publish', 'exec', 'version', 'audit'];

const TEXTS = [...documents(), '.github/workflows/ci.yml', '.github/workflows/publish.yml'];

/** The scripts that a text tells people to run. */
const scriptsIn = (text: string): string[] => [
	...[...text.matchAll(/\bnpm run ([\w:-]*\w)/g)].map(([, name]) => name!),
	...[...text.matchAll(/(?:^|[`&;]\s*|- run: )npm (?!run\b)([a-z]+)/gm)]
		.map(([, name]) => name!)
		.filter((name) => !BUILT_IN.includes(name)),
];

describe('commands', () => {
	it.each(TEXTS)('of %s exist', (file) => {
		const missing = scriptsIn(read(file)).filter((name) => !Object.hasOwn(scripts, name));
		expect(missing).toEqual([]);
	});

	it('every script is explained to those who develop', () => {
		const told = new Set(
			['README.md', '.github/CONTRIBUTING.md'].flatMap((file) => scriptsIn(read(file))),
		);
		const silent = Object.keys(scripts).filter((name) => !told.has(name));
		// npm starts it by itself.
		expect(silent).toEqual(['prepublishOnly']);
	});
});

const blocks = documents().flatMap((file) =>
	blocksIn(read(file), 'json').map((code, index) => [`${file} ${index + 1}`, code] as const),
);

it.each(blocks)('JSON block of %s can be read', (_, code) => {
	expect(() => JSON.parse(code) as unknown).not.toThrow();
});
