'use strict';

/** Where the payers live: the service's number for the country, its currency and its dial code. */
const COUNTRIES = {
	Kenya: { id: 1, currency: 'KES', dial: '254' },
	Tanzania: { id: 10, currency: 'TZS', dial: '255' },
	Uganda: { id: 11, currency: 'UGX', dial: '256' },
};
const NAMES = Object.keys(COUNTRIES);

/** The sheet's headings, as a person would write them, by the node's own field names. */
const HEADINGS = {
	country: 'Country',
	currency: 'Currency',
	amount: 'Amount',
	mobile: 'Phone Number',
	paymentMethodType: 'Payment Method Type',
	callbackUrl: 'Callback URL',
	orderReference: 'Third Party Reference 1',
	thirdPartyReference2: 'Third Party Reference 2',
};

/** Row number `index` of a sheet; `run` makes its references like those of no other run. */
function sheetRow(run, index) {
	const country = NAMES[index % NAMES.length];
	const { currency, dial } = COUNTRIES[country];
	return {
		Country: country,
		Currency: currency,
		Amount: 100 + (index % 900),
		'Phone Number': `${dial}7${10_000_000 + index}`,
		'Payment Method Type': 'mobile money',
		'Callback URL': 'https://shop.example.com/callbacks/payments',
		'Third Party Reference 1': `order-${run}-${index}`,
		'Third Party Reference 2': `customer-${index % 97}`,
	};
}

/** The same row as a payment link. */
function linkRow(run, index) {
	const {
		'Payment Method Type': _type,
		'Third Party Reference 1': order,
		'Third Party Reference 2': _customer,
		...row
	} = sheetRow(run, index);
	return { ...row, 'Business Name': 'Amina Shop', 'Item Name': 'Rent', 'Order No': order };
}

/** What the service wants, from values by the node's own field names. */
function paramsOf(row) {
	return {
		amount: row.amount,
		mobile: row.mobile,
		country_id: COUNTRIES[row.country].id,
		currency: row.currency,
		payment_method_type: row.paymentMethodType,
		callback_url: row.callbackUrl,
		third_party_reference_1: row.orderReference,
		third_party_reference_2: row.thirdPartyReference2,
	};
}

/** A row of the sheet by the node's own field names. */
function byField(row) {
	return Object.fromEntries(
		Object.entries(HEADINGS).map(([field, heading]) => [field, row[heading]]),
	);
}

module.exports = { COUNTRIES, HEADINGS, byField, linkRow, paramsOf, sheetRow };
