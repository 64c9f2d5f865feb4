import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { UnifiedPayments } from '../../../nodes/UnifiedPayments/UnifiedPayments.node.ts';
import { resourceMapping, storeBinary } from '../../../host/engine/index.mts';
import { runPayments, startTapped } from '../../helpers/payments.mts';
import { throughout } from '../../helpers/throughout.mts';

const service = throughout(async () => await startTapped());

beforeEach(() => {
	service.sandbox.reset();
	service.tap.received.length = 0;
});

const AUTO = { mappingMode: 'autoMapInputData', value: null, matchingColumns: [], schema: [] };

const collect: INodeParameters = {
	resource: 'collection',
	operation: 'create',
	inputMode: 'columns',
	columns: AUTO,
};

const link: INodeParameters = { ...collect, resource: 'paymentLink' };

const run = async (
	parameters: INodeParameters,
	items: IDataObject[],
	more: Partial<Parameters<typeof runPayments>[1]> = {},
) => await runPayments(parameters, { credential: service.credential(), items, ...more });

const sent = () => service.sandbox.state.ledger.entries.map(({ params }) => params);

it('reads a sheet by its headings', async () => {
	const result = await run(collect, [
		{ 'Phone Number': '0712 345678', 'Amount (KES)': '1,500.50', Country: 'Kenya', 'Order No': 7 },
		{ 'Phone Number': 733123456, 'Amount (KES)': 20, Country: 'KE', 'Order No': 'A-8' },
	]);

	expect(result.nodeError?.message).toBeUndefined();
	expect(sent()).toEqual([
		{
			amount: 1500.5,
			mobile: '254712345678',
			country_id: 1,
			currency: 'KES',
			third_party_reference_1: '7',
		},
		{
			amount: 20,
			mobile: '254733123456',
			country_id: 1,
			currency: 'KES',
			third_party_reference_1: 'A-8',
		},
	]);
	expect(result.successJson.map(({ outcome }) => outcome)).toEqual(['accepted', 'accepted']);
});

it('says which column was used for what, and which were ignored', async () => {
	const rows = [1, 2].map((amount) => ({ amount, msisdn: '0712345678', country: 'KE', Notes: '' }));
	const { nodeHints } = await run(collect, rows);

	expect(nodeHints.map(({ message }) => message)).toContain(
		'Columns: "country" → Country, "amount" → Amount, "msisdn" → Mobile. Ignored: "Notes"',
	);
});

it('refuses a sheet that lacks a required column, with one clear error', async () => {
	const result = await run(collect, [{ Sum: 5 }, { Sum: 6, Notes: 'x' }]);

	expect(result.nodeError?.message).toBe(
		"The input has no column for 'Country', 'Mobile' [Item 0]",
	);
	expect(result.nodeError?.description).toContain('Its columns are "Sum", "Notes".');
	expect(service.tap.received).toHaveLength(0);
});

it('the same on the error output, for every row, with its own fields', async () => {
	const result = await run(collect, [{ Sum: 5 }, { Sum: 6 }], { onError: 'continueErrorOutput' });

	expect(result.failedJson.map(({ Sum }) => Sum)).toEqual([5, 6]);
	expect(result.successJson).toEqual([]);
	expect(service.tap.received).toHaveLength(0);
});

it('does not guess between two columns', async () => {
	const result = await run(collect, [
		{ amount: 5, country: 'KE', Phone: '0712345678', Telephone: '0733123456' },
	]);

	expect(result.nodeError?.message).toBe(
		'Several columns fit \'Mobile\': "Phone", "Telephone" [Item 0]',
	);
	expect(service.tap.received).toHaveLength(0);
});

it('what is wrong with a cell is told with the heading of its column', async () => {
	const result = await run(collect, [{ Total: 'much', Nation: 'Atlantis', msisdn: '0712345678' }]);

	expect(result.nodeError?.message).toContain(`'Country (column "Nation")' in row 2 is "Atlantis"`);
	expect(result.nodeError?.description).toContain(`'Amount (column "Total")' in row 2 is "much"`);
});

it.each([
	['Amount', 'Amount'],
	['amount', 'Amount'],
	['Amount (KES)', 'Amount (KES)'],
	['Total', 'Amount (column "Total")'],
])('a column with the heading %s is called %s', async (heading, label) => {
	const result = await run(collect, [{ [heading]: 'much', country: 'KE', mobile: '0712345678' }]);

	expect(result.nodeError?.message).toContain(`'${label}' in row 2 is "much"`);
});

it('what to do names labels of the editor', async () => {
	const result = await run(collect, [{ Phone: '1', Telephone: '2', Amount: 5, country: 'KE' }]);

	expect(result.nodeError?.description).toContain(
		"set 'Mapping Column Mode' to 'Map Each Column Manually'",
	);
});

it('the currency of the heading holds for every row', async () => {
	const rows = [{ 'Amount (KES)': 10, country: 'UG', mobile: '0712345678' }];
	const result = await run(collect, rows);

	expect(result.nodeError?.message).toContain('but Uganda collects in UGX');
	expect(service.tap.received).toHaveLength(0);
});

