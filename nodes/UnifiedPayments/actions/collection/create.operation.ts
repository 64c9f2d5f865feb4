import { z } from 'zod';

import { COUNTRIES, type Country } from '../../countries/data';
import { fieldsOrColumns } from '../../fields/columns';
import { countryField, currencyField } from '../../fields/country';
import { createCollectionOptionsField } from '../../descriptions/options';
import { amountField, callbackUrlField } from '../../fields/callbackUrl';
import { readAmount } from '../../fields/amount';
import { collect } from '../../fields/inputError';
import * as field from '../../fields/text';
import { readMobile } from '../../fields/mobile';
import type { RowOptions } from '../../fields/options';
import { and, bad, given, good, type Read } from '../../fields/read';
import { referenceIn } from '../../output/created';
import { ENDPOINTS } from '../../protocol/endpoints';
import type { CreateOperation } from '../operation';
import { amountIn, ownCurrency, withoutBlanks, withToken } from '../prepare';

/** Each field by itself. Made once: a sheet has many rows. */
const fields = z.object({
	country: field.kept(field.readCountry('collections')),
	currency: field.kept(field.readCurrency),
	amount: field.kept(readAmount),
	mobile: z.unknown(),
	paymentMethodType: field.kept(field.maybe(field.readText)),
	callbackUrl: field.kept(field.maybe(field.readUrl)),
	thirdPartyReference1: field.kept(field.maybe(field.readText)),
	thirdPartyReference2: field.kept(field.maybe(field.readText)),
});

/** And those that depend on another. */
function readRow(raw: field.RawFields, options: RowOptions) {
	const row = fields.parse(raw);
	const { country } = row;
	const { mobileFormat, allowUnsupportedCountry } = options;
	return {
		...row,
		country: and(country, (known) => supported(known, allowUnsupportedCountry)),
		currency: and(row.currency, (code) => given(country, (known) => ownCurrency(code, known))),
		amount: and(row.amount, (amount) =>
			given(country, (known) => amountIn(amount, known.currency)),
		),
		mobile: given(country, (known) => readMobile(row.mobile, known, mobileFormat)),
	};
}

function supported(country: Country, allowed: boolean): Read<Country> {
	if (allowed || country.collections?.supported) return good(country);
	const names = COUNTRIES.filter((each) => each.collections?.supported).map((each) => each.name);
	return bad(
		'where the service marks collections as not supported',
		`Choose one of ${names.join(', ')}, or turn on 'Allow Unsupported Country' in the options.`,
	);
}

const VERIFY =
	'The customer receives a verification token on the mobile number and must verify it for the payment to go on.';
const SENEGAL =
	'With one operator, the customer receives an SMS with a shortcode instead: dial it, and enter the PIN at the USSD prompt to approve.';

/** What the payer must do, as the specification says. */
const nextStepIn = (country: Country) => (country.iso2 === 'SN' ? `${VERIFY} ${SENEGAL}` : VERIFY);

export const create: CreateOperation = {
	kind: 'create',
	name: 'the collection',
	path: ENDPOINTS.createCollection,
	empty: { reference: null },

	option: {
		name: 'Create',
		value: 'create',
		action: 'Create collection',
		description: "Ask for a payment from a customer's mobile wallet",
	},

	properties: [
		...fieldsOrColumns('getCollectionColumns', [
			countryField('collections'),
			currencyField,
			amountField,
			{
				displayName: 'Mobile',
				name: 'mobile',
				type: 'string',
				required: true,
				default: '',
				placeholder: 'e.g. 0712 345678',
				hint: 'The customer receives a verification token here and must verify it. With one operator in Senegal: an SMS with a shortcode to dial, then a PIN at the USSD prompt.',
				description:
					"The customer's mobile number, as people write it: +, 00, spaces and a leading zero are understood",
			},
			{
				displayName: 'Payment Method Type',
				name: 'paymentMethodType',
				type: 'string',
				default: '',
				placeholder: 'e.g. send money',
				description:
					'How the customer pays, in the words of the service, e.g. the name of a mobile operator',
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
				{
					displayName: 'Third Party Reference 1',
					name: 'thirdPartyReference1',
					type: 'string',
					default: '',
					placeholder: 'e.g. order-1042',
					description:
						'Your own number for this payment, e.g. of the order, so that you can match it later',
				},
				{
					displayName: 'Third Party Reference 2',
					name: 'thirdPartyReference2',
					type: 'string',
					default: '',
					placeholder: 'e.g. customer-77',
					description: 'A second number of your own, e.g. of the customer',
				},
			],
		},
		createCollectionOptionsField,
	],

	async prepare(raw, options, callbackToken) {
		const row = collect(readRow(raw, options), raw);
		const shown = withoutBlanks({
			amount: Number(row.amount),
			mobile: row.mobile,
			country_id: row.country.id,
			currency: row.currency,
			payment_method_type: row.paymentMethodType,
			callback_url: row.callbackUrl,
			third_party_reference_1: row.thirdPartyReference1,
			third_party_reference_2: row.thirdPartyReference2,
		});
		const callback_url = row.callbackUrl && withToken(row.callbackUrl, callbackToken);
		return {
			shown,
			params: withoutBlanks({ ...shown, callback_url }),
			nextStep: nextStepIn(row.country),
		};
	},

	shape: (reply) => ({ reference: referenceIn(reply) }),
};
