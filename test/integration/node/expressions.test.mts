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

const SEGMENTS = ['a', 'n', 'b', 'c', 'd', 'list', 'at', 'key', 'z', 'mail', 'nowhere', 'length'];
const QUOTED = [...SEGMENTS, 'x y', '3', 'é👍', 'E-mail', '$', 'a.b', 'a]b'];
/** What n8n refuses, or gives something of its own for. */
const ODD = ['constructor', '__proto__', 'toString', 'hasOwnProperty'];

const dotted = fc.constantFrom(...SEGMENTS, ...ODD).map((name) => `.${name}`);
const quoted = fc
	.tuple(fc.constantFrom(...QUOTED, ...ODD), fc.constantFrom('"', "'"))
	.map(([name, mark]) => `[${mark}${name}${mark}]`);
const path = fc
	.array(fc.oneof({ weight: 4, arbitrary: dotted }, quoted), { minLength: 1, maxLength: 3 })
	.map((names) => names.join(''));
const dragged = fc.oneof(
	{ weight: 6, arbitrary: path.map((each) => `={{ $json${each} }}`) },
	path.map((each) => `={{$json${each}}}`),
	path.map((each) => `={{ $json${each} ?? "none" }}`),
	path.map((each) => `=No. {{ $json${each} }}`),
	fc.constantFrom('plain', '', '={{ $json }}', '={{ $json.list[0] }}', '={{ $json?.b?.c }}'),
);

const parametersOf = fc.record({
	...{ a: dragged, b: dragged, c: dragged },
	additionalFields: fc.record({ e: dragged, f: dragged }, { requiredKeys: [] }),
	options: fc.record({ e: dragged }, { requiredKeys: [] }),
});

const DATES: IDataObject[] = [
	{ a: new Date(0) as never, b: { c: new Date(1) as never }, list: { d: 1 }, z: undefined },
	{
		'x y': { a: { b: 1 } },
		'E-mail': 'a@b.c',
		$: 'sign',
		'a.b': 'dot',
		'a]b': 'bracket',
		length: 9,
	},
];

test('gives what the host gives, whatever was dragged', async () => {
	const asTheHost = fc.asyncProperty(parametersOf, async (parameters) => {
		await compare(parameters as INodeParameters, [...ROWS, ...DATES]);
	});
	await fc.assert(asTheHost, { numRuns: runs(500, 60), endOnFailure: true });
}, 300_000);

test('the host is asked once for what holds no expression, and not for what was dragged', async () => {
	const group = { e: "={{ $json['x y'] }}", f: 'same for all' };
	const parameters = { a: '={{ $json.a }}', b: '=No. {{ $json.n }}', c: 'x', own: 5 };
	const { asked } = await compare({ ...parameters, additionalFields: group }, ROWS);
	expect(new Set(asked.map((each) => each.split(' ')[0]))).toEqual(
		new Set(['b', 'c', 'own', 'options']),
	);
	expect(asked).toHaveLength(ROWS.length + 3);
});
