import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { COLLECT, SHEET, usePayments } from '../../helpers/payments.mts';

const { run, tap } = usePayments({ isTapped: true });

const FIELDS = { ...COLLECT, operation: 'check', country: '={{ $json.country }}' };
const COLUMNS = { ...SHEET, operation: 'check' };

const row = (order: string, changes: IDataObject = {}): IDataObject => ({
	country: 'KE',
	amount: 10,
	phone: '0712345678',
	order,
	...changes,
});

const check = async (
	items: IDataObject[],
	options: IDataObject = {},
	parameters: INodeParameters = FIELDS,
	account = {},
): Promise<IDataObject> => {
	const { successJson } = await run(parameters, items, { options, account });
	expect(successJson).toHaveLength(1);
	return successJson[0]!;
};

it('gives one item for the whole batch, and makes no request', async () => {
	const rows = [
		row('A'),
		row('B', { amount: 2.5 }),
		row('C', { amount: 'ten', phone: '12' }),
		row('D', { country: 'UG', phone: '0772345678', amount: 3000 }),
		row('A'),
	];
	const result = await run(FIELDS, rows);
	expect(result.successJson).toEqual([
		{
			rows: 5,
			valid: 3,
			toCorrect: 1,
			repeats: 1,
			totals: [
				{ currency: 'KES', rows: 2, amount: 12.5 },
				{ currency: 'UGX', rows: 1, amount: 3000 },
			],
			fingerprint: expect.stringMatching(
				/^up2\.2KES1250\.1UGX300000\.[\w-]{22}\.[\w-]{22}$/,
			) as string,
			problems: [
				{
					row: null,
					name: 'order C, 12, item 3 of the input',
					field: 'amount',
					label: 'Amount',
					message: '"ten", which is not an amount',
					description: expect.stringContaining('1500.50') as string,
				},
				expect.objectContaining({ row: null, field: 'mobile', label: 'Mobile' }) as unknown,
			],
			notes: [expect.stringMatching(/item 5 .*item 1 /) as string],
			items: [0, 1, 3].map((at) => rows[at]),
		},
	]);
	expect(result.items[0]!.pairedItem).toEqual(rows.map((_, item) => ({ item })));
	expect(result.nodeHints[0]?.message).toContain('5 rows: 3 valid; 1 to correct; 1 there twice.');
	expect(tap.received).toHaveLength(0);
});

it('rows are called by the numbers of the sheet, and keep them', async () => {
	const found = await check([
		row('A', { row_number: 17 }),
		row('B', { row_number: 19, amount: 'x' }),
	]);
	expect(found).toMatchObject({ problems: [{ row: 19 }], items: [{ row_number: 17 }] });
});

it('what is wrong with the sheet itself is said once', async () => {
	const rows = Array.from({ length: 20 }, (_, index) => ({ country: 'KE', sum: index }));
	expect(await check(rows, {}, COLUMNS)).toMatchObject({
		...{ rows: 20, valid: 0, toCorrect: 20, fingerprint: null, items: [] },
		problems: [
			{
				...{ row: null, field: null, label: null },
				message: expect.stringContaining('no column for') as string,
				description: expect.stringContaining('Its columns are') as string,
			},
		],
	});
});

it('what is wrong with all rows alike is said once, and long advice once', async () => {
	const all = await check([row('A', { country: 'XX' }), row('B', { country: 'XX' })]);
	expect(all.problems).toMatchObject([{ row: null, name: null, field: 'country' }]);
	const bad = { amount: '1.500' };
	const some = await check([row('A', bad), row('B', { amount: '2.500' }), row('C')]);
	expect(some.problems).toMatchObject([
		{ name: expect.stringContaining('item 1 ') as string },
		{ description: expect.stringMatching(/^As for order A, .*item 1 /) as string },
	]);
});

it('two rows that contradict each other are both to correct, and named', async () => {
	const found = await check([row('A'), row('B'), row('A', { amount: 20 })]);
	expect(found).toMatchObject({ valid: 1, toCorrect: 2, problems: [{}, {}] });
	expect(JSON.stringify(found.problems)).toContain('and order A, 0712345678, item 3 of the input');
});

it('bad rows do not end the run, whatever the settings', async () => {
	for (const onError of [undefined, 'continueErrorOutput'] as const) {
		const result = await run(FIELDS, [row('A', { amount: '' })], { onError });
		expect(result.successJson).toMatchObject([{ toCorrect: 1 }]);
		expect(result.failedJson).toEqual([]);
	}
});

