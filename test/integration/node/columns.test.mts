import type { IDataObject } from 'n8n-workflow';

import { UnifiedPayments } from '../../../nodes/UnifiedPayments/UnifiedPayments.node.ts';
import { resourceMapping, storeBinary } from '../../../dev/host/engine/index.mts';
import { HOOK, messages, outcomes, SHEET, usePayments } from '../../helpers/payments.mts';

const { run, sandbox, tap } = usePayments({ isTapped: true });

const LINKS = { ...SHEET, resource: 'paymentLink' };
const sent = () => sandbox.state.ledger.entries.map(({ params }) => params);
/** With the columns that every collection needs. */
const row = (cells: IDataObject): IDataObject => ({
	country: 'KE',
	mobile: '0712345678',
	...cells,
});

it('reads a sheet by its headings', async () => {
	const result = await run(SHEET, [
		{ 'Phone Number': '0712 345678', 'Amount (KES)': '1,500.50', Country: 'Kenya', 'Order No': 7 },
		{ 'Phone Number': 733123456, 'Amount (KES)': 20, Country: 'KE', 'Order No': 'A-8' },
	]);
	expect(outcomes(result)).toEqual(['accepted', 'accepted']);
	const shared = { country_id: 1, currency: 'KES' };
	expect(sent()).toEqual([
		{ ...shared, amount: 1500.5, mobile: '254712345678', third_party_reference_1: '7' },
		{ ...shared, amount: 20, mobile: '254733123456', third_party_reference_1: 'A-8' },
	]);
});

it('says which column was used for what, and which were ignored', async () => {
	const rows = [1, 2].map((amount) => ({ amount, msisdn: '0712345678', country: 'KE', Notes: '' }));
	const { nodeHints } = await run(SHEET, rows);
	expect(nodeHints.map(({ message }) => message)).toContain(
		'Columns: "country" → Country, "amount" → Amount, "msisdn" → Mobile. Ignored: "Notes"',
	);
});

it('refuses a sheet that lacks a required column: one error, or every row on the error output', async () => {
	const rows = [{ Sum: 5 }, { Sum: 6, Notes: 'x' }];
	const { nodeError } = await run(SHEET, rows);
	expect(nodeError?.message).toBe("The input has no column for 'Country', 'Mobile' [Item 0]");
	expect(nodeError?.description).toContain('Its columns are "Sum", "Notes".');
	const { failedJson, successJson } = await run(SHEET, rows, { onError: 'continueErrorOutput' });
	expect(failedJson).toMatchObject(rows);
	expect(successJson).toEqual([]);
	expect(tap.received).toHaveLength(0);
});

it('does not guess between two columns, and what to do names labels of the editor', async () => {
	const { nodeError } = await run(SHEET, [
		{ amount: 5, country: 'KE', Phone: '0712345678', Telephone: '0733123456' },
	]);
	expect(nodeError?.message).toBe('Several columns fit \'Mobile\': "Phone", "Telephone" [Item 0]');
	expect(nodeError?.description).toContain(
		"set 'Mapping Column Mode' to 'Map Each Column Manually'",
	);
	expect(tap.received).toHaveLength(0);
});

it('what is wrong with a cell is told with the heading of its column', async () => {
	const { nodeError } = await run(SHEET, [row({ Total: 'much', country: 'Atlantis' })]);
	expect(nodeError?.message).toContain(`'Country' in row 2 is "Atlantis"`);
	expect(nodeError?.description).toContain(`'Amount (column "Total")' in row 2 is "much"`);
	const inShillings = await run(SHEET, [row({ 'Amount (KES)': 'much' })]);
	expect(inShillings.nodeError?.message).toContain(`'Amount (KES)' in row 2 is "much"`);
});

it.each([
	['another currency', { 'Amount (USD)': 100 }, 'USD is not a currency of this service'],
	['thousands', { "Amount ('000)": 5 }, '"000" was not understood'],
	['a unit price', { Price: 5, Quantity: 3 }, 'beside "Quantity" it may be the price of one unit'],
])('a heading that may mean %s is refused before anything is sent', async (_, cells, why) => {
	const { nodeError } = await run(SHEET, [row(cells)]);
	expect(nodeError?.message).toBe(
		`The heading "${Object.keys(cells)[0]}" does not say clearly what to send: ${why} [Item 0]`,
	);
	expect(tap.received).toHaveLength(0);
});

