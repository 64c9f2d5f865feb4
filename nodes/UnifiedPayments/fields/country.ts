import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Country } from '../countries/data';
import { countriesOf, type CountryTable } from '../countries/lookup';

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

export const countryField = (table: CountryTable): INodeProperties => ({
	displayName: 'Country',
	name: 'country',
	type: 'options',
	options: options(table),
	default: 'KE',
	required: true,
	description: forgiving("Country of the customer's wallet or bank."),
});

export const currencyCountryField: INodeProperties = {
	displayName: 'Currency Country',
	name: 'currencyCountry',
	type: 'options',
	options: [{ name: 'Let the Service Decide', value: '' }, ...options('paymentLinks')],
	default: '',
	description: forgiving(
		'Country of the payer, for a currency that several countries share, so that the payment takes the right route. It must use the chosen currency.',
	),
};

/** The list follows the chosen country. */
export const currencyField: INodeProperties = {
	displayName: 'Currency Name or ID',
	name: 'currency',
	type: 'options',
	typeOptions: { loadOptionsMethod: 'getCurrencies', loadOptionsDependsOn: ['country'] },
	default: 'auto',
	description:
		'Currency of the amount. Automatic takes the country\'s. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};
