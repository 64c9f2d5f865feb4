import type { IDataObject } from 'n8n-workflow';

import {
	columnsOf,
	mapperFieldsOf,
	propertiesIn,
} from '../../../nodes/UnifiedPayments/fields/columns.ts';
import { create as collection } from '../../../nodes/UnifiedPayments/actions/collection/create.operation.ts';
import { create as link } from '../../../nodes/UnifiedPayments/actions/paymentLink/create.operation.ts';
import type { Column } from '../../../nodes/UnifiedPayments/fields/columns.ts';
import { labelOfColumn } from '../../../nodes/UnifiedPayments/fields/headings.ts';
import { openSheet } from '../../../nodes/UnifiedPayments/fields/sheet.ts';

const COLLECTION = columnsOf(collection.properties);
const LINK = [
	...columnsOf(link.properties).filter(({ field }) => field !== 'orderReference'),
	{ field: 'orderReference', label: 'Order Reference', required: false },
];

const NOTHING_REQUIRED = [...COLLECTION, ...LINK].map((column) => ({ ...column, required: false }));

const ORDER_HEADINGS =
	'order | Order No | Order No. | order_id | Order Number | Order Ref | Order Reference | ' +
	'orderReference | Invoice | Invoice No | Invoice Number | Invoice ID | Invoice Reference | ' +
	'Bill | Bill No | Bill Number | Ref | Ref No | Reference | Reference Number';

const open = (headings: readonly string[], columns: readonly Column[]) =>
	openSheet([Object.fromEntries(headings.map((heading) => [heading, 'x']))], columns);

/** Which heading fills which field, whether or not the sheet is complete. */
function match(headings: readonly string[], columns: readonly Column[] = COLLECTION) {
	const sheet = open(
		headings,
		columns.map((column) => ({ ...column, required: false })),
	);
	const found = columns.flatMap(({ field }) => {
		const heading = sheet.heading(field);
		return heading === undefined ? [] : [[field, heading]];
	});
	const fields = Object.fromEntries(found) as Record<string, string>;
	return { fields, currency: sheet.fields(0, {}).currency, told: sheet.hint().message };
}

describe('a field is found by', () => {
	it.each([
		['mobile', 'mobile | Phone Number | phone_number | MSISDN | Mobile No. | Cell-Phone'],
		[
			'mobile',
			'Phone (WhatsApp) | Mobile (M-Pesa no.) | Phone [e.g. +254 7xx] | Cell {Payer’s} (Kenya)',
		],
		['country', 'Country | country_id | Country Code'],
		['currency', 'Currency | CCY'],
		['paymentMethodType', 'payment_method_type | Operator'],
		['callbackUrl', 'callback_url'],
		['orderReference', 'third_party_reference_1'],
		['orderReference', ORDER_HEADINGS],
		['thirdPartyReference2', 'Customer ID'],
	])('%s: %s', (field, headings) => {
		for (const heading of headings.split(' | '))
			expect([heading, match([heading]).fields[field]]).toEqual([heading, heading]);
	});

	it.each([
		['businessName', 'Business Name | business_name'],
		['itemName', 'Item | Description'],
		['firstName', 'First Name'],
		['lastName', 'Surname'],
		['email', 'E-mail | Email (Address)'],
		['phone', 'Mobile Number | Customer Phone'],
		['redirectionUrl', 'Redirect URL'],
		['currencyCountry', 'currency_country_id'],
		['orderReference', ORDER_HEADINGS],
	])('%s of a link: %s', (field, headings) => {
		for (const heading of headings.split(' | '))
			expect([heading, match([heading], LINK).fields[field]]).toEqual([heading, heading]);
	});
});

it('a remark that may speak of somebody else, or against the number, is no payer', () => {
	const remarks =
		'(next of kin) | (guarantor) | (agent) | [old] | (not M-Pesa) | (no M-Pesa) | ()(2) {x-y}';
	for (const remark of remarks.split(' | ')) {
		expect(match([`Mobile ${remark}`, `Phone ${remark}`], COLLECTION).fields).toEqual({});
		expect(match([`Email ${remark}`, `Customer Phone ${remark}`], LINK).fields).toEqual({});
	}
});

