import { inspect, types } from 'node:util';

import fc from 'fast-check';
import type {
	IDataObject,
	IExecuteFunctions,
	INodeParameters,
	INodeProperties,
} from 'n8n-workflow';

import { createRowReader } from '../../../nodes/UnifiedPayments/rows/read/readRows.ts';
import { runNode } from '../../../dev/host/engine/index.mts';
import { runs } from '../../helpers/runs.mts';
import { toyNode } from '../engine/toys/node.mts';

const text = (name: string): INodeProperties => ({
	displayName: name,
	name,
	type: 'string',
	default: '',
});
const group = (name: string): INodeProperties => ({
	...text(name),
	type: 'collection',
	default: {},
	options: ['e', 'f', 'own'].map(text),
});
const PROPERTIES = [
	...['a', 'b', 'c', 'own'].map(text),
	group('additionalFields'),
	group('options'),
];

type MakeRead = (context: IExecuteFunctions) => (row: number) => unknown;

/** Every parameter as the host itself reads it, in the order of the editor. */
const byHost: MakeRead = (context) => (row) => {
	const [a, b, c, own, additionalFields, options] = PROPERTIES.map(({ name, default: none }) =>
		context.getNodeParameter(name, row, none),
	);
	return { fields: { a, b, c, own, ...(additionalFields as object) }, options: options ?? {} };
};
const byUs: MakeRead = (context) => createRowReader(context, PROPERTIES).row;

/** What each row gives, or how it fails; and how often the host was asked for a parameter. */
async function rowsOf(make: MakeRead, parameters: INodeParameters, items: IDataObject[]) {
	const rows: string[] = [];
	const asked: string[] = [];
	const node = toyNode(
		async function () {
			const read = make(noting(this, asked));
			for (const row of this.getInputData().keys()) {
				try {
					rows.push(shown(read(row)));
				} catch (error) {
					rows.push(described(error as Error));
				}
			}
			return [[]];
		},
		{ properties: PROPERTIES },
	);
	const { failure } = await runNode(node, parameters, { items });
	if (failure !== undefined) throw failure;
	return { rows, asked };
}

const noting = (context: IExecuteFunctions, asked: string[]): IExecuteFunctions =>
	new Proxy(context, {
		get(target, key) {
			const member = Reflect.get(target, key) as unknown;
			if (typeof member !== 'function') return member;
			return (...given: unknown[]) => {
				if (key === 'getNodeParameter') asked.push(`${String(given[0])} ${String(given[1])}`);
				return Reflect.apply(member, target, given) as unknown;
			};
		},
	});

/** As text that tells types apart: what is read is half made of proxies. */
function shown(value: unknown): string {
	if (types.isPromise(value)) return 'a promise';
	if (types.isProxy(value) || !isRecord(value)) return inspect(value, { depth: 8 });
	return Object.entries(value)
		.map(([key, each]) => `${key}: { ${shown(each)} }`)
		.join('\n');
}

const isRecord = (value: unknown): value is object =>
	typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

function described(error: Error): string {
	const { name, message, description, cause, context } = error as Error & IDataObject;
	return inspect({ thrown: error.constructor.name, name, message, description, cause, context });
}

async function compare(parameters: INodeParameters, items: IDataObject[]) {
	const host = await rowsOf(byHost, parameters, items);
	const ours = await rowsOf(byUs, parameters, items);
	expect(ours.rows).toEqual(host.rows);
	return ours;
}

const ROWS: IDataObject[] = [
	{ a: 'x', n: 3, b: { c: 'deep' }, list: [3, 1, 2], key: 'a', 'x y': 'spaced', z: '' },
	{ a: '={{ 1 }}', n: 0, b: null, list: [], key: 'n', mail: 'Ann <ann@example.com>', z: false },
	{ a: 7.5, n: -1, list: ['b', 'a'], at: '2026-03-04T05:06:07.000Z', key: 'list', z: null },
	{},
	{ a: '0', n: 1e21, b: { c: { d: 1 } }, list: [{ a: 1 }], key: '__proto__', mail: '', z: 'é👍' },
	{ a: 'it\'s "x"', n: '12', b: [], list: 'text', at: '2026-03-04', key: 'x y', 'x y': 0 },
	{ a: true, n: null, b: { c: '' }, list: [null], mail: 'no mail', at: 5, key: 3, 3: 'three' },
];

const MIXED = ROWS.map((row, index) => ({ ...row, ...ROWS[(index + 2) % ROWS.length] }));