it('a cell cannot turn the amounts below "Amount (KES)" into another currency', async () => {
	const rows = [
		{ 'Amount (KES)': 10, Currency: 'UGX', country: 'KE', business: 'Shop', item: 'A' },
		{ 'Amount (KES)': 20, Currency: 'kes', country: 'UG', business: 'Shop', item: 'B' },
	];
	expect(messages(await run(LINKS, rows, { onError: 'continueErrorOutput' }))).toEqual([
		`'Currency' in row 2 is "UGX", but the heading "Amount (KES)" states another currency [Item 0]`,
	]);
	expect(sent()).toMatchObject([{ amount: '20', currency: 'KES' }]);
});

describe('a sheet that was sent before, with columns or rows that came later', () => {
	const order = (heading: string, more: IDataObject = {}): IDataObject =>
		row({ amount: 10, [heading]: 'A-1', ...more });
	const again = async (rows: IDataObject[]) =>
		outcomes(await run(SHEET, rows, { onError: 'continueErrorOutput' }));
	const RESULTS = ['outcome', 'message', 'reference', 'orderReference'];

	it.each<[heading: string, more: IDataObject, outcome: string]>([
		['Ref', { Order: '' }, 'duplicate'],
		['Order', { orderReference: null }, 'duplicate'],
		['Ref', { Outcome: '' }, 'not_sent'],
		['Order', { Invoice: 'B-2' }, 'not_sent'],
	])('%s, then with %j beside it: %s', async (heading, more, outcome) => {
		await run(SHEET, [order(heading)]);
		expect([await again([order(heading, more)]), sent().length]).toEqual([[outcome], 1]);
	});

	it.each(['Invoice', 'Order', 'Order Reference'])('a row with %s below', async (heading) => {
		await run(SHEET, [order('Ref')]);
		const other = order(heading, { [heading]: 'B-2' });
		expect(await again([order('Ref'), other])).toEqual(['duplicate', 'accepted']);
	});

	it.each([
		['Order', RESULTS, 'duplicate'],
		['Ref', RESULTS, 'duplicate'],
		['reference', RESULTS, 'duplicate'],
		['Ref', ['outcome', 'reference'], 'not_sent'],
		['reference', ['outcome', 'reference'], 'not_sent'],
	])('%s, with the results %j written back: %s', async (heading, names, outcome) => {
		const [result] = (await run(SHEET, [order(heading)])).successJson;
		const written = Object.fromEntries(names.map((name) => [name, result![name] ?? '']));
		expect([await again([order(heading, written)]), sent().length]).toEqual([[outcome], 1]);
	});
});

it('an empty cell is as good as none, and a row may lack a cell that others have', async () => {
	const shared = { country: 'GH', business: 'Shop', callback: HOOK };
	await run(LINKS, [
		{ ...shared, amount: 5, item: 'A', email: '', phone: ' ' },
		{ ...shared, amount: 6, item: 'B', email: 'a@example.com' },
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
	const pixel = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
	const data = await storeBinary(pixel, { fileName: 'logo.png', mimeType: 'image/png' });
	const json = { country: 'KE', amount: 5, business: 'Shop', item: 'A' };
	const redirectionUrl = 'https://example.com/a';
	const additionalFields = { logoBinaryProperty: 'data', redirectionUrl };
	const result = await run({ ...LINKS, callbackUrl: HOOK, additionalFields }, [
		{ json, binary: { data } },
		{ json: { ...json, item: 'B', Redirect: 'https://example.com/b' }, binary: { data } },
	]);
	expect(result.nodeError?.message).toBeUndefined();
	expect(sent().map(({ redirection_url }) => redirection_url)).toEqual([
		redirectionUrl,
		'https://example.com/b',
	]);
	expect(sandbox.state.links.every(({ hasLogo }) => hasLogo)).toBe(true);
});

it('mapped by hand, each field may be a value or an expression', async () => {
	const value = {
		country: 'KE',
		amount: '={{ $json.a }}',
		mobile: '={{ $json.b }}',
		currency: null,
	};
	const columns = { ...(SHEET.columns as object), mappingMode: 'defineBelow', value };
	await run({ ...SHEET, columns }, [
		{ a: 5, b: '0712345678' },
		{ a: 6, b: '0733123456' },
	]);
	expect(sent()).toMatchObject([
		{ amount: 5, mobile: '254712345678' },
		{ amount: 6, mobile: '254733123456' },
	]);
});

it('the fields of the other mode say nothing, whatever is left in them', async () => {
	const left = { country: 'GH', amount: '99', mobile: '={{ $json.nothing.there }}' };
	await run({ ...SHEET, ...left }, [row({ amount: 5 })]);
	expect(sent()).toMatchObject([{ amount: 5, country_id: 1 }]);
});

it('a cell that looks like an expression is text, and is never evaluated', async () => {
	await run(SHEET, [row({ amount: 5, ref: '={{ $execution.id }}' })]);
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
