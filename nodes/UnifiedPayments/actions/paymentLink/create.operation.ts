import { z } from 'zod';

import { countriesWithCurrency } from '../../countries/lookup';
import { countryField, currencyCountryField, currencyField } from '../../descriptions/country';
import { createLinkOptionsField } from '../../descriptions/options';
import { amountField, callbackUrlField } from '../../descriptions/payment';
import { check } from '../../input/check';
import * as field from '../../input/fields';
import { readLogoBytes, readLogoText } from '../../input/logo';
import { readMobile, type MobileFormat } from '../../input/mobile';
import { bad, type Read } from '../../input/result';
import { linkIn, referenceIn } from '../../output/created';
import { ENDPOINTS } from '../../protocol/endpoints';
import type { CreateOperation, RowHost } from '../operation';
import { amountIn, currencyIn, withoutBlanks, withToken } from '../prepare';

const schema = (mobileFormat: MobileFormat, host: RowHost) =>
	z
		.object({
			country: field.country('paymentLinks'),
			currency: field.currency,
			amount: field.amount,
			businessName: field.text,
			itemName: field.text,
			callbackUrl: field.optionalUrl,
			redirectionUrl: field.optionalUrl,
			currencyCountry: field.optional(field.readCountry('paymentLinks')),
			firstName: field.optionalText,
			lastName: field.optionalText,
			email: field.optionalEmail,
			phone: z.unknown(),
			logoBinaryProperty: field.optional((given) => host.once(given, () => readFile(given))),
			logoBase64: field.optional((given) => host.once(given, () => readLogoText(given))),
		})
		.transform((row, issues) => {
			const currency = currencyIn(row.currency, row.country);
			const { currencyCountry } = row;
			if (currencyCountry && currencyCountry.currency !== currency) {
				const names = countriesWithCurrency(currency).map((each) => each.name);
				field.unwrap(
					bad(`which does not use ${currency}`, `Choose ${names.join(' or ')}, or leave it empty.`),
					issues,
					'currencyCountry',
				);
			}
			const payer = currencyCountry ?? row.country;
			return {
				...row,
				currency,
				amount: field.unwrap(amountIn(row.amount, currency), issues, 'amount'),
				phone: field.isBlank(row.phone)
					? undefined
					: field.unwrap(readMobile(row.phone, payer, mobileFormat), issues, 'phone'),
			};
		});

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
					description: 'Prefilled on the payment page',
				},
				{
					displayName: 'Customer First Name',
					name: 'firstName',
					type: 'string',
					default: '',
					placeholder: 'e.g. Amina',
					description: 'Prefilled on the payment page',
				},
				{
					displayName: 'Customer Last Name',
					name: 'lastName',
					type: 'string',
					default: '',
					placeholder: 'e.g. Okoro',
					description: 'Prefilled on the payment page',
				},
				{
					displayName: 'Customer Phone',
					name: 'phone',
					type: 'string',
					default: '',
					placeholder: 'e.g. 0712 345678',
					description:
						'Prefilled on the payment page. Brought to the international form of the country, or of the currency country when set.',
				},
				{
					displayName: 'Logo (Base64)',
					name: 'logoBase64',
					type: 'string',
					default: '',
					placeholder: 'e.g. iVBORw0KGgo…',
					description: 'Brand logo as base64 text: PNG, JPEG, GIF, WebP or SVG, at most 2 MB',
				},
				{
					displayName: 'Logo Binary Field',
					name: 'logoBinaryProperty',
					type: 'string',
					default: '',
					placeholder: 'e.g. data',
					hint: 'The name of the input field with the logo file',
					description: 'Brand logo from a file: PNG, JPEG, GIF, WebP or SVG, at most 2 MB',
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
		const row = check(schema(options.mobileFormat, host), await withLogoFile(raw, host), raw);
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
