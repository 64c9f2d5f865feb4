import { COUNTRIES, type Country } from '../../countries/data';
import { amountField, amountIn } from '../../fields/amount';
import { callbackUrlField } from '../../fields/callbackUrl';
import { additionalFields, fieldsOrColumns } from '../../fields/columns';
import { countryField, ownCurrency, ownCurrencyField } from '../../fields/country';
import {
	and,
	bad,
	collect,
	given,
	good,
	propertiesOf,
	readEach,
	withoutBlanks,
	type RawFields,
	type Read,
} from '../../fields/field';
import { mobileField, payerNumber, readMobile } from '../../fields/mobile';
import { createCollectionOptionsField } from '../../fields/optionGroups';
import {
	optionalTextField,
	orderReferenceField,
	readReferenceText,
	readText,
} from '../../fields/text';
import { ENDPOINTS } from '../../protocol/endpoints';
import { referenceOf } from '../../protocol/reply';
import type { ServiceSettings } from '../../protocol/credential';
import type { CreateOperation } from '../../rows/operation';

const paymentMethodTypeField = optionalTextField(
	{
		displayName: 'Payment Method Type',
		name: 'paymentMethodType',
		placeholder: 'e.g. send money',
		description:
			'How the customer pays: "send money" in Kenya, and in the other countries the name of the mobile operator as the service writes it',
	},
	readText,
);

const thirdPartyReference2Field = optionalTextField(
	{
		displayName: 'Third Party Reference 2',
		name: 'thirdPartyReference2',
		placeholder: 'e.g. customer-77',
		description: 'Another reference of your own, e.g. your customer number',
	},
	readReferenceText,
);

export const MAIN = {
	country: countryField('collections'),
	currency: ownCurrencyField,
	amount: amountField,
	mobile: mobileField,
	paymentMethodType: paymentMethodTypeField,
	orderReference: orderReferenceField,
};

/** Also where the rows come from columns: it is the same for all of them. */
const CALLBACK = { callbackUrl: callbackUrlField };

export const ADDITIONAL = { thirdPartyReference2: thirdPartyReference2Field };

const FIELDS = { ...MAIN, ...CALLBACK, ...ADDITIONAL };

/** Each field by itself, then those that depend on another. */
function readRow(raw: RawFields, { mobileFormat, allowUnsupportedCountry }: ServiceSettings) {
	const row = readEach(FIELDS, raw);
	const { country } = row;
	return {
		...row,
		country: and(country, (known) => supported(known, allowUnsupportedCountry)),
		currency: and(row.currency, (code) => given(country, (known) => ownCurrency(code, known))),
		amount: and(row.amount, (amount) =>
			given(country, (known) => amountIn(amount, known.currency)),
		),
		mobile: given(country, (known) => readMobile(raw.mobile, known, mobileFormat)),
	};
}

function supported(country: Country, allowed: boolean): Read<Country> {
	if (allowed || country.collections?.supported) return good(country);
	const names = COUNTRIES.filter((each) => each.collections?.supported).map((each) => each.name);
	return bad(
		'where the service marks collections as not supported',
		`Choose one of ${names.join(', ')}, or turn on 'Allow Unsupported Country' under 'Advanced' in the credential.`,
	);
}

/** Where the specification says "2 dp", be it for one operator only. */
const hasTwoDecimals = ({ collections }: Country): boolean =>
	collections !== null && collections.twoDecimals !== 'not stated';

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
	noReply: { reference: null },

	option: {
		name: 'Create',
		value: 'create',
		action: 'Create collection',
		description: "Ask a customer's mobile wallet for the money",
	},

	properties: [
		...fieldsOrColumns('getCollectionColumns', MAIN),
		...propertiesOf(CALLBACK),
		additionalFields(ADDITIONAL),
		createCollectionOptionsField,
	],

	async prepare(raw, settings) {
		const row = collect(readRow(raw, settings), raw);
		const shown = withoutBlanks({
			amount: Number(row.amount),
			mobile: row.mobile,
			country_id: row.country.id,
			currency: row.currency,
			payment_method_type: row.paymentMethodType,
			callback_url: row.callbackUrl,
			third_party_reference_1: row.orderReference,
			third_party_reference_2: row.thirdPartyReference2,
		});
		return {
			shown,
			params: shown,
			twoDecimals: settings.twoDecimals && hasTwoDecimals(row.country),
			payment: {
				kind: 'collection',
				orderReference: row.orderReference?.trim() ?? null,
				ownReference: row.orderReference ?? null,
				mobile: row.mobile,
				payer: [payerNumber(raw.mobile, row.country)],
				item: '',
				amount: row.amount,
				currency: row.currency,
				countryId: row.country.id,
			},
			nextStep: nextStepIn(row.country),
		};
	},

	fromReply: (reply, _sent, names) => ({ reference: referenceOf(reply, names) }),
};