it.each([
	['another currency', { 'Amount (USD)': 100 }, 'USD is not a currency of this service'],
	['an old currency', { 'Amount (SLL)': 1000 }, 'SLL is not a currency of this service'],
	['a part of the currency', { 'Amount (cents)': 1000 }, '"cents" was not understood'],
	['thousands', { "Amount ('000)": 5 }, '"000" was not understood'],
	['a unit price', { Price: 5, Quantity: 3 }, 'beside "Quantity" it may be the price of one unit'],
])('a heading that may mean %s is refused before anything is sent', async (_, cells, why) => {
	const result = await run(collect, [{ ...cells, country: 'KE', mobile: '0712345678' }]);

	expect(result.nodeError?.message).toBe(
		`The heading "${Object.keys(cells)[0]}" does not say clearly what to send: ${why} [Item 0]`,
	);
	expect(service.tap.received).toHaveLength(0);
});

it('a cell cannot turn the amounts below "Amount (KES)" into another currency', async () => {
	const rows = [
		{ 'Amount (KES)': 10, Currency: 'UGX', country: 'KE', business: 'Shop', item: 'A' },
		{ 'Amount (KES)': 20, Currency: 'kes', country: 'UG', business: 'Shop', item: 'B' },
	];
	const result = await run(link, rows, { onError: 'continueErrorOutput' });

	expect(result.failedJson.map(({ error }) => (error as IDataObject).message)).toEqual([
		`'Currency' in row 2 is "UGX", but the heading "Amount (KES)" states another currency [Item 0]`,
	]);
	expect(sent()).toMatchObject([{ amount: '20', currency: 'KES' }]);
});

const HOOK = 'https://a.example/h';

it('an empty cell is as good as none, and a row may lack a cell that others have', async () => {
	await run(link, [
		{
			country: 'GH',
			amount: 5,
			business: 'Shop',
			item: 'A',
			email: '',
			phone: ' ',
			callback: HOOK,
		},
		{
			country: 'GH',
			amount: 6,
			business: 'Shop',
			item: 'B',
			email: 'a@example.com',
			callback: HOOK,
		},
	]);

	expect(sent()).toEqual([
		{
			country_id: 16,
			currency: 'GHS',
			amount: '5',
			business_name: 'Shop',
			item_name: 'A',
			callback_url: expect.stringContaining(HOOK) as string,
		},
		expect.objectContaining({ email: 'a@example.com', item_name: 'B' }),
	]);
});

it('additional fields fill what the sheet leaves empty, a logo for all rows included', async () => {
	const pixel = Buffer.from(
		'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
		'base64',
	);
	const logo = await storeBinary(pixel, { fileName: 'logo.png', mimeType: 'image/png' });
	const json = { country: 'KE', amount: 5, business: 'Shop', item: 'A' };
	const result = await runPayments(
		{
			...link,
			callbackUrl: HOOK,
			additionalFields: {
				logoBinaryProperty: 'data',
				redirectionUrl: 'https://example.com/a',
			},
		},
		{
			credential: service.credential(),
			items: [
				{ json, binary: { data: logo } },
				{ json: { ...json, item: 'B', Redirect: 'https://example.com/b' }, binary: { data: logo } },
			],
		},
	);

	expect(result.nodeError?.message).toBeUndefined();
	expect(sent().map(({ redirection_url }) => redirection_url)).toEqual([
		'https://example.com/a',
		'https://example.com/b',
	]);
	expect(service.sandbox.state.links.every(({ hasLogo }) => hasLogo)).toBe(true);
});

it('mapped by hand, each field may be a value or an expression', async () => {
	const result = await run(
		{
			...collect,
			columns: {
				...AUTO,
				mappingMode: 'defineBelow',
				value: {
					country: 'KE',
					amount: '={{ $json.a }}',
					mobile: '={{ $json.b }}',
					currency: null,
				},
			},
		},
		[
			{ a: 5, b: '0712345678' },
			{ a: 6, b: '0733123456' },
		],
	);

	expect(result.nodeError?.message).toBeUndefined();
	expect(sent().map(({ amount, mobile }) => [amount, mobile])).toEqual([
		[5, '254712345678'],
		[6, '254733123456'],
	]);
});

it('the fields of the other mode say nothing, whatever is left in them', async () => {
	await run({ ...collect, country: 'GH', amount: '99', mobile: '={{ $json.nothing.there }}' }, [
		{ amount: 5, country: 'KE', mobile: '0712345678' },
	]);

	expect(sent()).toMatchObject([{ amount: 5, country_id: 1 }]);
});

it('a cell that looks like an expression is text, and is never evaluated', async () => {
	const rows = [{ amount: 5, country: 'KE', mobile: '0712345678', ref: '={{ $execution.id }}' }];
	await run(collect, rows);

	expect(sent()).toMatchObject([{ third_party_reference_1: '={{ $execution.id }}' }]);
});

it.each([
	['getCollectionColumns', 'mobile', 'Mobile'],
	['getPaymentLinkColumns', 'businessName', 'Business Name'],
])('%s offers the fields to the editor', async (method, id, displayName) => {
	const { fields } = await resourceMapping(new UnifiedPayments(), method);

	expect(fields).toContainEqual(
		expect.objectContaining({ id, displayName, required: true, type: 'string' }),
	);
	expect(fields.find((field) => field.id === 'callbackUrl')).toMatchObject({ required: false });
});