it('what the heading says about the currency is kept', () => {
	expect(match(['Amount (KES)']).currency).toBe('KES');
	expect(match(['total_ghs']).currency).toBe('GHS');
	expect(match(['Amount']).currency).toBeUndefined();
	expect(match(['KES']).fields).toEqual({});
	const sheet = openSheet([{ 'Amount (KES)': 5, Description: 'UGX' }], NOTHING_REQUIRED);
	expect(sheet.fields(0, {})).toMatchObject({ currency: 'KES', itemName: 'UGX' });
});

it('lists what fits no field', () => {
	expect(match(['Amount', 'Notes', 'Paid?', '', '金額']).told).toBe(
		'Columns: "Amount" → Amount. Ignored: "Notes", "Paid?", "", "金額"',
	);
});

it('lists required fields that are nowhere', () => {
	expect(() => open(['Amount', 'Phone'], COLLECTION)).toThrow(
		"The input has no column for 'Country'",
	);
	expect(() => open([], LINK)).toThrow(
		"The input has no column for 'Country', 'Amount', 'Business Name', 'Item Name'",
	);
	const advice = (...headings: string[]) => {
		const description = expect.stringContaining(
			`Its columns are ${headings.join(', ')}.`,
		) as string;
		return expect.objectContaining({ description }) as Error;
	};
	expect(() => open([], LINK)).toThrow(advice('none'));
	const names = Array.from({ length: 51 }, (_, n) => `c${n}`);
	const fifty = names.slice(0, 50).map((name) => `"${name}"`);
	expect(() => open(names.slice(0, 50), LINK)).toThrow(advice(...fifty));
	expect(() => open(names, LINK)).toThrow(advice(...fifty, 'and 1 more'));
});

it("prefers the field's own name to a synonym, and leaves the synonym out", () => {
	const { fields, told } = match(['Phone Number', 'mobile']);
	expect(fields.mobile).toBe('mobile');
	expect(told).toMatch(/Ignored: "Phone Number"$/);
});

it('an order is a better order reference than a reference, which may be that of the service', () => {
	for (const columns of [LINK, COLLECTION]) {
		for (const order of ['Order', 'Invoice No', 'Bill (ours)']) {
			const { fields, told } = match(['reference', order], columns);
			expect(fields).toEqual({ orderReference: order });
			expect(told).toMatch(/Ignored: "reference"$/);
			const both = match([order, 'Order (2)'], columns);
			expect([both.fields, both.told]).toEqual([{}, expect.not.stringContaining('Ignored')]);
		}
	}
});

it.each([
	['Amount', 'Amount (KES)', 'Amount (UGX)'],
	['Mobile', 'Phone', 'Telephone', 'Mobile (M-Pesa)'],
])('does not guess between two that fit %s equally well: %s, %s', (label, one, other, ...more) => {
	const message = `Several columns fit '${label}': "${one}", "${other}"`;
	const refusal = expect.objectContaining({ message }) as Error;
	expect(() => match([one, other, ...more])).toThrow(refusal);
});

it('columns in which nothing stands are there all the same, and a heading may be too long', () => {
	const empty = { Country: 'KE', Amount: '', Phone: '', Telephone: '', Order: '' };
	expect(openSheet([empty], COLLECTION).hint().message).toContain('"Order" → Order Reference');
	expect(match(['Mobile'.padEnd(5000)]).fields).toEqual({});
});

it.each([
	['Mobile', 'mobile', 'Mobile'],
	['Wallet Name or ID', 'wallet', 'Wallet'],
	['Mobile', ' Mobile (M-Pesa) ', 'Mobile (M-Pesa)'],
	['Mobile', 'Mobile (M-Pesa', 'Mobile (column "Mobile (M-Pesa")'],
])('%s in the column %j is called %j in errors', (label, heading, told) => {
	expect(labelOfColumn(label, heading)).toBe(told);
});