const LEAVES = [
	...['$json.a', '$json.n', '$json.b.c', '$json.b?.c', '$json["x y"]', '$json[$json.key]'],
	...['$json?.[$json.key]', '$json.z', '$json.mail', '$json.at'],
	...['"2026-01-02".toDateTime().toISO()', '$itemIndex', '$json.list[0]', '1', '0', '-0', '1.5e3'],
	...["''", '"it\'s"', "'a } b'", "'x = 1; y'", "'.isEmpty()'", 'null', 'undefined', 'NaN', 'true'],
	...['false', 'nowhere', '`t`', '`a=${$json.a} ${$json["x y"]}!`', '/[/\'"]+/g.test("a/b")'],
	...['"a-b".replace(/-/g, "$&")', '$input.item.json.a', '$runIndex', '$("Start").item.json.a'],
	...["$('Start').first().json.n", '$node["Start"].json.a', '$parameter.own', '$parameter["own"]'],
	...['$prevNode.name', '$fromAI("a")', '$if($json.n, 1, 2)', '$ifEmpty($json.z, "none")', '$json'],
	...['$json.list', '{ a: 1 }', '{ a: { b: 1 } }', '[1, $json.a]', 'new Date(0)', '10n'],
	...['DateTime.fromISO("2026-01-02")', '[DateTime.fromISO("2026-01-02")]', '(async () => 1)()'],
	...['Symbol("s")', '$json.list.includes(3)', '$jmespath($json, "b.c")', '$item(0).$json.a'],
	...['DateTime.fromISO("2026-01-02").setZone("Africa/Nairobi").toISO()', '$execution.mode'],
];

/** They change something, end early, are no expression, or are not even JavaScript. */
const WILD = [
	...['$("Nowhere").item.json.a', '$parameter["&own"]', '$fromAI("")', '$if(1)', 'DateTime'],
	...['$evaluateExpression("{{ $json.a }}")', '$json.a.extractEmail()', '$json.z.isEmpty()'],
	...['$json.n?.toTitleCase()', '() => 1', 'Math.max', '$json.a = 2', '$json.n++'],
	...['$json.list.push(9)', '$json.list.sort()[0]', 'delete $json.a'],
	...['$("Start").first().json.a = 5', '$json.list["pu" + "sh"](4)'],
	...['($json.list["pu" + "sh"])(4)', 'Object.assign($json, { a: 9 }).a'],
	...['$json.list.reverse()[0]', 'global.q = ($json.n)', 'global.q', 'q = 5'],
	...['$execution.customData.set("k", "v")', '$execution.customData.get("k")', '$json.a;', '1; 2'],
	...['$json.a // note', '/* } */ $json.a', '// only', '$json.a\n$json.n', '', '1), (2'],
	...['1)], [(2', '1 } , { 2', '(', ')', '}', ']', '"', '`', '`${`nested ${$json.a}`}`'],
	...['`${ {a: 1}.a }`', '/[/]/', '4 / 2 / 1', '{}/1/g', 'if (1) 2', 'return 1', 'label: 1'],
	...['this', 'this.$json', '$', '$json.$', '$json.constructor', '$json["constructor"]'],
	...['$json.__proto__', 'function f() {}', 'class A {}', 'throw 1', 'await 1', 'import("fs")'],
	...['arguments', 'E', 'v', 'read', 'plain', 'value', 'reads'],
	...['(() => { const a = 1; return a })()', '1 <!-- 2', '#a', "'\\}}'", '"\\\\"', '\\u0061'],
	...['___n8n_data', '__sanitize', 'eval("1")', 'typeof /x/', '1n/1n'],
	...['(() => { throw new Error("own") })()', 'JSON.parse("{")', 'null.x', 'nowhere.x'],
	...['nowhere()', "/'/.test($json.a) && $json.z.isEmpty() || 'q'", "`it's`.isEmpty()"],
	...["'a'.b?.['c'].isEmpty()"],
];

const tame: fc.Arbitrary<string> = fc.letrec<{ code: string }>((tie) => {
	const one = (wrap: (x: string) => string) => tie('code').map(wrap);
	const two = (wrap: (x: string, y: string) => string) =>
		fc.tuple(tie('code'), tie('code')).map(([x, y]) => wrap(x, y));
	return {
		code: fc.oneof(
			{ depthSize: 'small', withCrossShrink: true },
			{ weight: 4, arbitrary: fc.constantFrom(...LEAVES) },
			one((x) => `(${x})`),
			one((x) => `typeof ${x}`),
			one((x) => `${x}.toString()`),
			one((x) => `(${x})?.length`),
			one((x) => `String(${x}).isEmpty()`),
			one((x) => `String(${x}).extractEmail()`),
			one((x) => `String(${x}).trim().toUpperCase()`),
			one((x) => `JSON.stringify(${x})`),
			one((x) => `[${x}].map((item) => item)[0]`),
			one((x) => `[${x}].map((item) => { return item })\n.filter(Boolean).length`),
			one((x) => `{ a: ${x} }.a`),
			two((x, y) => `${x} + ${y}`),
			two((x, y) => `${x} / ${y}`),
			two((x, y) => `((${x}) ?? (${y}))`),
			two((x, y) => `${x} ? ${y} : "no"`),
			two((x, y) => `(${x}, ${y})`),
			two((x, y) => `[${x}, ${y}].join("-")`),
		),
	};
}).code;

