import type { IDataObject, IExecuteFunctions, INodeParameters } from 'n8n-workflow';

import { UnifiedPaymentsApi } from '../../../credentials/UnifiedPaymentsApi.credentials.ts';
import { runNode } from '../../../dev/host/engine/index.mts';
import { UnifiedPayments } from '../../../nodes/UnifiedPayments/UnifiedPayments.node.ts';
import { COLLECT, SHEET, usePayments } from '../../helpers/payments.mts';

const { credential, run } = usePayments();

const BY_HAND: INodeParameters = {
	...SHEET,
	columns: {
		...(SHEET.columns as object),
		mappingMode: 'defineBelow',
		value: { country: 'KE', amount: '={{ $json.amount }}', mobile: '={{ $json.phone }}' },
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
const namesIn = (item: IDataObject | undefined) => Object.keys(item ?? {}).sort();

it.each<[string, INodeParameters, includeInputFields: boolean | undefined, isIn: boolean]>([
	['columns that are found by their headings', SHEET, undefined, true],
	['columns that are mapped by hand', BY_HAND, undefined, true],
	['columns, unless it is turned off', SHEET, false, false],
	['fields', COLLECT, undefined, false],
	['fields, once it is turned on', COLLECT, true, true],
])('of %s (%#)', async (_, parameters, includeInputFields, isIn) => {
	const options = includeInputFields === undefined ? {} : { includeInputFields };
	const [item] = (await run(parameters, [ROW], { options })).successJson;
	expect(item).toMatchObject({ outcome: 'accepted', request: { amount: 10 }, ...(isIn && ROW) });
	expect(namesIn(item)).toEqual([...RESULT, 'nextStep', ...(isIn ? Object.keys(ROW) : [])].sort());
});

it('the result wins over columns of the same name', async () => {
	const names = { outcome: 'paid', success: 'no', data: 1, request: 'none', message: 'hello' };
	const [item] = (await run(SHEET, [{ ...ROW, ...names }])).successJson;
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
	const { successJson } = await run(SHEET, [ROW, BAD], { options: { dryRun: true } });
	expect(successJson).toMatchObject([
		{ ...ROW, outcome: 'valid' },
		{ ...BAD, outcome: 'not_sent', issues: [{ field: 'amount' }] },
	]);
});

it.each([
	['fields', false, COLLECT],
	['fields', true, COLLECT],
	['columns', false, SHEET],
	['columns', true, SHEET],
])(
	'the error output is the same whatever is chosen: %s and %s',
	async (_, includeInputFields, parameters) => {
		const bad = { ...BAD, outcome: 'open' };
		const options = { includeInputFields };
		const result = await run(parameters, [bad], { options, onError: 'continueErrorOutput' });
		expect(result.successJson).toEqual([]);
		const error = expect.objectContaining({ outcome: 'not_sent', row: null }) as unknown;
		expect(result.failedJson).toEqual([{ ...bad, error }]);
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
	await runNode(node, SHEET, {
		items: [BAD],
		onError: 'continueErrorOutput',
		credentials: { unifiedPaymentsApi: credential() },
		credentialTypes: [new UnifiedPaymentsApi()],
	});
	expect(given.map(namesIn)).toEqual([['error']]);
});

it('a failed row that goes on on the one output keeps its columns, unless it is turned off', async () => {
	const onError = 'continueRegularOutput';
	const error = expect.objectContaining({ outcome: 'not_sent', row: null }) as unknown;
	const stale = { outcome: 'accepted', success: true, link: 'x', request: {}, message: 'Sent' };
	const bad = { ...BAD, ...stale, orderReference: 'A-1', reference: 'B-2' };
	expect((await run(SHEET, [bad, ROW], { onError })).successJson).toEqual([
		{ ...BAD, orderReference: 'A-1', error },
		expect.objectContaining({ ...ROW, outcome: 'accepted' }) as unknown,
	]);
	const options = { includeInputFields: false };
	expect((await run(SHEET, [BAD], { onError, options })).successJson).toEqual([{ error }]);
});
