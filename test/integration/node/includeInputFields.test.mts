import type { IDataObject, IExecuteFunctions, INodeParameters } from 'n8n-workflow';

import { UnifiedPaymentsApi } from '../../../credentials/UnifiedPaymentsApi.credentials.ts';
import { runNode } from '../../../host/engine/index.mts';
import { UnifiedPayments } from '../../../nodes/UnifiedPayments/UnifiedPayments.node.ts';
import { runPayments, startTapped } from '../../helpers/payments.mts';
import { throughout } from '../../helpers/throughout.mts';

const service = throughout(async () => await startTapped());

beforeEach(() => {
	service.sandbox.reset();
});

const FIELDS: INodeParameters = {
	resource: 'collection',
	operation: 'create',
	country: 'KE',
	amount: '={{ $json.amount }}',
	mobile: '={{ $json.phone }}',
};

const COLUMNS: INodeParameters = {
	resource: 'collection',
	operation: 'create',
	inputMode: 'columns',
	columns: { mappingMode: 'autoMapInputData', value: null, matchingColumns: [], schema: [] },
};

const MANUAL: INodeParameters = {
	...COLUMNS,
	columns: {
		mappingMode: 'defineBelow',
		value: { country: 'KE', amount: '={{ $json.amount }}', mobile: '={{ $json.phone }}' },
		matchingColumns: [],
		schema: [],
	},
};

/** A row with a column that nobody sends, and one that is nested. */
const ROW = {
	country: 'KE',
	amount: 10,
	phone: '0712345678',
	shelf: 'B 4',
	tags: { a: [1, null] },
};
const BAD = { ...ROW, amount: 'ten' };
const RESULT = ['outcome', 'success', 'message', 'data', 'reference', 'orderReference', 'request'];

const run = async (
	parameters: INodeParameters,
	items: IDataObject[],
	options: IDataObject = {},
	more: Partial<Parameters<typeof runPayments>[1]> = {},
) =>
	await runPayments({ ...parameters, options } as INodeParameters, {
		credential: service.credential(),
		items,
		...more,
	});

const namesIn = (item: IDataObject | undefined) => Object.keys(item ?? {}).sort();

it.each([
	['columns that are found by their headings', COLUMNS],
	['columns that are mapped by hand', MANUAL],
])('with %s, they come out with the result', async (_, parameters) => {
	const [item] = (await run(parameters, [ROW])).successJson;
	expect(item).toMatchObject({ ...ROW, outcome: 'accepted', request: { amount: 10 } });
	expect(namesIn(item)).toEqual([...RESULT, 'nextStep', ...Object.keys(ROW)].sort());
});

it('each row gets its own, also of a payment link', async () => {
	const rows = ['Rent', 'Water'].map((item, row) => ({
		item,
		amount: 10 + row,
		country: 'KE',
		business: 'Shop',
		shelf: `B ${row}`,
		callback: 'https://a.example/h',
	}));
	const { successJson } = await run({ ...COLUMNS, resource: 'paymentLink' }, rows);
	expect(successJson).toMatchObject(
		rows.map((row) => ({ ...row, outcome: 'accepted', request: { item_name: row.item } })),
	);
});

it('with fields, the result comes out alone', async () => {
	const [item] = (await run(FIELDS, [ROW])).successJson;
	expect(namesIn(item)).toEqual([...RESULT, 'nextStep'].sort());
});

it.each([
	['fields', true, FIELDS],
	['columns', false, COLUMNS],
])('the option wins: %s and %s', async (_, includeInputFields, parameters) => {
	const [item] = (await run(parameters, [ROW], { includeInputFields })).successJson;
	const own = includeInputFields ? Object.keys(ROW) : [];
	expect(namesIn(item)).toEqual([...RESULT, 'nextStep', ...own].sort());
});

it('the result wins over columns of the same name', async () => {
	const names = { outcome: 'paid', success: 'no', data: 1, request: 'none', message: 'hello' };
	const [item] = (await run(COLUMNS, [{ ...ROW, ...names }])).successJson;
	expect(item).toMatchObject({
		shelf: 'B 4',
		outcome: 'accepted',
		success: true,
		data: {},
		message: expect.stringContaining('verification token') as string,
		request: { amount: 10 },
	});
});

it('a row of a dry run that is wrong keeps its columns, too', async () => {
	const { successJson } = await run(COLUMNS, [ROW, BAD], { dryRun: true });
	expect(successJson).toMatchObject([
		{ ...ROW, outcome: 'valid' },
		{ ...BAD, outcome: 'not_sent', issues: [{ field: 'amount' }] },
	]);
});

it.each([
	['fields', false, FIELDS],
	['fields', true, FIELDS],
	['columns', false, COLUMNS],
	['columns', true, COLUMNS],
])(
	'the error output is the same whatever is chosen: %s and %s',
	async (mode, includeInputFields, parameters) => {
		const { failedJson, successJson } = await run(
			parameters,
			[{ ...BAD, outcome: 'open' }],
			{ includeInputFields },
			{ onError: 'continueErrorOutput' },
		);
		expect(successJson).toEqual([]);
		expect(failedJson).toEqual([
			{
				...BAD,
				outcome: 'open',
				error: expect.objectContaining({
					outcome: 'not_sent',
					row: mode === 'columns' ? 2 : 1,
				}) as unknown,
			},
		]);
	},
);

it('what the node gives to the host for the error output is the error alone', async () => {
	// Hosts before 2.35.7 take an item with any further key for a success.
	const node = new UnifiedPayments();
	const { execute } = node;
	const given: IDataObject[] = [];
	node.execute = async function (this: IExecuteFunctions) {
		const outputs = await execute.call(this);
		given.push(...outputs[0]!.map(({ json }) => json));
		return outputs;
	};
	await runNode(node, COLUMNS, {
		items: [BAD],
		onError: 'continueErrorOutput',
		credentials: { unifiedPaymentsApi: service.credential() },
		credentialTypes: [new UnifiedPaymentsApi()],
	});
	expect(given.map(namesIn)).toEqual([['error']]);
});

it('a failed row that goes on on the one output keeps its columns', async () => {
	const { successJson } = await run(COLUMNS, [BAD, ROW], {}, { onError: 'continueRegularOutput' });
	expect(successJson).toEqual([
		{ ...BAD, error: expect.objectContaining({ outcome: 'not_sent', row: 2 }) as unknown },
		expect.objectContaining({ ...ROW, outcome: 'accepted' }) as unknown,
	]);
	const without = await run(
		COLUMNS,
		[BAD],
		{ includeInputFields: false },
		{ onError: 'continueRegularOutput' },
	);
	expect(without.successJson).toEqual([{ error: expect.objectContaining({ row: 2 }) as unknown }]);
});

it('reads of other operations are as they were', async () => {
	const { successJson } = await runPayments(
		{ resource: 'token', operation: 'get' },
		{ credential: service.credential(), items: [ROW] },
	);
	expect(namesIn(successJson[0])).toEqual(['message', 'token']);
});
