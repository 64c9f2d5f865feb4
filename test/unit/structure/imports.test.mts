import { filesBelow, importsOf, NODE, PUBLISHED, sourceOf, type Import } from './sources.mts';

/** What a folder may import: folders or files of ours, types too; and modules at run time. */
interface Layer {
	ours: string[];
	modules: string[];
}

const LAYERS: Record<string, Layer> = {
	countries: { ours: ['countries', 'protocol/limits'], modules: [] },
	protocol: { ours: ['protocol'], modules: ['node:crypto', 'zod'] },
	payment: { ours: ['payment', 'protocol'], modules: ['node:crypto'] },
	fields: { ours: ['fields', 'countries', 'payment', 'protocol'], modules: ['zod'] },
	sheet: { ours: ['sheet', 'fields', 'countries', 'payment', 'protocol'], modules: [] },
	transport: { ours: ['transport', 'payment', 'protocol'], modules: ['n8n-workflow'] },
	waiting: {
		ours: ['waiting', 'fields', 'transport', 'payment', 'protocol'],
		modules: ['n8n-workflow', 'node:crypto', 'zod'],
	},
	rows: {
		ours: ['rows', 'waiting', 'sheet', 'fields', 'transport', 'payment', 'protocol'],
		modules: ['n8n-workflow', 'node:crypto'],
	},
	actions: {
		ours: [
			...['actions', 'rows/operation', 'rows/runRows', 'rows/runWait', 'waiting', 'fields'],
			...['countries', 'transport', 'payment', 'protocol'],
		],
		modules: ['n8n-workflow'],
	},
	trigger: {
		ours: ['trigger', 'fields', 'transport', 'payment', 'protocol'],
		modules: ['n8n-workflow', 'node:crypto', 'zod'],
	},
};

/** The node classes themselves. */
const CLASSES: Layer = {
	ours: ['actions', 'fields', 'transport', 'trigger', 'waiting', 'protocol/credential'],
	modules: ['n8n-workflow'],
};

const isWithin = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);

const isOurs = ({ to }: Import) =>
	/^(?:\.\.|nodes|credentials|sandbox|host|bench|test|tools)\b/.test(to);

const say = ({ from, to }: Import) => `${from} → ${to}`;

const runTime = (files: string[]) => files.flatMap(importsOf).filter(({ typeOnly }) => !typeOnly);

/** Those of the imports that a layer does not allow. */
const strangers = (imports: Import[], { ours, modules }: Layer): string[] =>
	imports
		.filter((each) =>
			isOurs(each)
				? !ours.some((folder) => isWithin(each.to, `${NODE}/${folder}`))
				: !modules.includes(each.to),
		)
		.map(say);

describe('who may import whom', () => {
	it.each(Object.entries(LAYERS))('%s keeps to its layer', (folder, layer) => {
		const files = filesBelow(`${NODE}/${folder}`);
		expect(files).not.toEqual([]);
		expect(strangers(runTime(files), layer)).toEqual([]);
		// Not even a type comes from above.
		expect(strangers(files.flatMap(importsOf).filter(isOurs), layer)).toEqual([]);
	});

	it('every folder is a layer', () => {
		const folders = filesBelow(NODE).map((file) => file.slice(NODE.length + 1).split('/'));
		const names = folders.filter((path) => path.length > 1).map(([folder]) => folder);
		expect([...new Set(names)].sort()).toEqual(Object.keys(LAYERS).sort());
	});

	it('a node class is a table of contents; the credential knows the protocol and nothing else', () => {
		const files = filesBelow(NODE).filter((file) => /\.node\.ts$/.test(file));
		expect(files).toContain(`${NODE}/UnifiedPayments.node.ts`);
		expect(strangers(runTime(files), CLASSES)).toEqual([]);
		const credential = filesBelow('credentials');
		expect(credential).not.toEqual([]);
		expect(strangers(runTime(credential), { ours: ['protocol'], modules: [] })).toEqual([]);
	});

	it('nothing published imports what is for development, not even a type', () => {
		const wrong = PUBLISHED.flatMap(importsOf).filter(
			(each) => isOurs(each) && !/^(?:nodes|credentials)\//.test(each.to),
		);
		expect(wrong.map(say)).toEqual([]);
	});

	it("the sandbox takes the countries' data from the node and nothing else", () => {
		const foreign = filesBelow('dev/sandbox')
			.flatMap(importsOf)
			.filter((each) => isOurs(each) && !each.to.startsWith('dev/sandbox/'));
		const targets = new Set(foreign.map(({ to }) => to));
		expect([...targets]).toEqual([`${NODE}/countries/data`]);
	});

	it('the simulator judges the nodes without any code of theirs, and nothing of the tests is used elsewhere', () => {
		const simulator = filesBelow('dev/simulator').flatMap(importsOf);
		const others = [
			...['dev/host', 'dev/bench'].flatMap((folder) => filesBelow(folder)),
			'dev/tools/demo.mts',
		];
		const wrong = [
			...simulator.filter(({ to }) => /^(?:nodes|credentials)\//.test(to)),
			...[...simulator, ...others.flatMap(importsOf)].filter(({ to }) => to.startsWith('test/')),
		];
		expect(wrong.map(say)).toEqual([]);
	});

	it('only the exchange and the credential test call the HTTP helpers', () => {
		const helpers =
			/\bhttpRequest\w*|\brequestWithAuthentication\w*|\brequestOAuth\d|helpers\.request\b|\brequest\b[^;\n]*=\s*this\.helpers|\bfetch\(|\bXMLHttpRequest\b/;
		const callers = PUBLISHED.filter((file) => helpers.test(sourceOf(file)));
		expect(callers).toEqual([
			`${NODE}/transport/credentialTest.ts`,
			`${NODE}/transport/exchange.ts`,
		]);
	});

	it('nothing published touches files, the environment, timers or the console', () => {
		const forbidden =
			/\bprocess\.|\bglobalThis\b|\bconsole\.|\bset(?:Timeout|Interval|Immediate)\(|\brequire\(|\b__dirname\b|\bimport\.meta\b|\beval\(|new Function\b/;
		expect(PUBLISHED.filter((file) => forbidden.test(sourceOf(file)))).toEqual([]);
	});

	it('no comment switches a check off', () => {
		const off =
			/eslint-disable|@ts-(?:ignore|expect-error|nocheck)|prettier-ignore|Stryker disable|istanbul ignore|c8 ignore/;
		const development = ['dev', 'test'];
		const all = [...PUBLISHED, ...development.flatMap((folder) => filesBelow(folder))].filter(
			(file) => !file.endsWith('structure/imports.test.mts'),
		);
		expect(all.filter((file) => off.test(sourceOf(file)))).toEqual([]);
	});
});

it('no files import each other in a circle, not even for types', () => {
	const left = new Map(
		PUBLISHED.map((file) => [file.replace(/\.ts$/, ''), importsOf(file).map(({ to }) => to)]),
	);
	// What imports nothing that is left is in no circle.
	for (let before = -1; before !== left.size;) {
		before = left.size;
		for (const [file, others] of left) {
			if (!others.some((other) => left.has(other))) left.delete(file);
		}
	}
	expect([...left.keys()]).toEqual([]);
});
