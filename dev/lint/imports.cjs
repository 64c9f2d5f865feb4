// Who may import whom, types included, for dependency-cruiser.

const NODE = 'nodes/UnifiedPayments';

/** What each folder of the node may import beside itself. */
const LAYERS = {
	countries: ['protocol/limits'],
	protocol: [],
	payment: ['protocol'],
	fields: ['countries', 'payment', 'protocol'],
	sheet: ['fields', 'countries', 'payment', 'protocol'],
	transport: ['payment', 'protocol'],
	waiting: ['fields', 'transport', 'payment', 'protocol'],
	rows: ['waiting', 'fields', 'sheet', 'countries', 'transport', 'payment', 'protocol'],
	actions: ['rows', 'waiting', 'fields', 'sheet', 'countries', 'transport', 'payment', 'protocol'],
	trigger: ['fields', 'transport', 'payment', 'protocol'],
};

/** What is published may use these of what n8n provides. */
const MODULES =
	'^(?:n8n-workflow|zod)(?:/|$)|node_modules/(?:n8n-workflow|zod)/|^(?:node:)?crypto$';

const layer = ([folder, others]) => ({
	name: `${folder}-keeps-to-its-layer`,
	severity: 'error',
	from: { path: `^${NODE}/${folder}/` },
	to: {
		path: '^(?:nodes|credentials|dev|test)/',
		pathNot: [folder, ...others].map((each) => `^${NODE}/${each}(?:/|\\.ts$)`),
	},
});

const forbid = (name, from, to) => ({ name, severity: 'error', from, to });

module.exports = {
	forbidden: [
		...Object.entries(LAYERS).map(layer),
		forbid(
			'every-folder-is-a-layer',
			{ path: `^${NODE}/[^/]+/`, pathNot: `^${NODE}/(?:${Object.keys(LAYERS).join('|')})/` },
			{},
		),
		forbid(
			'the-credential-knows-the-protocol-only',
			{ path: '^credentials/' },
			{ path: '^(?:nodes|dev|test)/', pathNot: `^${NODE}/protocol/` },
		),
		forbid(
			'published-code-takes-what-n8n-provides',
			{ path: '^(?:nodes|credentials)/' },
			{ pathNot: ['^(?:nodes|credentials)/', MODULES] },
		),
		// Both sides must not share a fault: the sandbox has its own verifier.
		forbid(
			'the-sandbox-takes-only-the-tables-of-countries',
			{ path: '^dev/sandbox/' },
			{
				path: '^(?:nodes|credentials|test|dev)/',
				pathNot: `^dev/sandbox/|^${NODE}/countries/data`,
			},
		),
		forbid(
			'the-simulator-judges-without-code-of-the-nodes',
			{ path: '^dev/simulator/' },
			{ path: '^(?:nodes|credentials)/', pathNot: `^${NODE}/countries/data` },
		),
		forbid(
			'development-code-does-not-stand-on-tests',
			{ path: '^dev/', pathNot: '^dev/tools/' },
			{ path: '^test/' },
		),
		forbid('no-circles', { path: '^(?:nodes|credentials)/' }, { circular: true }),
	],
	options: {
		doNotFollow: { path: 'node_modules' },
		tsPreCompilationDeps: true,
		tsConfig: { fileName: 'tsconfig.dev.json' },
		exclude: { path: '^dev/(?:bench/package|sandbox/web|host/n8n/releases|tools/scanner)/' },
	},
};
