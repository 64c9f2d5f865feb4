import { columnsOf } from '../../../nodes/UnifiedPayments/fields/columns.ts';
import { create as collection } from '../../../nodes/UnifiedPayments/actions/collection/create.operation.ts';
import { create as link } from '../../../nodes/UnifiedPayments/actions/paymentLink/create.operation.ts';
import { matchHeadings } from '../../../nodes/UnifiedPayments/fields/sheet.ts';

const COLLECTION = columnsOf(collection.properties);
const LINK = [
	...columnsOf(link.properties).filter(({ field }) => field !== 'orderReference'),
	{ field: 'orderReference', label: 'Order Reference', required: false },
];

const ORDER_HEADINGS = [
	...['order', 'Order No', 'Order No.', 'order_id', 'Order Number', 'Order Ref', 'orderReference'],
	...['Invoice', 'Invoice No', 'Invoice Number', 'Invoice ID', 'Invoice Reference'],
	...['Bill', 'Bill No', 'Bill Number', 'Ref', 'Ref No', 'Reference', 'Reference Number'],
];

const match = (headings: string[], columns = COLLECTION) => {
	const { matched, ...rest } = matchHeadings(headings, columns);
	const pairs = matched.map(({ column, heading }) => [column.field, heading]);
	return { ...rest, fields: Object.fromEntries(pairs) as Record<string, string> };
};

describe('a field is found by', () => {
	it.each([
		['amount', 'Amount'],
		['amount', ' AMOUNT '],
		['amount', 'Amount (KES)'],
		['amount', 'amount_kes'],
		['amount', 'KES Amount'],
		['amount', 'Amount in UGX'],
		['amount', 'Total'],
		['amount', 'Total (TZS)'],
		['amount', 'Amount [to pay]'],
		['mobile', 'mobile'],
		['mobile', 'Phone Number'],
		['mobile', 'phone_number'],
		['mobile', 'MSISDN'],
		['mobile', 'Mobile No.'],
		['mobile', 'Cell-Phone'],
		['mobile', 'Phone (WhatsApp)'],
		['country', 'Country'],
		['country', 'country_id'],
		['country', 'Country Code'],
		['currency', 'Currency'],
		['currency', 'CCY'],
		['paymentMethodType', 'payment_method_type'],
		['paymentMethodType', 'Operator'],
		['callbackUrl', 'callback_url'],
		['thirdPartyReference1', 'third_party_reference_1'],
		['thirdPartyReference1', 'Order No'],
		['thirdPartyReference1', 'Reference'],
		['thirdPartyReference2', 'Customer ID'],
		...ORDER_HEADINGS.map((heading) => ['thirdPartyReference1', heading]),
	])('%s: %j', (field, heading) => {
		expect(match([heading!]).fields[field!]).toBe(heading);
	});

	it.each([
		['businessName', 'Business Name'],
		['businessName', 'business_name'],
		['itemName', 'Item'],
		['itemName', 'Description'],
		['firstName', 'First Name'],
		['lastName', 'Surname'],
		['email', 'E-mail'],
		['email', 'Email Address'],
		['phone', 'Mobile Number'],
		['phone', 'Customer Phone'],
		['redirectionUrl', 'Redirect URL'],
		['currencyCountry', 'currency_country_id'],
		['orderReference', 'Order Reference'],
		...ORDER_HEADINGS.map((heading) => ['orderReference', heading]),
	])('%s of a link: %j', (field, heading) => {
		expect(match([heading!], LINK).fields[field!]).toBe(heading);
	});
});

it('what the heading says about the currency is kept', () => {
	expect(match(['Amount (KES)']).currency).toBe('KES');
	expect(match(['total_ghs']).currency).toBe('GHS');
	expect(match(['Amount']).currency).toBeNull();
	expect(match(['KES']).fields).toEqual({});
});

it('lists what fits no field', () => {
	expect(match(['Amount', 'Notes', 'Paid?', '', '金額']).ignored).toEqual([
		'Notes',
		'Paid?',
		'',
		'金額',
	]);
});

it('lists required fields that are nowhere', () => {
	expect(match(['Amount', 'Phone']).missing.map(({ label }) => label)).toEqual(['Country']);
	expect(match([], LINK).missing.map(({ label }) => label)).toEqual([
		'Country',
		'Amount',
		'Business Name',
		'Item Name',
	]);
});

it("prefers the field's own name to a synonym, and leaves the synonym out", () => {
	const { fields, ignored, ambiguous } = match(['Phone Number', 'mobile']);
	expect(fields.mobile).toBe('mobile');
	expect(ignored).toEqual(['Phone Number']);
	expect(ambiguous).toEqual([]);
});

it('an order is a better order reference than a reference, which may be that of the service', () => {
	for (const [columns, field] of [
		[LINK, 'orderReference'],
		[COLLECTION, 'thirdPartyReference1'],
	] as const) {
		for (const order of ['Order', 'Invoice No', 'Bill (ours)']) {
			const { fields, ignored, ambiguous } = match(['reference', order], columns);
			expect(fields).toEqual({ [field]: order });
			expect(ignored).toEqual(['reference']);
			expect(ambiguous).toEqual([]);
		}
		expect(match(['Order', 'Invoice'], columns).ambiguous).toHaveLength(1);
		expect(match(['Ref', 'Reference'], columns).ambiguous).toHaveLength(1);
	}
});

it('does not guess between two that fit equally well', () => {
	const { fields, ambiguous } = match(['Phone', 'Telephone', 'Amount (KES)', 'Amount (UGX)']);
	expect(ambiguous.map(({ column, headings }) => [column.field, headings])).toEqual([
		['amount', ['Amount (KES)', 'Amount (UGX)']],
		['mobile', ['Phone', 'Telephone']],
	]);
	expect(fields).toEqual({});
});

it('never uses one heading for two fields', () => {
	const headings = [...new Set([...COLLECTION, ...LINK].map(({ label }) => label))];
	for (const columns of [COLLECTION, LINK]) {
		const { matched } = matchHeadings(headings, columns);
		expect(new Set(matched.map(({ heading }) => heading)).size).toBe(matched.length);
	}
});

it('no synonym stands for two fields of one operation', () => {
	const words = ['total', 'payment', 'description', 'reference', 'contact', 'phone', 'service'];
	words.push(...ORDER_HEADINGS);
	for (const columns of [COLLECTION, LINK]) {
		for (const word of words) {
			expect(matchHeadings([word], columns).matched.length).toBeLessThanOrEqual(1);
		}
	}
});

it('files and options are no columns', () => {
	expect(LINK.map(({ field }) => field)).not.toContain('logoBase64');
	expect(LINK.map(({ field }) => field)).toContain('phone');
	expect(COLLECTION.map(({ field }) => field)).toEqual([
		'country',
		'currency',
		'amount',
		'mobile',
		'paymentMethodType',
		'callbackUrl',
		'thirdPartyReference1',
		'thirdPartyReference2',
	]);
});