describe('the order of a row', () => {
	const order = (cells: IDataObject, ...others: IDataObject[]) =>
		openSheet([cells, ...others], NOTHING_REQUIRED).fields(0, {}).orderReference;

	it.each<[unknown, IDataObject, ...IDataObject[]]>([
		['A-1', { Order: 'A-1', orderReference: '' }],
		['A-1', { Ref: 'A-1', Order: null, Invoice: ' \u200b' }],
		['A-1', { Ref: 'A-1' }, { Order: 'B-2' }, { orderReference: 'B-3', Invoice: 77 }],
		['A-1', { Order: 'A-1' }, { orderReference: 'B-2', outcome: 'accepted' }],
		['A-1', { reference: 'R-1', Order: 'A-1', Outcome: 'accepted' }],
		['A-1', { Ref: 'A-1', linkFrom: '' }],
		[7, { Order: '7 ', orderReference: 7 }],
		[undefined, { Ref: '', Outcome: '' }, { Ref: 'B-2' }],
		[undefined, { Ref: '', link: 'x', message: 'x', linkFrom: '' }],
		[undefined, { reference: '' }, { reference: 'R-2', outcome: 'accepted' }],
		[undefined, { reference: '', orderReference: '', outcome: 'accepted' }],
	])('is %j in %j', (expected, ...rows) => {
		expect(order(...rows)).toBe(expected);
	});

	it.each<[string, IDataObject, ...IDataObject[]]>([
		['in the column "orderReference", but "B-2" in', { Order: 'B-2', orderReference: 'A-1' }],
		['in the column "Order", but 77 in the column "Invoice"', { Order: 'A-1', Invoice: 77 }],
		['in the column "Ref", but "B-2" in', { Ref: 'A-1', Reference: 'B-2' }],
		['beside "Outcome", "Ref" may be', { Ref: 'A-1', Outcome: '' }],
		['beside "outcome", "Ref" may be', { Ref: 'A-1' }, { outcome: 'accepted' }],
		['beside "linkFrom", "Ref" may be', { Ref: 'A-1' }, { linkFrom: 'reply' }],
		['in the column "orderReference", but "00123" in', { Ref: '00123', orderReference: 123 }],
		['in the column "Invoice", but "R-1" in', { Reference: 'R-1', Invoice: 'A-1', link: 'x' }],
		['in the column "Ref", but "B-2" in', { Ref: 'A-1', 'Ref (old)': 'B-2' }],
		['written over it', { Reference: '', Invoice: '', outcome: 'accepted' }, { Invoice: 'B-2' }],
		['written over it', { Ref: '', outcome: '', link: 'x' }],
	])('is refused: %s', (reason, ...rows) => {
		expect(order(...rows)).toMatchObject({
			reason: expect.stringContaining(reason) as string,
			allowed: expect.stringMatching(
				/^If it is your order, rename|^Correct or empty one|ut your .* remove the column "Ref/,
			) as string,
		});
	});
});

const PHONE_INSTEAD = {
	given: '',
	reason: 'but another column has a value',
	allowed: expect.stringMatching(/"Phone" has a value, but "Mobile" is the one/) as string,
};

it.each<[string, unknown, ...IDataObject[]]>([
	['mobile', '0712345678', { Mobile: '', Phone: '0712345678' }],
	['amount', 10, { Amount: 10, Total: '', 'Amount (USD)': null, Qty: '' }],
	['amount', 10, { Price: 10, Qty: '' }],
	['mobile', PHONE_INSTEAD, { Mobile: '', Phone: '0712345678' }, { Mobile: '0733123456' }],
	['firstName', 'Amina', { Name: 'Amina', 'First Name': '' }, { 'First Name': 'Kofi' }],
	['firstName', 'Amina', { Name: 'Kofi', 'First Name': 'Amina' }],
	['firstName', 'Amina', { Name: 'Amina' }, { 'Customer Name': 'Kofi', 'Full Name': '' }],
])('an empty column never hides a filled one: %s is %j in %j', (field, expected, ...rows) => {
	const fields = openSheet(rows, NOTHING_REQUIRED).fields(0, {});
	expect(fields).toMatchObject({ [field]: expected });
});

