import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import type { Country } from '../countries/data';
import {
	countriesOf,
	CURRENCIES,
	currenciesOf,
	findCountry,
	type CountryTable,
} from '../countries/lookup';
import { and, bad, good, isBlank, visible, type Field, type Read } from './field';

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
			return bad(
				'where collections are not offered',
				`${oneOf(table)} In ${country.name} customers can pay by payment link.`,
			);
		}
		return good(country);
	};

/** Without the countries that would be refused next. */
const oneOf = (table: CountryTable): string => {
	const names = countriesOf(table)
		.filter((country) => table === 'paymentLinks' || country.collections?.supported)
		.map(({ name }) => name);
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

/** Said where somebody looks for a country that is not in the list. */
function elsewhere(table: CountryTable): string {
	const offered = countriesOf(table);
	const others = countriesOf('paymentLinks').filter((country) => !offered.includes(country));
	if (others.length === 0) return '';
	return ` Customers in ${others.map(({ name }) => name).join(' and ')} can pay by payment link.`;
}

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
		builderHint: {
			propertyHint: "A two-letter ISO code such as 'KE', or an expression that gives one.",
		},
		description: forgiving(`Country of the customer's wallet or bank.${elsewhere(table)}`),
	},
	read: (given) => and(visible(given), readCountry(table)),
});

export const currencyCountryField: Field<Country | undefined> = {
	property: {
		displayName: 'Currency Country',
		name: 'currencyCountry',
		type: 'options',
		options: [{ name: 'Automatic', value: '' }, ...options('paymentLinks')],
		default: '',
		description: forgiving('Country of the payer, for a currency that several countries share.'),
	},
	blank: { value: undefined },
	read: (given) => and(visible(given), readCountry('paymentLinks')),
};

/** `auto` is the country's own currency. */
export function readCurrency(
	given: unknown,
	advice = `Choose one of ${CURRENCIES.join(', ')}.`,
): Read<string> {
	const code = typeof given === 'string' ? given.trim() : '';
	if (code === 'auto') return good('auto');
	const upper = code.toUpperCase();
	return CURRENCIES.includes(upper)
		? good(upper)
		: bad('which is not a currency of this service', advice);
}

export const currencyIn = (given: string, country: Country): string =>
	given === 'auto' ? country.currency : given;

/** A collection is always in the country's own currency. */
export function ownCurrency(given: string, country: Country): Read<string> {
	const code = currencyIn(given, country);
	return code === country.currency
		? good(code)
		: bad(
				`but ${country.name} collects in ${country.currency}`,
				`Choose ${country.currency} or 'Automatic'.`,
			);
}

/** The list follows the chosen country. */
export const currencyField: Field<string> = {
	property: {
		displayName: 'Currency Name or ID',
		name: 'currency',
		type: 'options',
		typeOptions: { loadOptionsMethod: 'getCurrencies', loadOptionsDependsOn: ['country'] },
		default: 'auto',
		description:
			'Currency of the amount. "Automatic" is that of the country. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	},
	blank: { value: 'auto' },
	read: (given) => readCurrency(given),
};

/** Of a collection, which is in no currency but its country's own. */
export const ownCurrencyField: Field<string> = {
	...currencyField,
	read: (given) =>
		readCurrency(given, "Choose 'Automatic': a collection is in the currency of its country."),
};

/** The currency dropdown: the country's own first; a link may use any other of the table. */
export async function getCurrencies(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const country = findCountry(this.getCurrentNodeParameter('country'));
	const forLink = this.getCurrentNodeParameter('resource') === 'paymentLink';
	const automatic = {
		name: country ? `Automatic (${country.currency})` : "Automatic (the Country's Currency)",
		value: 'auto',
	};
	const known = forLink ? CURRENCIES : currenciesOf('collections');
	const offered = forLink || !country ? known : [country.currency];
	return [automatic, ...[...offered].sort().map((code) => ({ name: code, value: code }))];
}
