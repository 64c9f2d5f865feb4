import type { Country } from '../../countries/data';
import { countriesWithCurrency } from '../../countries/lookup';
import { amountField, amountIn, twoDecimalsOrNone } from '../../fields/amount';
import { callbackUrlField } from '../../fields/callbackUrl';
import { additionalFields, fieldsOrColumns } from '../../fields/columns';
import {
	countryField,
	currencyCountryField,
	currencyField,
	currencyIn,
} from '../../fields/country';
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
import { logoBase64Field, logoBinaryField, readLogoFile, readLogoText } from '../../fields/logo';
import { payerNumber, phoneField, readPhone } from '../../fields/mobile';
import { createLinkOptionsField } from '../../fields/optionGroups';
import {
	optionalTextField,
	orderReferenceField,
	readEmail,
	readText,
	readUrl,
	requiredTextField,
} from '../../fields/text';
import { linkOf } from '../../payment/link';
import { ENDPOINTS } from '../../protocol/endpoints';
import { referenceOf } from '../../protocol/reply';
import type { MobileFormat } from '../../protocol/credential';
import type { CreateOperation, RowFiles } from '../../rows/operation';

const businessNameField = requiredTextField(
	{
		displayName: 'Business Name',
		name: 'businessName',
		placeholder: 'e.g. Amina Shop',
		description: 'Shown to the customer at the top of the payment page',
	},
	readText,
);

const itemNameField = requiredTextField(
	{
		displayName: 'Item Name',
		name: 'itemName',
		placeholder: 'e.g. Order 1042',
		description: 'What the payment is for',
	},
	readText,
);

const emailField = optionalTextField(
	{
		displayName: 'Customer Email',
		name: 'email',
		placeholder: 'e.g. amina@example.com',
		description: 'Filled in for the customer on the payment page',
	},
	readEmail,
);

const firstNameField = optionalTextField(
	{
		displayName: 'Customer First Name',
		name: 'firstName',
		placeholder: 'e.g. Amina',
		description: 'Filled in for the customer on the payment page',
	},
	readText,
);

const lastNameField = optionalTextField(
	{
		displayName: 'Customer Last Name',
		name: 'lastName',
		placeholder: 'e.g. Okoro',
		description: 'Filled in for the customer on the payment page',
	},
	readText,
);

const redirectionUrlField = optionalTextField(
	{
		displayName: 'Redirection URL',
		name: 'redirectionUrl',
		placeholder: 'e.g. https://shop.example.com/thanks',
		description: 'Where the customer goes after the payment',
	},
	readUrl,
);

const MAIN = {
	country: countryField('paymentLinks'),
	currency: currencyField,
	amount: amountField,
	businessName: businessNameField,
	itemName: itemNameField,
	orderReference: orderReferenceField,
};

/** Also where the rows come from columns: it is the same for all of them. */
const CALLBACK = {
	callbackUrl: {
		...callbackUrlField,
		property: {
			...callbackUrlField.property,
			hint: 'Any https address of yours will do. Best is the Production URL of a Unified Payments Trigger.',
			description:
				"Address that the service calls with the result, and by which the link is found. Not needed with 'Wait in This Execution'.",
		},
	},
};

const ADDITIONAL = {
	redirectionUrl: redirectionUrlField,
	currencyCountry: currencyCountryField,
	firstName: firstNameField,
	lastName: lastNameField,
	email: emailField,
	phone: phoneField,
	logoBinaryProperty: logoBinaryField,
	logoBase64: logoBase64Field,
};

const FIELDS = { ...MAIN, ...CALLBACK, ...ADDITIONAL };

