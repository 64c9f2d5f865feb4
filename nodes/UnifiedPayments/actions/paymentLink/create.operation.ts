import { z } from 'zod';

import type { Country } from '../../countries/data';
import { countriesWithCurrency } from '../../countries/lookup';
import { fieldsOrColumns } from '../../fields/columns';
import { countryField, currencyCountryField, currencyField } from '../../fields/country';
import { createLinkOptionsField } from '../../descriptions/options';
import { amountField, callbackUrlField } from '../../fields/callbackUrl';
import { readAmount } from '../../fields/amount';
import { collect } from '../../fields/inputError';
import * as field from '../../fields/text';
import { readLogoBytes, readLogoText } from '../../fields/logo';
import { readMobile, type MobileFormat } from '../../fields/mobile';
import { and, bad, given, good, type Read } from '../../fields/read';
import { linkIn, referenceIn } from '../../output/created';
import { ENDPOINTS } from '../../protocol/endpoints';
import type { CreateOperation, RowHost } from '../operation';
import { amountIn, currencyIn, withoutBlanks, withToken } from '../prepare';

/** Each field by itself. Made once: a sheet has many rows. */
const fields = z.object({
	country: field.kept(field.readCountry('paymentLinks')),
	currency: field.kept(field.readCurrency),
	amount: field.kept(readAmount),
	businessName: field.kept(field.readText),
	itemName: field.kept(field.readText),
	callbackUrl: field.kept(field.maybe(field.readUrl)),
	redirectionUrl: field.kept(field.maybe(field.readUrl)),
	currencyCountry: field.kept(field.maybe(field.readCountry('paymentLinks'))),
	firstName: field.kept(field.maybe(field.readText)),
	lastName: field.kept(field.maybe(field.readText)),
	email: field.kept(field.maybe(field.readEmail)),
	phone: z.unknown(),
	logoBinaryProperty: z.unknown(),
	logoBase64: z.unknown(),
});

/** And those that depend on another, or are shared by many rows. */
function readRow(raw: field.RawFields, mobileFormat: MobileFormat, host: RowHost) {
	const row = fields.parse(raw);
	const currency = and(row.currency, (code) =>
		given(row.country, (country) => good(currencyIn(code, country))),
	);
	const payer = and(row.currencyCountry, (chosen) => (chosen ? good(chosen) : row.country));
	return {
		...row,
		currency,
		currencyCountry: and(row.currencyCountry, (chosen) =>
			given(currency, (code) => usesCurrency(chosen, code)),
		),
		amount: and(row.amount, (amount) => given(currency, (code) => amountIn(amount, code))),
		phone: field.maybe((phone) =>
			given(payer, (country) => readMobile(phone, country, mobileFormat)),
		)(row.phone),
		logoBinaryProperty: field.maybe((file) => host.once(file, () => readFile(file)))(
			row.logoBinaryProperty,
		),
		logoBase64: field.maybe((text) => host.once(text, () => readLogoText(text)))(row.logoBase64),
	};
}

function usesCurrency(country: Country | undefined, currency: string): Read<Country | undefined> {
	if (!country || country.currency === currency) return good(country);
	const names = countriesWithCurrency(currency).map((each) => each.name);
	return bad(`which does not use ${currency}`, `Choose ${names.join(' or ')}, or leave it empty.`);
}

/** The router put the file's content where its name stood. */
const readFile = (given: unknown): Read<string> =>
	Buffer.isBuffer(given)
		? readLogoBytes(given)
		: bad('which is not a file of this row', 'Name a binary field of the input, e.g. data.');

async function withLogoFile(raw: field.RawFields, host: RowHost): Promise<field.RawFields> {
	const { logoBinaryProperty: property } = raw;
	if (typeof property !== 'string' || field.isBlank(property)) return raw;
	return { ...raw, logoBinaryProperty: (await host.binary(property.trim())) ?? property };
}

export const create: CreateOperation = {
	kind: 'create',
	name: 'the payment link',
	path: ENDPOINTS.createPaymentLink,
	empty: { reference: null, link: null },

	option: {
		name: 'Create',
		value: 'create',
		action: 'Create payment link',
		description: 'Make a hosted page where a customer can pay a given amount',
	},

	properties: [
		...fieldsOrColumns('getPaymentLinkColumns', [
			countryField('paymentLinks'),
			currencyField,
			amountField,
			{
				displayName: 'Business Name',
				name: 'businessName',
				type: 'string',
				required: true,
				default: '',
				placeholder: 'e.g. Amina Shop',
				description: 'Shown to the customer at the top of the payment page',
			},
			{
				displayName: 'Item Name',
				name: 'itemName',
				type: 'string',
				required: true,
				default: '',
				placeholder: 'e.g. Order 1042',
				description: 'What the payment is for',
			},
		]),
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add field',
			default: {},
			options: [
				callbackUrlField,
				currencyCountryField,
				{
					displayName: 'Customer Email',
					name: 'email',
					type: 'string',
					default: '',
					placeholder: 'e.g. amina@example.com',
					description: 'Filled in for the customer on the payment page',
				},
				{
					displayName: 'Customer First Name',
					name: 'firstName',
					type: 'string',
					default: '',
					placeholder: 'e.g. Amina',
					description: 'Filled in for the customer on the payment page',
				},
				{
					displayName: 'Customer Last Name',
					name: 'lastName',
					type: 'string',
					default: '',
					placeholder: 'e.g. Okoro',
					description: 'Filled in for the customer on the payment page',
				},
				{
					displayName: 'Customer Phone',
					name: 'phone',
					type: 'string',
					default: '',
					placeholder: 'e.g. 0712 345678',
					description:
						'Filled in for the customer on the payment page. Write it as people do: the dial code of the country, or of the currency country when set, is added.',
				},
				{
					displayName: 'Logo (Base64)',
					name: 'logoBase64',
					type: 'string',
					default: '',
					placeholder: 'e.g. iVBORw0KGgo…',
					description: 'Your logo as base64 text: PNG, JPEG, GIF, WebP or SVG, at most 2 MB',
				},
				{
					displayName: 'Logo Binary Field',
					name: 'logoBinaryProperty',
					type: 'string',
					default: '',
					placeholder: 'e.g. data',
					hint: 'The name of the input field with the logo file',
					description:
						'Your logo from a file of the input: PNG, JPEG, GIF, WebP or SVG, at most 2 MB',
				},
				{
					displayName: 'Redirection URL',
					name: 'redirectionUrl',
					type: 'string',
					default: '',
					placeholder: 'e.g. https://shop.example.com/thanks',
					description: 'Where the customer goes after the payment',
				},
			],
		},
		createLinkOptionsField,
	],

	async prepare(raw, options, callbackToken, host) {
		const row = collect(readRow(await withLogoFile(raw, host), options.mobileFormat, host), raw);
		const logo = row.logoBinaryProperty ?? row.logoBase64;
		const shown = withoutBlanks({
			business_name: row.businessName,
			item_name: row.itemName,
			callback_url: row.callbackUrl,
			redirection_url: row.redirectionUrl,
			currency: row.currency,
			amount: row.amount,
			country_id: row.country.id,
			currency_country_id: row.currencyCountry?.id,
			first_name: row.firstName,
			last_name: row.lastName,
			email: row.email,
			phone: row.phone,
		});
		const callback_url = row.callbackUrl && withToken(row.callbackUrl, callbackToken);
		return { shown, params: withoutBlanks({ ...shown, callback_url, logo }) };
	},

	shape: (reply) => ({ reference: referenceIn(reply), link: linkIn(reply) }),
};