describe('a full name', () => {
	const opened = (...rows: IDataObject[]) => openSheet(rows, NOTHING_REQUIRED);

	it.each<[unknown, unknown, ...IDataObject[]]>([
		['Amina', 'Wanjiru Okoro', { Name: ' Amina  Wanjiru Okoro ' }],
		['Amina', undefined, { Name: 'Amina' }],
		[undefined, undefined, { Name: 42 }],
		[undefined, undefined, { Name: '12 34' }],
		['Amina', undefined, { Name: 'Brian Otieno', 'First Name': 'Amina' }],
		['Amina', 'Okoro', { Name: 'Amina Okoro', Surname: ' ' }, { Surname: 'Otieno' }],
	])('is %j and %j: %j', (firstName, lastName, ...rows) => {
		const { firstName: first, lastName: last } = opened(...rows).fields(0, {});
		expect([first, last]).toEqual([firstName, lastName]);
	});

	it('is told, and what no row uses is left out', () => {
		const sheet = opened({ Name: 'Amina Okoro', 'Full Name': '', row_number: 2, Notes: 'x' });
		expect(sheet.hint()).toEqual({
			message: 'Columns: "Name" → first and last name. Ignored: "Full Name", "row_number", "Notes"',
			type: 'info',
			location: 'outputPane',
		});
		expect(sheet.unused).toEqual(['Full Name', 'Notes']);
		expect(opened({ Name: 'x' }).hint().message).toBe('Columns: "Name" → first and last name');
		expect(opened({ Name: 'Amina O', Surname: 'O' }).unused).toEqual(['Name']);
	});
});

it('many columns for one field are refused, so that a row is read in no time', () => {
	for (const word of ['Order', 'Name', 'Phone']) {
		const rows = Array.from({ length: 20_000 }, (_, n) => ({ [`${word} (${n})`]: 'x' }));
		expect(() => openSheet(rows, NOTHING_REQUIRED)).toThrow('Several columns fit');
	}
	const names = Array.from({ length: 20 }, (_, n) => ({ [`Name (${n})`]: 'x' }));
	expect(() => openSheet(names, NOTHING_REQUIRED)).not.toThrow();
});

it('no synonym stands for two fields of one operation', () => {
	const words = ['total', 'payment', 'description', 'reference', 'contact', 'phone', 'service'];
	words.push(...ORDER_HEADINGS.split(' | '));
	for (const columns of [COLLECTION, LINK]) {
		for (const word of words) {
			expect(Object.keys(match([word], columns).fields).length).toBeLessThanOrEqual(1);
		}
	}
});

it('each way of input has its own fields, and the mapper those of a row', () => {
	const namesIn = (mode: 'columns' | 'fields') =>
		propertiesIn(mode, collection.properties).map(({ name }) => name);
	const inBoth = ['callbackUrl', 'additionalFields', 'options'];
	expect(namesIn('columns')).toEqual(inBoth);
	expect(namesIn('fields')).toEqual([
		...['country', 'currency', 'amount', 'mobile', 'paymentMethodType', 'orderReference'],
		...inBoth,
	]);
	const country = { id: 'country', displayName: 'Country', required: true, type: 'string' };
	expect(mapperFieldsOf(collection.properties).fields).toContainEqual({
		...{ ...country, display: true },
		...{ defaultMatch: false, canBeUsedToMatch: false },
	});
});

it('files and options are no columns', () => {
	expect(LINK.map(({ field }) => field)).not.toContain('logoBase64');
	expect(LINK.map(({ field }) => field)).toContain('phone');
	expect(COLLECTION.map(({ field }) => field)).toEqual([
		...['country', 'currency', 'amount', 'mobile', 'paymentMethodType', 'orderReference'],
		...['callbackUrl', 'thirdPartyReference2'],
	]);
});