const PRINTS: Array<['the same' | 'another', string, IDataObject]> = [
	['the same', 'another notation of the country', { country: 'Kenya' }],
	['the same', 'another notation of the number', { phone: '+254 712 345 678' }],
	['the same', 'another notation of the amount', { amount: '10.00' }],
	['the same', 'a column that is not sent', { shelf: 'B 4' }],
	['another', 'another amount', { amount: 10.01 }],
	['another', 'another number', { phone: '0712345679' }],
	['another', 'another order', { order: 'A1' }],
	['another', 'another callback URL', { hook: 'https://a.example/h' }],
	['another', 'another country', { country: 'UG', phone: '0772345678' }],
];

it.each(PRINTS)('%s fingerprint with %s', async (which, _, changes) => {
	const before = (await check([row('A'), row('B')])).fingerprint;
	const after = (await check([row('A', changes), row('B')])).fingerprint;
	expect(after === before).toBe(which === 'the same');
});

it('checks payment links, too', async () => {
	const shop = { country: 'KE', business: 'Shop', phone: '0712345678', shelf: 'B 4' };
	const link = { ...shop, amount: '1250.50', item: 'Rent', order: 'R-1' };
	const rows = [link, { ...link, order: 'R-2', email: 'nobody' }];
	const parameters = { ...COLUMNS, resource: 'paymentLink' };
	const without = await check(rows, {}, parameters);
	expect(without).toMatchObject({ valid: 0, fingerprint: null });
	expect(without.problems).toContainEqual(
		expect.objectContaining({ row: null, field: 'callbackUrl' }),
	);
	const waited = await check(rows, { waitInThisExecution: true }, parameters);
	expect(waited).toMatchObject({ valid: 1 });
	const callbackUrl = 'https://a.example/h';
	expect(await check(rows, {}, { ...parameters, callbackUrl })).toMatchObject({
		rows: 2,
		valid: 1,
		totals: [{ currency: 'KES', rows: 1, amount: 1250.5 }],
		problems: [{ row: null, field: 'email', label: 'Customer Email (column "email")' }],
		notes: ['Nothing is done with these columns: "shelf".'],
		items: [link],
	});
});

describe('limits', () => {
	it('a row above the limit is to correct', async () => {
		const found = await check([row('A', { amount: 10.01 }), row('B')], { maxAmount: 10 });
		expect(found).toMatchObject({ valid: 1, problems: [{ field: 'amount' }] });
		expect(JSON.stringify(found.problems)).toContain("more than the 10 KES of 'Max Amount'");
	});

	it('with a sum above the limit nothing would be sent, so there is nothing to approve', async () => {
		const found = await check([row('A'), row('B'), row('C')], { maxTotal: 20 });
		expect(found).toMatchObject({
			...{ valid: 0, toCorrect: 3, fingerprint: null, items: [] },
			totals: [{ currency: 'KES', rows: 3, amount: 30 }],
			problems: [{ field: null }],
		});
		expect(JSON.stringify(found.problems)).toMatch(/30 KES.*20 KES.*item 3/);
	});

	it('at the limit all is well, and each currency has its own sum', async () => {
		const rows = [row('A'), row('B', { country: 'UG', phone: '0772345678', amount: 15 })];
		const options = { maxTotal: 15, maxAmount: 15 };
		expect(await check(rows, options)).toMatchObject({ valid: 2, problems: [] });
		expect(await check(rows, { maxTotal: 14.99 })).toMatchObject({ valid: 0 });
	});
});

it('a customer of another currency than that of the heading is pointed out, by check and create', async () => {
	const columns = {
		callback: 'https://a.example/h',
		'Total (KES)': 500,
		item: 'Rent',
		business: 'Shop',
	};
	const rows = [
		{ ...columns, order: 'A', country: 'KE' },
		{ ...columns, order: 'B', country: 'UG', customer: 'Amina' },
	];
	const said = /another currency.*: order B, Amina, item 2 of the input\.$/;
	const parameters = { ...COLUMNS, resource: 'paymentLink' };
	const { notes } = await check(rows, {}, parameters);
	expect(notes).toContainEqual(expect.stringMatching(said));
	const created = await run({ ...parameters, operation: 'create' }, rows);
	expect(created.nodeHints.map(({ message }) => message)).toContainEqual(
		expect.stringMatching(said),
	);
	const alike = await check([rows[0]!], {}, parameters);
	expect(JSON.stringify(alike.notes)).not.toContain('another currency');
});
