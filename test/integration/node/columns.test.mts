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

it.each([[[1, 2]], [[1]]])(
	'says which column was used for what, and which were ignored: %j',
	async (amounts) => {
		const rows = amounts.map((amount) => ({
			amount,
			msisdn: '0712345678',
			country: 'KE',
			Notes: '',
		}));
		const { nodeHints } = await run(SHEET, rows);
		expect(nodeHints.map(({ message }) => message)).toContain(
			'Columns: "country" → Country, "amount" → Amount, "msisdn" → Mobile. Ignored: "Notes"',
		);
	},
);

it('refuses a sheet that lacks a required column: one error, or every row on the error output', async () => {
	const rows = [{ Total: 5 }, { Total: 6, Notes: 'x' }];
	const { nodeError } = await run(SHEET, rows);
	expect(nodeError?.message).toBe("The input has no column for 'Country', 'Mobile' [Item 0]");
	expect(nodeError?.description).toContain('Its columns are "Total", "Notes".');
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
	expect(nodeError?.message).toMatch(/'Country' in .* is "Atlantis"/);
	expect(nodeError?.description).toMatch(/'Amount \(column "Total"\)' in .* is "much"/);
	const inShillings = await run(SHEET, [row({ 'Amount (KES)': 'much' })]);
	expect(inShillings.nodeError?.message).toContain(`'Amount (column "Amount (KES)")' in`);
});

it.each([
	['in another currency', { 'Amount (USD)': 100 }],
	['in thousands', { "Amount ('000)": 5 }],
	['of one unit', { Price: 5, Quantity: 3 }],
	['of one month', { Price: 5, Months: 3 }],
	['there twice', { Amount: 5, Amount_1: 9 }],
	['a reference without an order', { Amount: 5, Reference: '' }],
])('a heading that may be %s is refused before anything is sent', async (_, cells) => {
	const { nodeError } = await run(SHEET, [row(cells)]);
	expect(nodeError?.description).toContain('Nothing was sent.');
	expect(tap.received).toHaveLength(0);
});

it('a cell cannot turn the amounts below "Amount (KES)" into another currency', async () => {
	const callback = 'https://a.example/h';
	const rows = [
		{ 'Amount (KES)': 10, Currency: 'UGX', country: 'KE', business: 'Shop', item: 'A', callback },
		{ 'Amount (KES)': 20, Currency: 'kes', country: 'UG', business: 'Shop', item: 'B', callback },
	];
	expect(messages(await run(LINKS, rows, { onError: 'continueErrorOutput' }))).toEqual([
		expect.stringContaining('but the heading "Amount (KES)" states another currency'),
	]);
	expect(sent()).toMatchObject([{ amount: '20', currency: 'KES' }]);
});

describe('a sheet that was sent before', () => {
	const RESULTS = ['outcome', 'message', 'reference', 'orderReference'];
	const again = async (rows: IDataObject[]) =>
		await run(SHEET, rows, { onError: 'continueErrorOutput' });

	it.each<[string, IDataObject, string[], string]>([
		['with all results', { Order: 'A-1' }, RESULTS, 'duplicate'],
		['with its reference', { Order: 'A-1' }, ['reference'], 'duplicate'],
		['with all results, and no order', {}, RESULTS, 'duplicate'],
		// Nobody can tell whether it is the order.
		['with its reference, and no order', {}, ['reference'], 'not_sent'],
	])('is sent again %s written back', async (_, order, names, outcome) => {
		const cells = row({ amount: 10, ...order });
		const [result] = (await run(SHEET, [cells])).successJson;
		const written = Object.fromEntries(names.map((name) => [name, result![name] ?? '']));
		const second = await again([{ ...cells, ...written }]);
		expect([outcomes(second), sent().length]).toEqual([[outcome], 1]);
	});

	it('and corrected: what the last run said is neither compared nor passed on', async () => {
		const said = (message: string) =>
			row({ amount: 10, Order: 'A-1', outcome: 'not_sent', message, link: '' });
		const { successJson } = await again([said('7.12E+08'), said('7.13E+08')]);
		expect(successJson.map(({ outcome }) => outcome)).toEqual(['accepted', 'duplicate']);
		for (const item of successJson) expect(item).not.toHaveProperty('link');
	});
});

describe('columns of the user that are called like a result', () => {
	const AMINA = row({ amount: 10, message: 'Happy birthday Amina', what: 'Gift card' });

	it('are compared', async () => {
		const rows = [AMINA, { ...AMINA, message: 'Get well Baraka' }];
		const result = await run(SHEET, rows, { onError: 'continueErrorOutput' });
		expect([outcomes(result), sent()]).toEqual([['not_sent', 'not_sent'], []]);
		expect(messages(result)[0]).toContain('"message"');
	});

	it('come back from a check', async () => {
		const rows = [{ ...AMINA, link: 'x', data: { childOf: 'Amina' } }];
		const { successJson } = await run({ ...SHEET, operation: 'check' }, rows);
		expect(successJson).toMatchObject([{ items: rows }]);
	});

	it('are not taken for the result of this run', async () => {
		const { successJson } = await run(SHEET, [{ ...AMINA, link: 'x' }]);
		expect(successJson).toMatchObject([{ outcome: 'accepted', what: 'Gift card' }]);
		expect(successJson[0]).not.toHaveProperty('link');
	});

	it('are no difference where an earlier run has left them empty', async () => {
		const written = { outcome: 'accepted', message: 'Sent', link: 'x' };
		const cells = row({ amount: 10, Order: 'A-1' });
		const rows = [written, { outcome: '', message: '', link: '' }].map((result) => ({
			...cells,
			...result,
		}));
		expect(outcomes(await run(SHEET, rows))).toEqual(['accepted', 'duplicate']);
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
	await run(SHEET, [row({ amount: 5, order: '={{ $execution.id }}' })]);
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
