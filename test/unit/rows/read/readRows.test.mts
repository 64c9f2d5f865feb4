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
		getInputData: () => [],
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
	const options = { approvedFingerprint, concurrency, duplicateKey: '={{ $json.key + 1 }}' };
	const { read, asked } = hostWith({ options: { ...options, dryRun: true } });
	for (const row of [0, 7]) {
		expect(read(row).options).toEqual({
			approvedFingerprint: `${approvedFingerprint} 0`,
			concurrency: `${concurrency} 0`,
			duplicateKey: `={{ $json.key + 1 }} ${row}`,
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
		amount: '={{ $json.amount + 1 }}',
		additionalFields: { email: '={{ $json.email + 1 }}' },
		options: { concurrency: 2 },
	});
	expect(read(0)).toEqual({
		fields: {
			country: 'KE',
			amount: '={{ $json.amount + 1 }} 0',
			email: '={{ $json.email + 1 }} 0',
		},
		options: { concurrency: 2 },
	});
	expect(read(1).fields).toMatchObject({ amount: '={{ $json.amount + 1 }} 1' });
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

it('a column that was dragged from the input is read from the item, and n8n is asked for the rest', () => {
	const parameters = {
		country: "={{ $json['Full name'] }}",
		amount: '={{ $json.b + 1 }}',
		additionalFields: { email: '={{ $json.deep.mail }}', note: 'fixed' },
	};
	const asked: string[] = [];
	const items = [
		{ 'Full name': 'x', deep: { mail: 'a@example.com' } },
		{ 'Full name': { an: 'object' }, deep: null },
	];
	const context = {
		getNode: () => ({ parameters }),
		getInputData: () => items.map((json) => ({ json })),
		getNodeParameter(name: string, row: number, fallback: unknown) {
			asked.push(`${name} ${row}`);
			return name in parameters ? name : fallback;
		},
	} as unknown as IExecuteFunctions;
	const { row: read } = createRowReader(context, PROPERTIES);
	expect(read(0).fields).toEqual({
		country: 'x',
		amount: 'amount',
		email: 'a@example.com',
		note: 'fixed',
	});
	expect(asked).toEqual(['amount 0', 'options 0']);
	read(1);
	expect(asked.slice(2)).toEqual(['country 1', 'amount 1', 'additionalFields 1']);
});