const cut = fc
	.tuple(tame, fc.nat(60), fc.nat(60))
	.map(([code, from, to]) => code.slice(0, from) + code.slice(to));
const noise = fc.string({
	unit: fc.constantFrom(...'{}()[]\'"`/\\;=+-.,?$&|<>:! \na1'),
	maxLength: 9,
});
const wild = fc.oneof(fc.constantFrom(...WILD), tame, cut, noise);

const templateOf = (code: fc.Arbitrary<string>) => {
	const codes = (wrap: (x: string, y: string) => string) =>
		fc.tuple(code, code).map(([x, y]) => wrap(x, y));
	return fc.oneof(
		{ weight: 6, arbitrary: codes((x) => `={{ ${x} }}`) },
		codes((x) => `={{${x}}}`),
		codes((x) => `={{ ${x} }} `),
		codes((x) => `=No. {{ ${x} }}`),
		codes((x, y) => `=It's "{{ ${x} }}" of {{ ${y} }}; a=1`),
		codes((x, y) => `={{ ${x} }}{{ ${y} }}`),
	);
};
const oddTemplate = fc
	.tuple(
		fc.constantFrom('={{ _', '=\\{{ _ }}', '=a\\\\{{ _ }}', '=}} {{ _ }} }}', '={{ {{ _ }} }}'),
		wild,
	)
	.map(([shape, code]) => shape.replace('_', () => code));
const plainValue = fc.constantFrom('plain', '', 5, true, '=', '=text', '={{ }}', '=toString');

const odd = fc.oneof({ weight: 4, arbitrary: templateOf(wild) }, oddTemplate, plainValue);
const usual = templateOf(tame);

/** Mostly what users write; in a third of the nodes, some values are anything. */
const parametersOf = fc
	.constantFrom(usual, usual, fc.oneof({ weight: 4, arbitrary: usual }, odd))
	.chain((value) => {
		// Others may refer to it; what refers to itself would take the host for ever.
		const own = fc.constantFrom('={{ $json.n }}', 'own');
		const members = fc.record({ e: value, f: value, own }, { requiredKeys: [] });
		const groups = { additionalFields: members, options: members };
		return fc.record({ a: value, b: value, c: value, own, ...groups });
	});

test('gives what the host gives, whatever the expressions', async () => {
	let cases = 0;
	const asTheHost = fc.asyncProperty(parametersOf, async (parameters) => {
		const { rows } = await compare(parameters as INodeParameters, [...ROWS, ...MIXED]);
		const read = rows.filter((row) => !row.includes('thrown:')).length;
		cases += read * (JSON.stringify(parameters).split('"=').length - 1);
	});
	const enough = runs(10_000, 1000);
	while (cases < enough) await fc.assert(asTheHost, { numRuns: 20, endOnFailure: true });
}, 300_000);

test.each([
	['by itself', (code: string) => `={{ ${code} }}`],
	['between texts', (code: string) => `=a {{ ${code} }} b`],
])(
	'gives what the host gives for each piece of code %s',
	async (_, templateFor) => {
		for (const code of [...LEAVES, ...WILD]) {
			const template = templateFor(code);
			const others = { a: '={{ $json.n }}', own: '={{ $json.list.length }}' };
			const group = { e: template, f: '={{ $json.n }}', own: '={{ $json.a }}' };
			await compare({ ...others, b: template, c: '={{ $json.a }}' }, ROWS.slice(0, 3));
			await compare({ ...others, additionalFields: group, options: { f: 'x' } }, ROWS.slice(0, 3));
		}
	},
	300_000,
);

const SIMPLE = {
	a: '={{ $json.a }}',
	b: '=No. {{ $json.n }}',
	additionalFields: { e: '={{ $json.key }}', f: 'same for all' },
	options: { f: '={{ $json.z }}' },
};

test('the host is asked once for what holds no expression, and for no expression at all', async () => {
	const { asked } = await compare({ ...SIMPLE, c: 'x', own: 5 }, ROWS);
	expect(asked).toEqual(['c 0', 'own 0']);
});

test('the error is that of the host, for the first parameter that fails', async () => {
	const failing = { c: '={{ $("Nowhere").item.json.a }}', own: '={{ $fromAI("") }}' };
	const { rows } = await compare({ ...SIMPLE, ...failing }, ROWS.slice(0, 1));
	expect(rows[0]).toContain("parameter: 'c'");
});
