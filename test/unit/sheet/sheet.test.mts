import type { IDataObject } from 'n8n-workflow';

import {
	columnsOf,
	mapperFieldsOf,
	propertiesIn,
} from '../../../nodes/UnifiedPayments/fields/columns.ts';
import { create as collection } from '../../../nodes/UnifiedPayments/actions/collection/create.operation.ts';
import { create as link } from '../../../nodes/UnifiedPayments/actions/paymentLink/create.operation.ts';
import { UnclearValue } from '../../../nodes/UnifiedPayments/fields/field.ts';
import { openSheet } from '../../../nodes/UnifiedPayments/sheet/sheet.ts';

const LINK = columnsOf(link.properties);
const COLLECTION = columnsOf(collection.properties);
const optional = LINK.map((column) => ({ ...column, required: false }));
const fieldsOf = (...rows: IDataObject[]) => openSheet(rows, optional).fields(0, {});

it('says which column fills what, and which fill nothing', () => {
	const cells = { Amount: 1, For: 'Tea', Notes: '', row_number: 2, outcome: 'accepted' };
	const sheet = openSheet([cells], optional);
	expect(sheet.hint().message).toBe(
		'Columns: "Amount" → Amount, "For" → Item Name. Ignored: "Notes"',
	);
	expect([sheet.unused, sheet.heading('itemName'), sheet.heading('email')]).toEqual([
		['Notes'],
		'For',
		undefined,
	]);
});

it('an empty cell leaves what the node says itself', () => {
	const sheet = openSheet([{ Amount: ' ', Email: null, Order: '' }], optional);
	const own = { amount: 5, email: 'a@example.com', orderReference: 'A-1' };
	expect(sheet.fields(0, own)).toEqual(own);
});

describe('the order of a row beside the one that an earlier run wrote', () => {
	it.each<[unknown, IDataObject]>([
		['A-1', { Order: 'A-1', orderReference: '' }],
		['A-1', { Order: 'A-1', orderReference: ' A-1' }],
		[7, { Order: 7, orderReference: '7' }],
		['A-1', { orderReference: 'A-1' }],
		[undefined, { Order: '', orderReference: null }],
	])('is %j in %j', (expected, cells) => {
		expect(fieldsOf(cells).orderReference).toBe(expected);
	});

	it.each<IDataObject>([
		{ Order: 'A-1', orderReference: 'B-2' },
		{ Order: '', orderReference: 'B-2' },
		{ Order: '00123', orderReference: 123 },
	])('is refused in %j', (cells) => {
		expect(fieldsOf(cells).orderReference).toBeInstanceOf(UnclearValue);
	});
});

it('the heading of the amount states the currency of all rows, and no cell another one', () => {
	const of = (Currency: unknown) =>
		fieldsOf({ 'Amount (KES)': 5, Currency } as IDataObject).currency;
	for (const cell of ['KES', ' kes ', '', null, 'auto']) expect(of(cell)).toBe('KES');
	expect(of('UGX')).toMatchObject({ reason: expect.stringContaining('states another') as string });
	expect(openSheet([{ 'Total (KES)': 5 }], optional).currency).toBe('KES');
	expect(openSheet([{ Total: 5 }], optional).currency).toBeNull();
});

it('the customer is named as the sheet has it', () => {
	const sheet = openSheet([{ Name: '', Client: 'Amina Otieno' }, { Name: 'Brian' }, {}], optional);
	expect([0, 1, 2, 3].map(sheet.customer)).toEqual(['Amina Otieno', 'Brian', undefined, undefined]);
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
