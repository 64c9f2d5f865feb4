import { columnsOf } from '../../../nodes/UnifiedPayments/fields/columns.ts';
import { create as collection } from '../../../nodes/UnifiedPayments/actions/collection/create.operation.ts';
import { create as link } from '../../../nodes/UnifiedPayments/actions/paymentLink/create.operation.ts';
import { openSheet, type Column } from '../../../nodes/UnifiedPayments/fields/sheet.ts';

const COLLECTION = columnsOf(collection.properties);
const LINK = [
	...columnsOf(link.properties).filter(({ field }) => field !== 'orderReference'),
	{ field: 'orderReference', label: 'Order Reference', required: false },
];

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
		['mobile', 'Phone (WhatsApp)'],
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
		['email', 'E-mail | Email Address'],
		['phone', 'Mobile Number | Customer Phone'],
		['redirectionUrl', 'Redirect URL'],
		['currencyCountry', 'currency_country_id'],
		['orderReference', ORDER_HEADINGS],
	])('%s of a link: %s', (field, headings) => {
		for (const heading of headings.split(' | '))
			expect([heading, match([heading], LINK).fields[field]]).toEqual([heading, heading]);
	});
});

it('what the heading says about the currency is kept', () => {
	expect(match(['Amount (KES)']).currency).toBe('KES');
	expect(match(['total_ghs']).currency).toBe('GHS');
	expect(match(['Amount']).currency).toBeUndefined();
	expect(match(['KES']).fields).toEqual({});
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
		}
	}
});

it.each([
	['Amount', 'Amount (KES)', 'Amount (UGX)'],
	['Mobile', 'Phone', 'Telephone'],
	['Order Reference', 'Order', 'Invoice'],
	['Order Reference', 'Ref', 'Reference'],
])('does not guess between two that fit %s equally well: %s, %s', (label, one, other) => {
	const refusal = `Several columns fit '${label}': "${one}", "${other}"`;
	expect(() => match([one, other])).toThrow(refusal);
});

it('files and options are no columns', () => {
	expect(LINK.map(({ field }) => field)).not.toContain('logoBase64');
	expect(LINK.map(({ field }) => field)).toContain('phone');
	expect(COLLECTION.map(({ field }) => field)).toEqual([
		...['country', 'currency', 'amount', 'mobile', 'paymentMethodType', 'orderReference'],
		...['callbackUrl', 'thirdPartyReference2'],
	]);
});