/** Each field by itself, then those that depend on another, or are shared by many rows. */
function readRow(raw: RawFields, mobileFormat: MobileFormat, files: RowFiles, isAwaited: boolean) {
	const row = readEach(FIELDS, raw);
	const currency = and(row.currency, (code) =>
		given(row.country, (country) => good(currencyIn(code, country))),
	);
	const payer = and(row.currencyCountry, (chosen) => (chosen ? good(chosen) : row.country));
	return {
		...row,
		callbackUrl: isAwaited ? good(undefined) : and(row.callbackUrl, neededUrl),
		currency,
		currencyCountry: and(row.currencyCountry, (chosen) =>
			given(currency, (code) => usesCurrency(chosen, code)),
		),
		amount: and(row.amount, (amount) => given(currency, (code) => amountIn(amount, code))),
		phone: unlessBlank(row.phone, (phone) =>
			given(payer, (country) => readPhone(phone, country, mobileFormat)),
		),
		logoBinaryProperty: unlessBlank(row.logoBinaryProperty, (file) =>
			files.shared(file, () => readLogoFile(file)),
		),
		logoBase64: unlessBlank(row.logoBase64, (text) => files.shared(text, () => readLogoText(text))),
	};
}

/** A reply may come without the link: it is found in the list by this address. */
const neededUrl = (url: string | undefined): Read<string> =>
	url === undefined
		? bad(
				'by which the link is found',
				"Give any https address of yours. The Production URL of a 'Unified Payments Trigger' also tells you of the payment.",
			)
		: good(url);

const unlessBlank = <T>(
	read: Read<unknown>,
	next: (value: unknown) => Read<T>,
): Read<T | undefined> =>
	and(read, (value) => (value === undefined ? good(undefined) : next(value)));

function usesCurrency(country: Country | undefined, currency: string): Read<Country | undefined> {
	const known = countriesWithCurrency(currency);
	if (!country || known.includes(country)) return good(country);
	const names = known.map((each) => each.name);
	return bad(`which does not use ${currency}`, `Choose ${names.join(' or ')}, or leave it empty.`);
}

/** Puts the file's content where its name stood. */
async function withLogoFile(raw: RawFields, files: RowFiles): Promise<RawFields> {
	const { logoBinaryProperty: property } = raw;
	if (typeof property !== 'string' || property.trim() === '') return raw;
	return { ...raw, logoBinaryProperty: (await files.binary(property.trim())) ?? property };
}

export const create: CreateOperation = {
	kind: 'create',
	name: 'the payment link',
	path: ENDPOINTS.createPaymentLink,
	noReply: { reference: null, link: null, linkFrom: null },

	option: {
		name: 'Create',
		value: 'create',
		action: 'Create payment link',
		description: 'Make a web page where a customer pays a given amount, and get its address',
	},

	properties: [
		...fieldsOrColumns('getPaymentLinkColumns', MAIN),
		...propertiesOf(CALLBACK),
		additionalFields(ADDITIONAL),
		createLinkOptionsField,
	],

	async prepare(raw, { mobileFormat }, files, isAwaited) {
		const withLogo = await withLogoFile(raw, files);
		const row = collect(readRow(withLogo, mobileFormat, files, isAwaited), raw);
		const logo = row.logoBinaryProperty ?? row.logoBase64;
		const shown = withoutBlanks({
			business_name: row.businessName,
			item_name: row.itemName,
			callback_url: row.callbackUrl,
			redirection_url: row.redirectionUrl,
			currency: row.currency,
			amount: twoDecimalsOrNone(row.amount),
			country_id: row.country.id,
			currency_country_id: row.currencyCountry?.id,
			first_name: row.firstName,
			last_name: row.lastName,
			email: row.email,
			phone: row.phone,
		});
		const payer = row.currencyCountry ?? row.country;
		return {
			shown,
			params: withoutBlanks({ ...shown, logo }),
			payment: {
				kind: 'link',
				orderReference: row.orderReference?.trim() ?? null,
				ownReference: null,
				mobile: null,
				payer: [
					row.phone === undefined ? '' : payerNumber(raw.phone, payer),
					row.email?.toLowerCase() ?? '',
					row.firstName ?? '',
					row.lastName ?? '',
				],
				item: row.itemName,
				amount: row.amount,
				currency: row.currency,
				countryId: row.country.id,
			},
		};
	},

	fromReply(reply, sent, names) {
		const link = linkOf(reply, names, sent);
		return { reference: referenceOf(reply, names), link, linkFrom: link === null ? null : 'reply' };
	},
};
