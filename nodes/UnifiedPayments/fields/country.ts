import type { INodePropertyOptions } from 'n8n-workflow';

import type { Country } from '../countries/data';
import { countriesOf, findCountry, type CountryTable } from '../countries/lookup';
import type { Field } from './field';
import { bad, good, type Read } from './read';
import { isBlank, optional } from './text';

const readCountry =
	(table: CountryTable) =>
	(given: unknown): Read<Country> => {
		const country = findCountry(given);
		if (!country) {
			return isBlank(given)
				? bad('but a country is needed', oneOf(table))
				: bad('which is not a country of this service', oneOf(table));
		}
		if (table === 'collections' && !country.collections) {
			return bad('where collections are not offered', oneOf(table));
		}
		return good(country);
	};

const oneOf = (table: CountryTable): string => {
	const names = countriesOf(table).map(
		(country) => `${country.name} (${country.iso2}, id ${country.id})`,
	);
	return `Choose one of ${names.join(', ')}.`;
};

/** "Kenya (KES)"; a collection country marked in the specification says so. */
const label = (country: Country, table: CountryTable): string => {
	const mark = table === 'collections' && !country.collections?.supported ? ' - Not Supported' : '';
	return `${country.name} (${country.currency})${mark}`;
};

const options = (table: CountryTable): INodePropertyOptions[] =>
	countriesOf(table)
		.map((country) => ({
			name: label(country, table),
			value: country.iso2,
			description: `Dial code +${country.dialCode}, country ID ${country.id}`,
		}))
		.sort((a, b) => a.name.localeCompare(b.name));

/** An expression may write a country in many ways. */
const forgiving = (what: string) =>
	`${what} An expression may give an ID (1), an ISO code (KE, KEN), a name (Kenya) or a dial code (254).`;

export const countryField = (table: CountryTable): Field<Country> => ({
	property: {
		displayName: 'Country',
		name: 'country',
		type: 'options',
		options: options(table),
		default: 'KE',
		required: true,
		description: forgiving("Country of the customer's wallet or bank."),
	},
	read: readCountry(table),
});

export const currencyCountryField: Field<Country | undefined> = {
	property: {
		displayName: 'Currency Country',
		name: 'currencyCountry',
		type: 'options',
		options: [{ name: 'Let the Service Decide', value: '' }, ...options('paymentLinks')],
		default: '',
		description: forgiving(
			'Country of the payer, for a currency that several countries share, so that the payment takes the right route. It must use the chosen currency.',
		),
	},
	read: optional(readCountry('paymentLinks')),
};
