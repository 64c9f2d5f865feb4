import type { IExecuteFunctions, INodeParameters, INodeProperties } from 'n8n-workflow';

import { createRowReader } from '../../../../nodes/UnifiedPayments/rows/read/readRows.ts';

const property = (name: string, more: Partial<INodeProperties> = {}): INodeProperties => ({
	displayName: `Label of ${name}`,
	name,
	type: 'string',
	default: '',
	...more,
});

const PROPERTIES = [
	property('country'),
	property('amount'),
	property('additionalFields', {
		type: 'collection',
		default: {},
		options: [property('email'), { name: 'A choice', value: 'choice' }],
	}),
	property('options', { type: 'collection', default: {}, options: [property('concurrency')] }),
];

/** A parameter as the host gives it, with every expression in it evaluated. */
const resolve = (value: unknown, evaluate: (expression: string) => unknown): unknown => {
	if (typeof value === 'string') return value.startsWith('=') ? evaluate(value) : value;
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, each]) => [key, resolve(each, evaluate)]),
	);
};

/** A host that resolves an expression to its text and the row, and counts. */
const hostWith = (parameters: INodeParameters) => {
	const asked: string[] = [];
	const context = {
		getNode: () => ({ parameters }),
		getNodeParameter(name: string, row: number, fallback: unknown) {
			asked.push(`${name} ${row}`);
			const [group, member] = name.split('.') as [string, string?];
			if (!(group in parameters)) return fallback;
			const value = parameters[group] as INodeParameters;
			return resolve(member === undefined ? value : value[member], (text) => `${text} ${row}`);
		},
	} as unknown as IExecuteFunctions;
	const { row: read, label } = createRowReader(context, PROPERTIES);
	return { read, label, asked };
};

it('reads options of the run once, for the first row, and the others for each row', () => {
	const approvedFingerprint = "={{ $('Check').first().json.fingerprint }}";
	const concurrency = '={{ $json.lanes }}';
	const options = { approvedFingerprint, concurrency, duplicateKey: '={{ $json.key }}' };
	const { read, asked } = hostWith({ options: { ...options, dryRun: true } });
	for (const row of [0, 7]) {
		expect(read(row).options).toEqual({
			approvedFingerprint: `${approvedFingerprint} 0`,
			concurrency: `${concurrency} 0`,
			duplicateKey: `={{ $json.key }} ${row}`,
			dryRun: true,
		});
	}
	expect(asked.filter((each) => each.startsWith('options.'))).toEqual([
		'options.approvedFingerprint 0',
		'options.concurrency 0',
	]);
});

it('rows that share all their options share the object', () => {
	const options = { approvedFingerprint: '={{ $json.print }}', dryRun: true };
	const { read, asked } = hostWith({ options });
	expect(read(3).options).toBe(read(0).options);
	expect(asked.filter((each) => each.startsWith('options'))).toEqual([
		'options 3',
		'options.approvedFingerprint 0',
	]);
});

it('asks the host once for what is no expression, and for each row for what is one', () => {
	const { read, asked } = hostWith({
		country: 'KE',
		amount: '={{ $json.amount }}',
		additionalFields: { email: '={{ $json.email }}' },
		options: { concurrency: 2 },
	});
	expect(read(0)).toEqual({
		fields: { country: 'KE', amount: '={{ $json.amount }} 0', email: '={{ $json.email }} 0' },
		options: { concurrency: 2 },
	});
	expect(read(1).fields).toMatchObject({ amount: '={{ $json.amount }} 1' });
	const first = ['country 0', 'amount 0', 'additionalFields 0', 'options 0'];
	expect(asked).toEqual([...first, 'amount 1', 'additionalFields 1']);
});

it('takes the default for what was never saved', () => {
	const { read } = hostWith({});
	expect(read(0)).toEqual({ fields: { country: '', amount: '' }, options: {} });
});

it('looks for expressions however deep, and is not misled by null', () => {
	const { read, asked } = hostWith({ country: null, options: { list: [{ deep: '=1' }] } });
	read(0);
	read(1);
	expect(asked.filter((each) => each.startsWith('options'))).toHaveLength(2);
	expect(asked.filter((each) => each.startsWith('country'))).toHaveLength(1);
});

it('labels what has a label, also in a group', () => {
	const { label } = hostWith({});
	for (const name of ['amount', 'email', 'concurrency'])
		expect(label(name)).toBe(`Label of ${name}`);
	for (const name of ['A choice', 'missing']) expect(label(name)).toBe(name);
});

describe('expressions are put together to one', () => {
	const PLAIN = { country: '={{ $json.a }}', amount: '={{ $json.b }}' };

	/** A host that evaluates: every code is JavaScript, with the row as `$json`. */
	function read(parameters: INodeParameters, rows: object[], properties = PROPERTIES) {
		const asked: string[] = [];
		const evaluate = (expression: string, row: number): unknown => {
			const code = expression.replace(/^=?\{\{([^]*)\}\}$/, '$1');
			return (new Function('$json', `return (${code})`) as (json: object) => unknown)(rows[row]!);
		};
		const context = {
			getNode: () => ({ parameters }),
			getNodeParameter(name: string, row: number, fallback: unknown) {
				asked.push(name);
				if (!(name in parameters)) return fallback;
				return resolve(parameters[name], (text) => evaluate(text, row));
			},
			evaluateExpression(expression: string, row: number) {
				asked.push('all');
				return evaluate(expression, row);
			},
		} as unknown as IExecuteFunctions;
		const reader = createRowReader(context, properties);
		return { given: rows.map((_, row) => reader.row(row)), asked };
	}

	it('and what is fixed beside them in a group stays', () => {
		const fixed = { note: 'fixed', count: 3 };
		const parameters = {
			country: '={{ $json.country }}',
			amount: '={{ $json.amount }}',
			additionalFields: { email: '={{ $json.email }}', ...fixed },
			options: {},
		};
		const rows = [
			{ country: 'KE', amount: 5, email: 'a@example.com' },
			{ country: 'UG', amount: 7, email: undefined },
		];
		const { given, asked } = read(parameters, rows);
		expect(given.map(({ fields }) => fields)).toEqual(rows.map((row) => ({ ...row, ...fixed })));
		expect(asked).toEqual(['all', 'options', 'all']);
	});

	it.each<[string, Partial<INodeProperties>, INodeParameters[string]]>([
		['a value that the host checks', { validateType: 'number' }, '={{ $json.a }}'],
		['code that is not one expression', {}, '={{ $json.a /* first */ }}'],
		['a locator', { type: 'resourceLocator' }, { mode: 'id', value: '={{ $json.a }}' }],
		[
			'a group in which an expression names its neighbour',
			{ type: 'collection' },
			{ email: '={{ "&" + $json.a }}' },
		],
		['a group with a group in it', { type: 'collection' }, { email: { deep: '={{ $json.a }}' } }],
	])('except %s', (_, kind, own) => {
		const properties = [property('country'), property('amount'), property('own', kind)];
		const { given, asked } = read({ ...PLAIN, own }, [{ a: 1, b: 2 }], properties);
		expect(given[0]!.fields).toMatchObject({ country: 1, amount: 2 });
		expect(asked).toEqual(['all', 'own']);
	});

	it('none of them where one that the host reads may change what others give', () => {
		const additionalFields = { email: '={{ $json.list.push(1) }}' };
		const { asked } = read({ ...PLAIN, additionalFields }, [{ a: 1, b: 2, list: [] }]);
		expect(asked).toEqual(['country', 'amount', 'additionalFields', 'options']);
	});

	it('and a locator gives what it points at', () => {
		const place = { __rl: true, mode: 'list', value: 'w-1' };
		const { given } = read({ place }, [{}], [property('place', { type: 'resourceLocator' })]);
		expect(given[0]!.fields.place).toBe('w-1');
	});
});
